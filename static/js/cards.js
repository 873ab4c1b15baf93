/* On a phone a list is cards (css/phone.css): each cell is marked with the words of its column, also of rows that come later. */

const PHONE = matchMedia("(width <= 640px)");

/** @type {(main: HTMLElement) => void} */
export function start(main) {
  const mark = () => PHONE.matches && main.querySelectorAll("table.table").forEach(markTable);
  mark();
  PHONE.addEventListener("change", mark);
  new MutationObserver(mark).observe(main, { subtree: true, childList: true });
}

/** @type {(table: HTMLTableElement | HTMLElement) => void} */
function markTable(table) {
  if (!(table instanceof HTMLTableElement)) return;
  const labels = labelsOf(table);
  for (const row of [...table.tBodies].flatMap((body) => [...body.rows])) {
    for (const cell of row.cells) {
      const label = cell.colSpan > 1 || cell.tagName === "TH" ? "" : (labels[cell.cellIndex] ?? "");
      if ((cell.dataset.label ?? "") !== label) cell.dataset.label = label;
    }
  }
}

/** By column, the words of the lowest head above it: groups of columns have heads of their own.
   @type {(table: HTMLTableElement) => string[]} */
function labelsOf(table) {
  /** @type {string[]} */
  const labels = [];
  /** @type {number[]} */
  const until = []; // by column, the row from which on it is free
  for (const [n, row] of [...(table.tHead?.rows ?? [])].entries()) {
    let column = 0;
    for (const cell of row.cells) {
      while ((until[column] ?? 0) > n) column += 1;
      const words = wordsOf(cell);
      for (const end = column + cell.colSpan; column < end; column += 1) [labels[column], until[column]] = [words, n + cell.rowSpan];
    }
  }
  return labels;
}

/** What of the head is seen: words for screen readers alone, and what is pressed there, are no label.
   @type {(head: HTMLTableCellElement) => string} */
function wordsOf(head) {
  const copy = /** @type {HTMLElement} */ (head.cloneNode(true));
  for (const dot of copy.querySelectorAll(".sep")) dot.replaceWith(", ");
  for (const unseen of copy.querySelectorAll(".sr, input, button")) unseen.remove();
  return copy.textContent.trim();
}
