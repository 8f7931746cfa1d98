// Exercise and submission pages: mounts the editor, saves the draft, and watches a submission until its verdict.
// Everything here is comfort: without it the same forms post and "Look again" shows the state.

const AUTOSAVE_MS = 1000;
const RETRY_MS = 5000;

class SignedOut extends Error {}

const form = document.querySelector("#work");
if (form) workOn(form);
const watched = document.querySelector("[data-watch]");
if (watched) watch(watched);

function workOn(form) {
  const textarea = form.querySelector("#source");
  const nonce = document.querySelector("meta[name=csp-nonce]")?.content;
  const receipt = receiptOf(form.querySelector("[data-receipt]"));
  const draft = draftOf(form, textarea, receipt);
  const press = (kind) => form.requestSubmit(form.querySelector(`[name=kind][value=${kind}]`));
  const editor = globalThis.courseware.openEditor({
    textarea,
    nonce,
    keys: { run: () => press("run"), submit: () => press("submit"), save: () => draft.save() },
    changed() {
      editor.clearMarks();
      draft.changed();
    },
  });
  form.querySelector("[data-plain]").hidden = true; // saving goes by itself now
  if (form.dataset.errorLine) editor.markLine(Number(form.dataset.errorLine), form.dataset.errorText);
  draft.open(editor);
  // A line that a verdict names can be marked only while the text is the one that was graded.
  document.addEventListener("verdict", (event) => {
    const { line, text, source } = event.detail;
    if (line && editor.text() === source) editor.markLine(line, text);
  });
  form.addEventListener("submit", () => draft.leave());
}

function receiptOf(element) {
  const say = (text, isHeed = false) => {
    element.classList.toggle("heed", isHeed);
    const line = document.createElement("span");
    line.textContent = text;
    element.replaceChildren(line);
  };
  return {
    saving: () => say("Saving …"),
    saved: (at) => say(`Saved ${at}`),
    offline: (since) => say(`Not saved yet. Kept in this browser since ${since}; sending again.`, true),
    signedOut: (since) => say(`Signed out. Kept in this browser since ${since}; sign in, then open this page again.`, true),
    twoVersions: (at) => say(`Two versions. This code was changed elsewhere at ${at}.`, true),
    refused: (sentence) => say(`Not saved. ${sentence}`, true),
  };
}

// The draft on the server, with a copy in this browser for as long as the server cannot be reached.
function draftOf(form, textarea, receipt) {
  const revision = form.elements.revision;
  const versions = form.querySelector("[data-versions]");
  const key = form.dataset.kept;
  let saved = textarea.defaultValue; // what the page came with; a refused text came back unsaved
  if (form.dataset.unsaved) saved = null;
  let timer = 0;
  let offlineSince = null;
  let inFlight = false;
  let isLeaving = false;
  let other = null;

  function body(action) {
    const fields = new FormData(form);
    fields.set("action", action);
    return fields;
  }

  async function save(action = "save") {
    clearTimeout(timer);
    if (inFlight || isLeaving) return void schedule(AUTOSAVE_MS);
    if (other && action === "save") return;
    const sent = textarea.value;
    if (sent === saved && action === "save") return;
    inFlight = true;
    if (!offlineSince) receipt.saving();
    try {
      const answer = await fetch(form.dataset.draft, {
        method: "POST",
        body: body(action),
        headers: { Accept: "application/json" },
        redirect: "manual", // a sign-in page is no receipt
      });
      if (answer.type === "opaqueredirect") throw new SignedOut();
      take(await answer.json(), sent);
    } catch (failure) {
      keepHere(sent, failure instanceof SignedOut);
    } finally {
      inFlight = false;
    }
  }

  function take(answer, sent) {
    offlineSince = null;
    localStorage.removeItem(key);
    other = answer.other ?? null;
    if (other) {
      versions.hidden = false;
      return receipt.twoVersions(other.saved);
    }
    if (answer.refused) return receipt.refused(answer.refused);
    versions.hidden = true;
    saved = sent;
    revision.value = answer.revision;
    receipt.saved(answer.saved);
    if (textarea.value !== saved) schedule(AUTOSAVE_MS);
  }

  function keepHere(text, isSignedOut) {
    offlineSince ??= `${new Date().toISOString().slice(11, 16)} UTC`; // as the server writes times
    localStorage.setItem(key, JSON.stringify({ text, revision: revision.value }));
    if (isSignedOut) receipt.signedOut(offlineSince);
    else receipt.offline(offlineSince);
    schedule(RETRY_MS);
  }

  function schedule(delay) {
    clearTimeout(timer);
    timer = setTimeout(save, delay);
  }

  return {
    save,
    changed: () => schedule(AUTOSAVE_MS),
    leave() {
      isLeaving = true;
    },
    open(editor) {
      const kept = JSON.parse(localStorage.getItem(key) ?? "null");
      if (kept && kept.text !== textarea.value) {
        revision.value = kept.revision; // an older one makes the server ask which version goes on
        editor.replace(kept.text);
      }
      form.querySelector("[value=replace]").addEventListener("click", (event) => {
        event.preventDefault();
        save("replace");
      });
      form.querySelector("[data-take-other]").addEventListener("click", (event) => {
        if (!other) return; // the page itself came with two versions, and its link opens the stored one
        event.preventDefault();
        saved = other.source;
        revision.value = other.revision;
        receipt.saved(other.saved);
        versions.hidden = true;
        other = null;
        editor.replace(saved);
      });
      addEventListener("blur", () => save());
      addEventListener("pageshow", () => {
        isLeaving = false;
      });
      addEventListener("pagehide", () => {
        if (!isLeaving && textarea.value !== saved) navigator.sendBeacon(form.dataset.draft, body("save"));
      });
    },
  };
}

// Asks every second at first, then less often; a hidden page asks nothing and asks at once when it is seen again.
function watch(section) {
  const since = Date.now();
  const pause = () => (Date.now() - since < 10_000 ? 1000 : Date.now() - since < 60_000 ? 3000 : 10_000);
  section.querySelector("[data-plain]").hidden = true;

  async function ask() {
    if (document.hidden) return void document.addEventListener("visibilitychange", ask, { once: true });
    try {
      const answer = await fetch(section.dataset.watch, { headers: { Accept: "application/json" }, redirect: "error" });
      const state = await answer.json();
      if (state.final) return void (await showVerdict());
      show(section.querySelector("[data-stages]"), state.html);
      show(document.getElementById("findings"), state.found);
    } catch {
      // The page stays as it is and asks again; the submission does not depend on this page.
    }
    setTimeout(ask, pause());
  }
  setTimeout(ask, 300);
}

const shown = new WeakMap(); // what each part was last given; read back, a browser words it differently

function show(part, html) {
  if (shown.get(part) === html) return;
  shown.set(part, html);
  part.innerHTML = html;
}

// The verdict's page is the one that the address gives: take its parts, and leave the editor and the scroll alone.
async function showVerdict() {
  const answer = await fetch(location.href, { redirect: "error" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["outcome", "findings", "pictures"]) {
    document.getElementById(id).replaceWith(document.adoptNode(page.getElementById(id)));
  }
  document.title = page.title;
  document.querySelector("[data-announce]").textContent = page.title.split(" · ")[0];
  const graded = page.querySelector("#work");
  if (graded?.dataset.errorLine) {
    const { errorLine, errorText } = graded.dataset;
    const source = page.querySelector("#source").value;
    document.dispatchEvent(new CustomEvent("verdict", { detail: { line: Number(errorLine), text: errorText, source } }));
  }
}
