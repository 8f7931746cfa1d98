// Before handing in: names the questions of which this browser keeps an answer that the server does not hold.
// After it: forgets them, since they can no longer be sent.

import { forget, positions } from "./kept.js";

const note = document.querySelector("[data-unsaved]");
const { sitting, closed } = document.querySelector("[data-sitting]").dataset;

for (const position of positions(sitting)) {
  if (closed) {
    forget(sitting, position);
    continue;
  }
  const link = document.createElement("a");
  link.href = note.dataset.unsaved.replace("/0/", `/${position}/`);
  link.textContent = `question ${position}`;
  note.querySelector("[data-questions]").append(note.hidden ? "" : ", ", link);
  note.hidden = false;
}
