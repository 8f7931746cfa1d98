// Shows how much time is left, by the server's clock alone: it says how many seconds there are, and is asked again
// often enough that more time shows within a minute. What the clock of this machine says plays no part; it may be wrong,
// and it may sleep. Without this file the page says when the test closes.

const box = document.querySelector("[data-time]");
const shown = document.querySelectorAll("[data-left]"); // beside the question, and in the dock of a phone
const announcer = box.querySelector("[data-announce]");
const toggle = box.querySelector("[data-hide]");
const ASK_MS = 30000, ASK_AT_THE_END_MS = 5000;
const JUMP_MS = 2000; // the two clocks of a browser drift less; more means that the machine slept or was set
const SECONDS_SHOWN = 300;
const moments = [Math.floor(Number(box.dataset.all) / 2), 600, 300, 60, 30]; // few, since each interrupts

let left = Number(box.dataset.seconds), at = performance.now(); // so much was left at that moment
let drift = Date.now() - at;
let asked = at;
let spoken = secondsLeft();
let isUp = false;

function secondsLeft() {
  return Math.max(0, Math.ceil(left - (performance.now() - at) / 1000));
}

function words(seconds) {
  if (seconds === 0) return "Time is up";
  if (seconds > SECONDS_SHOWN) return `${Math.ceil(seconds / 60)} min left`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left`;
}

function aloud(seconds) {
  const [count, unit] = seconds >= 60 ? [Math.round(seconds / 60), "minute"] : [seconds, "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"} left.`;
}

function tick() {
  const seconds = secondsLeft();
  const text = words(seconds);
  for (const element of shown) if (element.textContent !== text) element.textContent = text;
  const passed = moments.filter((moment) => seconds <= moment && moment < spoken);
  if (passed.length && seconds > 0) announcer.textContent = aloud(Math.min(...passed));
  spoken = Math.min(spoken, seconds);
  if (seconds === 0 && !isUp) {
    isUp = true;
    announcer.textContent = "Time is up. What is saved is handed in.";
    document.dispatchEvent(new Event("time-up"));
  }
  const now = performance.now();
  const jumped = Math.abs(Date.now() - now - drift) > JUMP_MS;
  if (jumped || now - asked > (isUp ? ASK_AT_THE_END_MS : ASK_MS)) ask();
}

// Sets what the server said: with the answer to a save, or because it was asked.
function set({ seconds_left: seconds, closes }) {
  if (seconds === null) return;
  const before = secondsLeft();
  left = seconds;
  at = performance.now();
  drift = Date.now() - at;
  box.querySelector("[data-closes]").textContent = closes;
  if (seconds > before + 30) { // somebody gave more
    spoken = seconds;
    isUp = false;
    announcer.textContent = `You have more time: ${aloud(seconds)}`;
    document.dispatchEvent(new Event("time-given"));
  }
}

async function ask() {
  asked = performance.now();
  drift = Date.now() - asked;
  try {
    const reply = await fetch(box.dataset.time, { headers: { Accept: "application/json" }, redirect: "manual" });
    if (!reply.ok) return;
    const message = await reply.json();
    if (message.is_closed) location.assign(box.dataset.review);
    else set(message);
    tick();
  } catch {
    // Offline: what was known goes on counting, and the next question may get through.
  }
}

function isHidden() {
  try { return localStorage.getItem("time") === "hidden"; } catch { return false; }
}

function showOrHide() {
  for (const element of shown) element.hidden = isHidden();
  toggle.hidden = false;
  toggle.textContent = isHidden() ? "Show the time left" : "Hide the time left";
}

toggle.addEventListener("click", () => {
  try { localStorage.setItem("time", isHidden() ? "shown" : "hidden"); } catch { /* it stays shown */ }
  showOrHide();
});
document.addEventListener("saved", (event) => set(event.detail));
document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
addEventListener("online", ask);
addEventListener("pageshow", (event) => { if (event.persisted) ask(); });

showOrHide();
tick();
setInterval(tick, 1000);
