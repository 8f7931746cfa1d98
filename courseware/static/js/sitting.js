// Saves each answer of an open sitting as it is given, and says when. Without this file the form's own button saves.
// The server decides everything; here is only what was typed, and a copy of it while the server cannot be reached.

import { isFree, offerSwitch } from "./keys.js";
import { forget, keep, kept } from "./kept.js";

const form = document.querySelector("#answer");
const receipts = document.querySelectorAll("[data-receipt]"); // beside the buttons, and in the dock of a phone
const fault = form.querySelector(".fault[id]"); // where what is typed can be unreadable; "number-fault" of "number"
const place = [form.dataset.sitting, form.dataset.position];
const TYPING_PAUSE = 1000; // a second without a key is a pause; less would save half-typed numbers
const FIRST_RETRY = 2000, LONGEST_RETRY = 30000;

let isDirty = false; // something is given that the server does not hold
let isTyping = false; // the field still has the focus, so a half-typed number is no fault yet
let isLeaving = false;
let running = null; // the save that is under way
let timer = 0;
let retryAfter = FIRST_RETRY;
let offlineSince = "";
// This page has a name and numbers its saves: a receipt that was lost on the way does not make it an older page.
let name = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
let saves = 0;

function say(shape, words, ...links) {
  const mark = document.querySelector(`template[data-shape=${shape}]`).content;
  for (const receipt of receipts) {
    receipt.classList.toggle("heed", shape === "heed");
    receipt.replaceChildren(mark.cloneNode(true), ` ${words} `, ...links.map((node) => node.cloneNode?.(true) ?? node));
  }
}

function link(words, address) {
  const anchor = document.createElement("a");
  anchor.textContent = words;
  anchor.href = address;
  return anchor;
}

function given() {
  const entries = [...new FormData(form)];
  return entries.filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "revision");
}

function keepHere() {
  const since = offlineSince || clock();
  if (keep(...place, { given: given(), revision: form.elements.revision.value, since, name, saves })) return;
  if (offlineSince) say("heed", "Not saved yet, and this browser keeps nothing. Leave the page open; sending again.");
}

// A copy of the form for one save.
function body() {
  const fields = new FormData(form);
  saves += 1;
  fields.set("save", `${name}-${saves}`);
  return fields;
}

