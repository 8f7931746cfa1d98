// Moves the steps of an order without loading the page anew: by the same buttons, and by dragging.
// The order is the one of the hidden fields. Whoever listens to the form's "change" saves it.

const list = document.querySelector(".order");
const own = document.querySelector(".own input");
const said = document.querySelector("[data-moved]");
const place = (item) => [...list.children].indexOf(item);

// The neighbour goes past the step and never the step itself, which would lose the focus and the pointer.
function move(item, direction) {
  const neighbour = direction === "up" ? item.previousElementSibling : item.nextElementSibling;
  if (!neighbour) return false;
  if (direction === "up") item.after(neighbour);
  else item.before(neighbour);
  return true;
}

function tell(item) {
  said.textContent = `Step now ${place(item) + 1} of ${list.children.length}`;
}

function showEnds() {
  for (const button of list.querySelectorAll("button")) {
    const item = button.closest("li");
    const end = button.value.startsWith("up-") ? list.firstElementChild : list.lastElementChild;
    if (item === end) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
}

function settle() {
  showEnds();
  own.checked = true;
  own.dispatchEvent(new Event("change", { bubbles: true }));
}

for (const button of list.querySelectorAll("button")) {
  button.type = "button"; // Enter in the form now saves; it would press the first button that submits
  button.addEventListener("click", () => {
    const item = button.closest("li");
    if (move(item, button.value.split("-")[0])) settle();
    tell(item);
  });
}

const middle = (item) => { const box = item.getBoundingClientRect(); return box.top + box.height / 2; };

for (const grip of list.querySelectorAll(".grip")) {
  const item = grip.closest("li");
  let from = -1;
  grip.hidden = false;
  grip.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // no text is to be marked meanwhile
    grip.setPointerCapture(event.pointerId);
    item.classList.add("held");
    from = place(item);
  });
  grip.addEventListener("pointermove", (event) => {
    if (from < 0) return;
    while (item.previousElementSibling && event.clientY < middle(item.previousElementSibling)) move(item, "up");
    while (item.nextElementSibling && event.clientY > middle(item.nextElementSibling)) move(item, "down");
  });
  grip.addEventListener("lostpointercapture", () => {
    item.classList.remove("held");
    if (from !== place(item)) {
      settle();
      tell(item);
    }
    from = -1;
  });
}

// What a browser kept while it was offline: the steps again in that order.
list.closest("form").addEventListener("restore", (event) => {
  for (const [name, value] of event.detail) {
    if (name === "step") list.append(list.querySelector(`input[value="${CSS.escape(value)}"]`).closest("li"));
  }
  showEnds();
});
