/* The table as it is drawn: a row a SKU and one to add the next, a column an attribute. Only what has changed is drawn anew. */
import { setIcon } from "./icons.js";
import { the } from "./the.js";
import { say } from "./words.js";

const MARKS = { open: "bench.not_printed", fault: "bench.to_check", conflict: "bench.conflict", edited: "bench.edited", confirmed: "bench.confirmed" };

export class Sheet {
  /** @param {HTMLTableElement} table */
  constructor(table) {
    this.table = table;
    this.body = the(table, "tbody");
    /** @type {Column[]} */
    this.columns = [];
    this.heads = "";
    /** @type {(TableLine | undefined)[]} */
    this.shown = [];
    /** @type {Element[]} */
    this.selected = [];
  }

  /** @type {(cell: Cell) => HTMLTableCellElement | undefined} */
  cell({ row, col }) {
    return this.body.rows[row]?.cells[col + 1];
  }

  /** The cell that was pressed; `col` -1: the head of its row, `row` -1: of its column.
     @type {(target: HTMLElement) => Cell | null} */
  placeOf(target) {
    const cell = target.closest("td, th");
    if (!(cell instanceof HTMLTableCellElement) || !(cell.parentElement instanceof HTMLTableRowElement)) return null;
    return { row: cell.closest("thead") ? -1 : cell.parentElement.sectionRowIndex, col: cell.cellIndex - 1 };
  }

  /** @type {(columns: Column[], lines: TableLine[]) => void} */
  show(columns, lines) {
    const heads = JSON.stringify(columns.map(({ id, label }) => [id, label]));
    if (heads !== this.heads) this.build(columns);
    this.heads = heads;
    while (this.body.rows.length > lines.length) this.body.deleteRow(-1);
    while (this.body.rows.length < lines.length) this.addRow();
    this.shown.length = Math.min(this.shown.length, lines.length);
    this.table.setAttribute("aria-rowcount", String(lines.length + 1));
    lines.forEach((line, n) => {
      if (line === this.shown[n] || JSON.stringify(line) === JSON.stringify(this.shown[n])) return;
      this.shown[n] = line;
      this.drawRow(this.body.rows[n], line);
    });
  }

  /** @param {Column[]} columns */
  build(columns) {
    this.columns = columns;
    this.shown = [];
    this.body.replaceChildren();
    this.table.setAttribute("aria-colcount", String(columns.length + 1));
    const row = the(this.table, "thead tr");
    row.replaceChildren(the(row, "th"), ...columns.map((column, n) => head(column, n)));
  }

  addRow() {
    const row = this.body.insertRow();
    row.setAttribute("aria-rowindex", String(row.sectionRowIndex + 2));
    const name = copy("bench-row-head");
    name.id = `table-row-${row.sectionRowIndex}`;
    row.append(name);
    this.columns.forEach((_, n) => {
      const cell = row.insertCell();
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("aria-colindex", String(n + 2));
      const words = document.createElement("span");
      words.lang = "und"; // as printed
      cell.append(words);
    });
  }

  /** @type {(row: HTMLTableRowElement, line: TableLine) => void} */
  drawRow(row, { tag, name, mark, rejected, cells }) {
    row.classList.toggle("rejected", rejected);
    the(row, "[data-tag]").textContent = tag;
    the(row, "[data-name]").textContent = name;
    const shown = the(row, "[data-mark]");
    shown.hidden = !mark;
    shown.title = mark?.word ?? "";
    shown.setAttribute("class", `mark mark-tone-${mark?.tone ?? "ink3"}`);
    setIcon(the(shown, "svg"), mark?.icon ?? "dot");
    the(shown, "span").textContent = mark?.word ?? "";
    cells.forEach((look, n) => drawCell(row.cells[n + 1], look));
  }

  /** @param {Cell[]} cells */
  select(cells) {
    for (const cell of this.selected) cell.removeAttribute("aria-selected");
    this.selected = cells.flatMap((cell) => this.cell(cell) ?? []);
    for (const cell of this.selected) cell.setAttribute("aria-selected", "true");
  }
}

/** Beside the words what is to be said of them, and what is offered instead.
   @type {(cell: HTMLTableCellElement, look: Look) => void} */
function drawCell(cell, { text, state, fault, ghost }) {
  the(cell, "span").textContent = text;
  cell.className = ["", ...(fault ? ["fault"] : []), state && `is-${state}`, ghost === undefined ? "" : "with-ghost"].filter(Boolean).join(" ");
  if (fault) cell.setAttribute("aria-invalid", "true");
  else cell.removeAttribute("aria-invalid");
  cell.title = state ? say(MARKS[state]) : "";
  showLine(cell, "ghost", ghost);
  showLine(cell, "error", fault || undefined);
}

/** @type {(cell: Element, name: string, words: string | undefined) => void} */
function showLine(cell, name, words) {
  const before = cell.querySelector(`[data-cell-${name}]`);
  if (words === undefined) return before?.remove();
  const line = before ?? document.createElement("span");
  line.setAttribute(`data-cell-${name}`, "");
  if (name === "ghost") line.setAttribute("lang", "und");
  line.textContent = words;
  if (!before) the(cell, "span").after(line);
}

/** @type {(column: Column, n: number) => HTMLElement} */
function head({ label, required, own }, n) {
  const cell = copy("bench-column-head");
  cell.setAttribute("aria-colindex", String(n + 2));
  the(cell, "[data-label]").id = `table-column-${n}`;
  cell.classList.toggle("own", own);
  the(cell, "[data-label]").textContent = label;
  the(cell, "[data-required]").hidden = !required;
  return cell;
}

/** @type {(id: string) => HTMLElement} */
const copy = (id) => /** @type {HTMLElement} */ (the(the(document, `#${id}`, HTMLTemplateElement).content, "th").cloneNode(true));
