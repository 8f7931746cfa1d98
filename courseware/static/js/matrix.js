// Arrow keys go from cell to cell of a matrix; sideways only from the end of what is typed, where they have no other use.

const table = document.querySelector("[data-cells]");
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function isBusy(field, key) {
  if (field.selectionStart === 0 && field.selectionEnd === field.value.length) return false; // as after a step
  if (key === "ArrowLeft") return field.selectionEnd > 0;
  if (key === "ArrowRight") return field.selectionStart < field.value.length;
  return false;
}

document.querySelector("[data-arrows]").hidden = false;
table.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isBusy(event.target, event.key)) return;
  event.preventDefault();
  const cell = event.target.closest("td");
  let row = cell.parentElement.rowIndex, column = cell.cellIndex;
  let next;
  do { // over cells that are given
    row += step[0];
    column += step[1];
    next = table.rows[row]?.cells[column];
  } while (next && next.tagName === "TD" && !next.firstElementChild?.matches("input"));
  const field = next?.querySelector("input");
  field?.focus();
  field?.select();
});
