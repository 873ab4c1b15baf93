/* What is done to the cells and rows that are selected in the table. Each is one step of the history, but for letters in a row. */
import { cellsOf, one, rectangle, span } from "./bench_ranges.js";
import { filledDown, formatCells, parseCells, pasted } from "./bench_tsv.js";
import { textAt, withMeaning, withRowSplit, withRowsMerged, withStoodBy, withTexts } from "./bench_columns.js";
import { readingOf } from "./bench_marks.js";
import { withRejected } from "./bench_state.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

// As the server takes them (page_faults.py).
const MOST_ROWS = 2000;

export class TableActs {
  /** @param {SkuTable} table */
  constructor(table) {
    this.table = table;
    this.bench = table.bench;
  }

  get keys() {
    return this.bench.meta.keys.map(({ key }) => key);
  }

  /** Rows that are selected and are there.
     @returns {number[]} */
  get rows() {
    const { top, bottom } = rectangle(this.table.range);
    return span(top, bottom).filter((row) => row < this.bench.state.skus.length);
  }

  /** @param {string} act */
  run(act) {
    /** @type {Record<string, () => void>} */
    const acts = { confirm: () => this.confirm(), reading: () => this.takeReading(), split: () => this.split(), merge: () => this.merge(), add: () => this.add(), reject: () => this.reject() };
    acts[act]?.();
  }

  // --- cells ------------------------------------------------------------------------------------

  /** Into the cell in hand; letters in a row are one step, and in the empty row at the end they add a SKU.
     @param {string} text */
  type(text) {
    const { head } = this.table.range;
    const { bench, table } = this;
    if (!table.column) return;
    const label = `${head.row} ${table.column.id}`;
    bench.typing = label;
    bench.at = head.row;
    if (!bench.change(withTexts(bench.state, [[head.row, table.column.id, text]], this.keys), label) && !table.sku) bench.at = -1;
  }

  /** `cells` past the last column, and rows that no page may have, are left out.
     @type {(cells: (Cell & { text: string })[]) => boolean} */
  put(cells) {
    const { bench, table } = this;
    const known = cells.filter(({ row, col }) => row < MOST_ROWS && col < table.columns.length);
    const before = bench.state.skus.length;
    if (!bench.change(withTexts(bench.state, known.map(({ row, col, text }) => [row, table.columns[col].id, text]), this.keys))) return false;
    bench.unsay(known.map(({ row, col }) => [row, table.columns[col].id]));
    const added = bench.state.skus.length - before;
    if (added) toast(say("table.added", { n: added }), "done", bench.acts.undoAction());
    if (known.length < cells.length) toast(say("table.left_out", { n: cells.length - known.length }), "person");
    return true;
  }

  clear() {
    this.put(cellsOf(this.table.range).map((cell) => ({ ...cell, text: "" })));
  }

  fillDown() {
    this.table.commit();
    this.put(filledDown(rectangle(this.table.range), (cell) => this.table.textOf(cell)));
  }

  /** As spreadsheets take it.
     @returns {string} */
  copied() {
    const { top, left, bottom, right } = rectangle(this.table.range);
    return formatCells(span(top, bottom).map((row) => span(left, right).map((col) => this.table.textOf({ row, col }))));
  }

  /** What was pasted is selected then.
     @param {string} text */
  paste(text) {
    const { table } = this;
    const cells = pasted(rectangle(table.range), parseCells(text));
    const { row, col } = cells[0];
    if (!this.put(cells)) return;
    const [last, most] = [Math.max(...cells.map((cell) => cell.row)), Math.max(...cells.map((cell) => cell.col))];
    table.go({ anchor: { row: Math.min(last, table.size.rows - 2), col: Math.min(most, table.columns.length - 1) }, head: { row, col } });
  }

  /** Whatever is in doubt of what is selected stands. Returns whether anything was.
     @returns {boolean} */
  confirm() {
    const { bench, table } = this;
    const open = new Set(bench.left().map(([row, id]) => `${row} ${id}`));
    const doubted = cellsOf(table.range).flatMap(({ row, col }) => {
      const { id, own } = table.columns[col];
      const isAsked = open.has(`${row} ${id}`) || bench.saidOf(row).has(id) || (own && bench.state.skus[row]?.custom.some(({ confirmed }) => !confirmed));
      return isAsked ? [/** @type {const} */ ([row, id])] : [];
    });
    if (!doubted.length || !bench.change(withStoodBy(bench.state, doubted))) return false;
    bench.unsay(doubted);
    return true;
  }

  takeReading() {
    const { bench, table } = this;
    const reading = table.sku && readingOf(table.sku, table.column.id, bench.meta);
    if (reading !== undefined) this.put([{ ...table.range.head, text: reading }]);
  }

  // --- rows and columns -------------------------------------------------------------------------

  add() {
    this.table.go(one(this.table.size.rows - 1, 0));
  }

  split() {
    const { bench, table } = this;
    if (!table.sku || table.sku.rejected || !bench.change(withRowSplit(bench.state, table.range.head.row))) return;
    bench.unsay(null);
    table.go(one(table.range.head.row + 1, table.range.head.col));
  }

  /* The selected rows, or the row in hand and the next, become one. */
  merge() {
    const { bench, table } = this;
    const rows = this.rows.length > 1 ? this.rows : span(table.range.head.row, bench.state.skus.length - 1).filter((row) => !bench.state.skus[row].rejected).slice(0, 2);
    const { state, at, count } = withRowsMerged(bench.state, rows);
    if (!count || table.sku?.rejected) return toast(say("bench.nothing_to_merge"), "person");
    if (!bench.change(state)) return;
    bench.unsay(null);
    table.go(one(at, table.range.head.col));
    toast(say("table.merged", { n: count, into: table.rowName(at) }), "done", bench.acts.undoAction());
  }

  /* Of several rows those that stand yet go; where none does, all are taken back. */
  reject() {
    const { bench } = this;
    const standing = this.rows.filter((row) => !bench.state.skus[row].rejected);
    const rows = standing.length ? standing : this.rows;
    if (!bench.change([...rows].reverse().reduce((state, row) => withRejected(state, row), bench.state))) return;
    bench.unsay(null);
  }

  /** This column is that one: its values go there, and where other SKUs print theirs is looked up.
     @type {(from: Column, to: { id: string, label: string }) => void} */
  mean(from, to) {
    const { bench, table } = this;
    const count = bench.state.skus.filter((sku) => !sku.rejected && textAt(sku, from.id)).length;
    if (!bench.change(withMeaning(bench.state, bench.meta, from.id, to.id))) return;
    bench.unsay(null);
    toast(say("table.moved", { n: count, from: from.label, to: to.label }), "done", bench.acts.undoAction());
    table.focus(to.id);
    const shown = bench.state.skus.findIndex((sku) => !sku.rejected && sku.attributes[to.id]?.box);
    if (shown >= 0) bench.offer.propose(shown, to.id);
  }
}
