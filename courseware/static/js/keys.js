// Single keys: whether they are on in this browser, and the one that every page has. "?" opens the page that lists them.

export function keysAreOn() {
  try { return localStorage.getItem("keys") !== "off"; } catch { return true; }
}

// Whether a key is ours to take: no field and no combination claims it.
export function isFree(event) {
  const isTyped = event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");
  return keysAreOn() && !isTyped && !event.ctrlKey && !event.metaKey && !event.altKey;
}

// Let a button switch them off, as somebody must who dictates; `show` learns of it now and after each press.
export function offerSwitch(button, show = () => {}) {
  function tell() {
    button.hidden = false;
    button.textContent = keysAreOn() ? "Switch the keys off" : "Switch the keys on";
    show(keysAreOn());
  }
  button.addEventListener("click", () => {
    localStorage.setItem("keys", keysAreOn() ? "off" : "on");
    tell();
  });
  tell();
}

const help = document.querySelector("[data-keys-help]");
document.addEventListener("keydown", (event) => {
  if (event.key === "?" && isFree(event) && location.pathname !== help.pathname) help.click();
});
const button = document.querySelector("[data-keys-switch]");
if (button) offerSwitch(button);