function clock() {
  return new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

// Returns "saved", "lost" (worth another try) or "refused".
async function send() {
  say("clock", "Saving …");
  let reply, message;
  try {
    reply = await fetch(form.action, {
      method: "POST", body: body(), headers: { Accept: "application/json" }, redirect: "manual",
      keepalive: true, // leaving the page must not break off a save
    });
    if (reply.type === "opaqueredirect") {
      keepHere();
      say("heed", "Not saved: you are signed out. Kept in this browser.", link("Sign in again", location.href));
      return "refused";
    }
    message = await reply.json();
  } catch {
    return "lost";
  }
  if (reply.status >= 500 || reply.status === 429) return "lost";
  return reply.ok ? saved(message) : refused(message);
}

function saved(message) {
  form.elements.revision.value = message.revision;
  if (!isDirty) forget(...place);
  document.dispatchEvent(new CustomEvent("saved", { detail: message }));
  setFault("");
  say("tick", message.receipt);
  const cell = document.querySelector(".qs [aria-current]");
  cell.classList.toggle("done", message.is_answered);
  cell.setAttribute("aria-label", cell.getAttribute("aria-label").replace(
    /, (answered|open)/, message.is_answered ? ", answered" : ", open"));
  const answered = document.querySelectorAll(".qs .done").length;
  for (const count of document.querySelectorAll("[data-answered]")) count.textContent = answered;
  return "saved";
}

function refused(message) {
  if (message.reason === "unreadable" && fault) {
    if (isTyping) { for (const receipt of receipts) receipt.replaceChildren(); return "refused"; }
    setFault(message.refused, message.fields);
    say("heed", "Not saved yet.");
  } else if (message.reason === "stale") {
    const saved = link("Take the saved one", location.pathname), mine = link("Keep this one", "#answer");
    saved.dataset.choice = "saved";
    mine.dataset.choice = "mine";
    say("heed", `Two versions. ${message.refused}`, mine, " ", saved);
    form.elements.revision.value = message.revision; // saving now is a choice that was made knowingly
  } else {
    forget(...place);
    say("heed", message.refused, link("See where this test stands", location.pathname));
  }
  return "refused";
}

// A field and the sentence under it belong together, for the eye and for a screen reader. Of several fields the server
// names those that are meant.
function setFault(sentence, names = []) {
  if (!fault) return;
  fault.textContent = sentence;
  fault.hidden = !sentence;
  const own = fault.id.replace(/-fault$/, "");
  const meant = names.length ? names : [own];
  for (const field of form.querySelectorAll(`[aria-describedby^="${own}-hint"]`)) {
    const isMeant = Boolean(sentence) && meant.includes(field.id);
    field.setAttribute("aria-describedby", isMeant ? `${own}-hint ${fault.id}` : `${own}-hint`);
    if (isMeant) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

// Sends until all is saved; true if it is.
async function saveAll() {
  while (isDirty) {
    isDirty = false;
    const outcome = await send();
    if (outcome === "refused") return false;
    if (outcome === "lost") {
      isDirty = true;
      offlineSince ||= clock();
      say("heed", `Not saved yet. Kept in this browser since ${offlineSince}; sending again.`);
      keepHere();
      later(retryAfter);
      retryAfter = Math.min(2 * retryAfter, LONGEST_RETRY);
      return false;
    }
    offlineSince = "";
    retryAfter = FIRST_RETRY;
  }
  return true;
}

async function flush() {
  clearTimeout(timer);
  running ??= saveAll();
  try {
    return await running;
  } finally {
    running = null;
  }
}

function later(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(flush, milliseconds);
}

form.addEventListener("input", (event) => {
  isDirty = true;
  keepHere(); // at once: whatever happens to the page, what was typed is there when it is opened again
  isTyping = event.target.type === "text";
  if (isTyping) later(TYPING_PAUSE);
});
form.addEventListener("change", () => {
  isTyping = false;
  isDirty = true;
  flush();
});

// A save under way decides the revision, so the button waits for it; offline it must not leave for an error page.
// With nothing to wait for the browser just goes on: a form cannot be submitted from within its own submit event.
form.addEventListener("submit", (event) => {
  isTyping = false;
  if (isLeaving || !(running || offlineSince)) {
    isLeaving = true;
    return;
  }
  event.preventDefault();
  leave(event.submitter);
});

async function leave(submitter) {
  if (running) await running;
  if (offlineSince && !(await flush())) return;
  isLeaving = true;
  form.requestSubmit(submitter);
}

addEventListener("pageshow", () => { isLeaving = false; });
addEventListener("online", flush);
addEventListener("pagehide", () => {
  if (isDirty && !isLeaving) {
    fetch(form.action, {
      method: "POST", body: body(), headers: { Accept: "application/json" }, keepalive: true,
    }).catch(() => {});
  }
});

// What was kept while the server could not be reached goes first; if it was overtaken meanwhile, the server says so.
function restore() {
  const mine = kept(...place);
  if (!mine) return;
  form.elements.revision.value = mine.revision;
  [name, saves] = [mine.name ?? name, mine.saves ?? 0];
  for (const field of form.querySelectorAll("input:not([type=hidden]), select")) {
    const values = mine.given.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.matches("[type=radio], [type=checkbox]")) field.checked = values.includes(field.value);
    else field.value = values[0] ?? "";
  }
  form.dispatchEvent(new CustomEvent("restore", { detail: mine.given })); // for controls that are more than fields
  offlineSince = mine.since;
  isDirty = true;
  flush();
}

// Of two versions one is chosen; what is not chosen is forgotten.
document.addEventListener("click", (event) => {
  const choice = event.target.closest?.("[data-choice]")?.dataset.choice;
  if (choice === "saved") {
    isLeaving = true;
    forget(...place);
  }
  if (choice === "mine") {
    event.preventDefault();
    isDirty = true;
    flush();
  }
});

// At the end what is typed is sent once more, and nothing can change after it; more time opens the question again.
document.addEventListener("time-up", async () => {
  isTyping = false;
  await flush();
  form.querySelector("fieldset").inert = true; // disabled, its fields would be missing from a save that is sent again
});
document.addEventListener("time-given", () => { form.querySelector("fieldset").inert = false; });

// Keys: single characters, so they can be switched off, and they keep out of text fields.
const keys = form.querySelector("[data-keys]");
offerSwitch(keys.querySelector("button"), (isOn) => {
  keys.hidden = false;
  form.classList.toggle("with-keys", isOn); // each option then shows its key
  keys.firstElementChild.hidden = !isOn;
});
document.addEventListener("keydown", (event) => {
  if (!isFree(event)) return;
  if (event.key === "m" || event.key === "M") form.querySelector("button[name=flagged]").click();
  const option = /^[1-9]$/.test(event.key) && form.querySelectorAll("input[name=choice]")[event.key - 1];
  if (option) option.click();
});

restore();
// After going on, reading continues at the question rather than at the top of the page.
if (new URLSearchParams(location.search).has("left")) document.querySelector("#stem").focus();
