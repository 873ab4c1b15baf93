/* What hands and the clipboard do in the table: cells and whole rows or columns are selected, a press twice opens a cell. */
import { one, wholeColumns, wholeRows } from "./bench_ranges.js";

/** @param {SkuTable} table */
export function bindHands(table) {
  /** @type {HTMLElement} */
  const grid = table.sheet.table;
  let drags = false;
  grid.addEventListener("mousedown", (event) => {
    const place = table.sheet.placeOf(event.target);
    if (event.button || !place || event.target.closest("button") || (event.target === table.pen && table.mode !== "at")) return;
    event.preventDefault(); // the field has the focus, and all of it is selected
    drags = place.row >= 0 && place.col >= 0;
    take(table, place, event.shiftKey);
  });
  grid.addEventListener("mouseover", (event) => {
    const place = drags && event.buttons === 1 && event.target instanceof HTMLElement ? table.sheet.placeOf(event.target) : null;
    if (place && place.row >= 0 && place.col >= 0) table.go({ anchor: table.range.anchor, head: place });
  });
  document.addEventListener("mouseup", () => (drags = false));
  grid.addEventListener("dblclick", (event) => event.target === table.pen && table.mode !== "editing" && table.enter("editing"));

  grid.addEventListener("copy", (event) => copy(table, event));
  grid.addEventListener("cut", (event) => copy(table, event) && table.acts.clear());
  grid.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain");
    if (table.mode !== "at" || !text || table.pen.readOnly) return;
    event.preventDefault();
    table.acts.paste(text);
  });
}

/** @type {(table: SkuTable, place: Cell, extends_: boolean) => void} */
function take(table, { row, col }, extends_) {
  const { range, size } = table;
  if (row < 0 && col < 0) return;
  if (row < 0) return table.go(wholeColumns(extends_ ? range.anchor.col : col, col, size));
  if (col < 0) return table.go(wholeRows(extends_ ? range.anchor.row : row, row, size));
  table.go(extends_ ? { anchor: range.anchor, head: { row, col } } : one(row, col));
}

/** While a cell is edited, the clipboard is of its letters.
   @type {(table: SkuTable, event: ClipboardEvent) => boolean} */
function copy(table, event) {
  if (table.mode !== "at") return false;
  event.preventDefault();
  event.clipboardData?.setData("text/plain", table.acts.copied());
  return true;
}
