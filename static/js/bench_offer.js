/* One correction teaches the page: what a person took from its place on the page is offered, from the same place, to the SKUs beside
   it. Ghosts in the table and on the page until one key takes them or Escape refuses them. */
import { isPersons, textAt, valueAt, withPrinted } from "./bench_columns.js";
import { piecesOf, siblingsOf } from "./bench_siblings.js";
import { add, rect } from "./bench_shapes.js";
import { the } from "./the.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

const EXAMPLES = 3;

export class Offer {
  /** `sheet`: where ghosts are drawn; `print`: what they are taken from.
     @param {HTMLElement} bar
     @param {Bench} bench
     @param {SVGElement} sheet
     @param {Print} print */
  constructor(bar, bench, sheet, print) {
    this.bar = bar;
    this.bench = bench;
    this.print = print;
    /** @type {{ lines: Line[], pieces: Piece[] }} */
    this.read = { lines: [], pieces: [] };
    /** @type {{ row: number, id: string, value: Value | null } | null} */
    this.source = null;
    /** @type {Ghost[]} */
    this.ghosts = [];
    this.drawn = "";
    this.layer = add(sheet, "g", { class: "bench-offers" });
    bar.addEventListener("click", (event) => {
      if (event.target.closest("[data-take-offer]")) this.take();
      else if (event.target.closest("[data-refuse-offer]")) this.refuse();
    });
  }

  /** Of what the SKU in that row says by now. What a person has said of another SKU is not touched.
     @type {(row: number, id: string) => void} */
  propose(row, id) {
    const { state, base } = this.bench;
    const value = valueAt(state.skus[row], id);
    this.source = { row, id, value };
    const open = new Set(this.bench.left().flatMap(([at, key]) => (key === id ? [at] : [])));
    const found = value?.box ? siblingsOf(this.pieces(), state.skus, row, value.box) : new Map();
    this.ghosts = [...found].flatMap(([at, { text, box }]) => {
      const sku = state.skus[at];
      const isSaid = isPersons(sku, base, id) || (textAt(sku, id) === text && !open.has(at));
      return isSaid ? [] : [{ row: at, sku_id: sku.sku_id, id, text, box, before: valueAt(sku, id) }];
    });
    this.bench.render();
  }

  pieces() {
    if (this.read.lines !== this.print.lines) this.read = { lines: this.print.lines, pieces: piecesOf(this.print) };
    return this.read.pieces;
  }

  /** @type {(row: number, id: string) => Ghost | undefined} */
  at(row, id) {
    return this.ghosts.find((ghost) => ghost.row === row && ghost.id === id);
  }

  take() {
    const { state, base, meta } = this.bench;
    const taken = this.ghosts;
    if (!this.bench.change(taken.reduce((now, { row, id, text, box }) => withPrinted(now, base, meta, row, id, { text, box }), state))) return;
    this.bench.unsay(taken.map(({ row, id }) => [row, id]));
    toast(say("offer.taken", { n: taken.length }), "done", this.bench.acts.undoAction());
    this.leave();
  }

  refuse() {
    this.source = null;
    this.ghosts = [];
    this.bench.render();
    this.leave();
  }

  /* Whoever pressed a button of the bar, which goes away, is back where they were. */
  leave() {
    if (this.bench.key && (document.activeElement === document.body || this.bar.contains(document.activeElement))) this.bench.view.focus(this.bench.key);
  }

  /* Only while the correction stands, and the others say what they said then. */
  show() {
    const { state, isWritable } = this.bench;
    const { source } = this;
    const stands = source && isWritable && state.skus[source.row] && valueAt(state.skus[source.row], source.id) === source.value;
    this.ghosts = stands ? this.ghosts.filter(({ row, sku_id: sku, id, before }) => state.skus[row]?.sku_id === sku && valueAt(state.skus[row], id) === before && !state.skus[row].rejected) : [];
    const shown = JSON.stringify(this.ghosts);
    if (shown === this.drawn) return;
    this.drawn = shown;
    this.layer.replaceChildren();
    for (const { box } of this.ghosts) rect(this.layer, "line", box, 1);
    const texts = [...new Set(this.ghosts.map(({ text }) => text))];
    const examples = texts.slice(0, EXAMPLES).join(say("bench.comma")) + (texts.length > EXAMPLES ? " …" : "");
    if (this.ghosts.length) the(this.bar, "[data-words]").textContent = say("offer.words", { n: this.ghosts.length, texts: examples });
    this.bar.hidden = !this.ghosts.length;
  }
}
