/* What is selected in a table of rows and columns, and where keys take it. Pure; touches no page. */
import { clamp } from "./bench_geometry.js";

/** @type {(row: number, col: number) => CellRange} */
export const one = (row, col) => ({ anchor: { row, col }, head: { row, col } });

/** @type {(range: CellRange) => Rectangle} */
export function rectangle({ anchor, head }) {
  const [top, bottom] = [Math.min(anchor.row, head.row), Math.max(anchor.row, head.row)];
  const [left, right] = [Math.min(anchor.col, head.col), Math.max(anchor.col, head.col)];
  return { top, left, bottom, right };
}

/** @type {(range: CellRange) => boolean} */
export const isSingle = ({ anchor, head }) => anchor.row === head.row && anchor.col === head.col;

/** @type {(range: CellRange) => Cell[]} */
export function cellsOf(range) {
  const { top, left, bottom, right } = rectangle(range);
  return span(top, bottom).flatMap((row) => span(left, right).map((col) => ({ row, col })));
}

/** @type {(from: number, to: number) => number[]} */
export const span = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** Within the table, which may have fewer rows or columns by now.
   @type {(range: CellRange, size: TableSize) => CellRange} */
export function within({ anchor, head }, { rows, cols }) {
  /** @type {(cell: Cell) => Cell} */
  const inside = ({ row, col }) => ({ row: clamp(row, 0, Math.max(0, rows - 1)), col: clamp(col, 0, Math.max(0, cols - 1)) });
  return { anchor: inside(anchor), head: inside(head) };
}

/** `extends_`: the anchor stays, as with Shift.
   @type {(range: CellRange, to: Cell, size: TableSize, extends_?: boolean) => CellRange} */
export function movedTo(range, to, size, extends_ = false) {
  return within({ anchor: extends_ ? range.anchor : to, head: to }, size);
}

/** @type {(range: CellRange, way: Way, size: TableSize, extends_?: boolean) => CellRange} */
export function movedBy(range, [down, right], size, extends_ = false) {
  return movedTo(range, { row: range.head.row + down, col: range.head.col + right }, size, extends_);
}

/** As far as cells are filled, or over empty ones to the next that is; as Ctrl with an arrow does in a spreadsheet.
   @type {(range: CellRange, way: Way, size: TableSize, isFilled: (cell: Cell) => boolean, extends_?: boolean) => CellRange} */
export function jumped(range, [down, right], size, isFilled, extends_ = false) {
  /** @type {(cell: Cell) => Cell} */
  const after = ({ row, col }) => ({ row: row + down, col: col + right });
  /** @type {(cell: Cell) => boolean} */
  const isThere = ({ row, col }) => row >= 0 && col >= 0 && row < size.rows && col < size.cols;
  const ahead = [];
  for (let at = after(range.head); isThere(at); at = after(at)) ahead.push(at);
  const empty = ahead.findIndex((cell) => !isFilled(cell));
  const filled = ahead.slice(0, empty < 0 ? ahead.length : empty);
  const runs = isFilled(range.head) && filled.length > 0;
  const to = runs ? filled.at(-1) : (ahead.find(isFilled) ?? ahead.at(-1));
  return movedTo(range, to ?? range.head, size, extends_);
}

/** The next cell in reading order, or the one before; null past the table's end.
   @type {(range: CellRange, by: 1 | -1, size: TableSize) => CellRange | null} */
export function stepped({ head }, by, { rows, cols }) {
  const place = head.row * cols + head.col + by;
  return place < 0 || place >= rows * cols ? null : one(Math.floor(place / cols), place % cols);
}

/** @type {(size: TableSize) => CellRange} */
export const everything = ({ rows, cols }) => ({ anchor: { row: 0, col: 0 }, head: { row: rows - 1, col: cols - 1 } });

/** Whole rows, the first cell of them in hand.
   @type {(from: number, to: number, size: TableSize) => CellRange} */
export const wholeRows = (from, to, { cols }) => ({ anchor: { row: from, col: cols - 1 }, head: { row: to, col: 0 } });

/** @type {(from: number, to: number, size: TableSize) => CellRange} */
export const wholeColumns = (from, to, { rows }) => ({ anchor: { row: rows - 1, col: from }, head: { row: 0, col: to } });
