/* Hands on the page: boxes are drawn, moved and resized by mouse and keys, words and areas of text are taken into the field. */
import { valueAt, withPrinted } from "./bench_columns.js";
import { between, HANDLES, isLarge, movedBy, resizedBy, union, withSide } from "./bench_geometry.js";
import { middleOf } from "./bench_sight.js";
import * as states from "./bench_state.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

const STEP_PT = { fine: 1, coarse: 10 };
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Boxes {
  /** `panel`: the number inputs of the chosen box.
     @param {Bench} bench
     @param {Print} print
     @param {HTMLElement} panel */
  constructor(bench, print, panel) {
    this.bench = bench;
    this.print = print;
    this.panel = panel;
    this.page = bench.page;
    /** @type {Tool} */
    this.tool = "select";
    /** @type {Chosen | null} */
    this.chosen = null;
    /** @type {Box | null} */
    this.hinted = null; // the word under the hand
    this.page.hands = this;
    panel.addEventListener("change", (event) => this.typed(event.target));
  }

  get isWritable() {
    return this.bench.lock.isMine && !this.bench.busy;
  }

  /** The box of what is chosen, as it stands; null where nothing is, or where it has none by now.
     @returns {Box | null} */
  get box() {
    const { chosen } = this;
    if (!chosen) return null;
    if (chosen.kind === "picture") return this.bench.pictures.find((one) => one.image_id === chosen.id)?.box ?? null;
    if (chosen.kind === "block") return this.print.blocks.find((one) => one.id === chosen.id)?.box ?? null;
    return this.bench.sku?.rejected ? null : (this.bench.sku?.box ?? null);
  }

  /** The same, where a hand may change it: not what is printed, and not while the task is not ours.
     @returns {Box | null} */
  get changeable() {
    return this.isWritable && this.chosen?.kind !== "block" ? this.box : null;
  }

  /** @type {(chosen: Chosen | null) => void} */
  choose(chosen) {
    this.chosen = chosen;
    this.bench.render();
  }

  leave() {
    const had = this.tool !== "select" || this.chosen !== null;
    this.take("select");
    this.choose(null);
    return had;
  }

  /** The same tool again puts it down.
     @type {(tool: Tool) => void} */
  take(tool) {
    this.tool = tool === this.tool || !this.isWritable ? "select" : tool;
    this.page.root.dataset.tool = this.tool;
    for (const button of this.bench.root.querySelectorAll("[data-tool-of]")) button.setAttribute("aria-pressed", String(button.dataset.toolOf === this.tool));
    if (this.tool !== "select") this.page.root.focus({ preventScroll: true });
  }

  show() {
    const box = this.box;
    if (!box) this.chosen = null;
    this.page.choose(box, { handles: this.canChange });
    this.panel.hidden = !box || this.chosen?.kind === "block";
    if (!box || this.panel.hidden) return;
    /** @type {Record<string, number>} */
    const sides = { x: box[0], y: box[1], width: box[2] - box[0], height: box[3] - box[1] };
    for (const input of this.panel.querySelectorAll("input")) {
      if (input !== document.activeElement) input.value = String(Math.round(sides[input.name] * 10) / 10);
      input.disabled = !this.canChange;
    }
  }

  get canChange() {
    return this.changeable !== null;
  }

  /** What is chosen has this box from now on. While a hand dragged it, it may have gone: then there is nothing to put.
     @type {(box: Box, label?: string) => void} */
  put(box, label = "") {
    const { chosen } = this;
    const { state, at } = this.bench;
    if (!chosen || !this.changeable) return;
    if (chosen.kind === "sku") return void this.bench.change(states.withBox(state, at, box), label);
    const known = new Set(state.drawn.map((one) => one.id));
    const next = states.withPictureBox(state, chosen.id, box);
    const added = next.drawn.find((one) => !known.has(one.id));
    if (added) this.chosen = { kind: "picture", id: added.id };
    this.bench.change(next, label);
  }

  // --- by mouse -------------------------------------------------------------------------------

  /** A drag of what is under the hand; null where it moves the page.
     @type {(press: Press, from: Point) => Drag | null} */
  begin({ target, shiftKey }, from) {
    if (!this.isWritable) return null;
    if (this.tool !== "select") return this.band(from, (box) => this.create(box));
    if (shiftKey && this.isFilling()) return this.band(from, (box) => this.fillFrom(this.print.textIn(box)));
    const begun = this.changeable;
    if (!begun) return null;
    const named = target.closest?.("[data-handle]")?.dataset.handle;
    const handle = HANDLES.find((one) => one === named);
    if (handle) return this.drag(begun, from, (box, dx, dy) => resizedBy(box, handle, dx, dy, this.page.page));
    if (target.closest?.("[data-tools]")) return this.drag(begun, from, (box, dx, dy) => movedBy(box, dx, dy, this.page.page));
    return null;
  }

  /** @type {(begun: Box, from: Point, change: (box: Box, dx: number, dy: number) => Box) => Drag} */
  drag(begun, [x, y], change) {
    let now = begun;
    /** @type {(to: Point) => void} */
    const move = ([to_x, to_y]) => {
      now = change(begun, to_x - x, to_y - y);
      this.page.choose(now, { handles: true });
    };
    return { move, end: () => this.put(now) };
  }

  /** A new box from corner to corner.
     @type {(from: Point, done: (box: Box) => void) => Drag} */
  band(from, done) {
    /** @type {Box | null} */
    let box = null;
    /** @type {(to: Point) => void} */
    const move = (to) => {
      box = between(from, to, this.page.page);
      this.page.choose(box, { dashed: true });
    };
    const end = () => {
      this.show();
      if (box && isLarge(box)) done(box);
    };
    return { move, end };
  }

  /** @type {(press: Press, point: Point) => void} */
  click({ target, shiftKey }, point) {
    if (this.isFilling() && this.fillFrom(this.print.wordAt(point), shiftKey)) return;
    const box = target.closest?.("[data-sku], [data-picture]");
    const block = box || !this.page.svg.classList.contains("with-blocks") ? null : this.print.blockAt(point);
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    this.page.root.focus({ preventScroll: true });
    if (box?.dataset.key) this.bench.picked(Number(box.dataset.sku), box.dataset.key);
    else if (box?.dataset.picture) this.choose({ kind: "picture", id: box.dataset.picture });
    else if (box) this.chooseSku(Number(box.dataset.sku));
    else if (!target.closest?.("[data-tools]")) this.choose(block ? { kind: "block", id: block.id } : null);
  }

  /** @type {(at: number) => void} */
  chooseSku(at) {
    if (at !== this.bench.at) this.bench.open(at);
    this.choose({ kind: "sku" });
  }

  /** As drawn: the box of the open SKU that has none, a new SKU, or a picture of the open SKU.
     @type {(box: Box) => void} */
  create(box) {
    const { bench, tool } = this;
    this.take("select");
    if (tool === "picture") {
      bench.change(states.withDrawn(bench.state, bench.sku && !bench.sku.rejected ? bench.at : -1, box));
      return this.choose({ kind: "picture", id: bench.state.drawn.at(-1)?.id ?? "" });
    }
    const bare = bench.sku && !bench.sku.box && !bench.sku.rejected;
    if (bare) bench.change(states.withBox(bench.state, bench.at, box));
    else bench.acts.add(box);
    this.choose({ kind: "sku" });
  }

  // --- text from the print --------------------------------------------------------------------

  isFilling() {
    return this.isWritable && Boolean(this.bench.key && this.bench.sku) && this.print.words.length > 0 && Boolean(document.activeElement?.closest("[data-field]"));
  }

  /** @type {(point: Point) => void} */
  hover(point) {
    const box = this.isFilling() ? (this.print.wordAt(point)?.box ?? null) : null;
    if (box !== this.hinted) this.page.hint(box);
    this.hinted = box;
  }

  /** `found` goes into the field, or after what was taken into it before; the same place is offered to the other SKUs. Returns whether there was anything, and a field for it:
     while a band is drawn around words, the field may be left.
     @type {(found: Word | null | undefined, more?: boolean) => boolean} */
  fillFrom(found, more = false) {
    const { bench } = this;
    const { sku, key } = bench;
    if (!found || !sku || key === null) return false;
    const before = more && valueAt(sku, key);
    const taken = before ? { text: `${before.text} ${found.text}`, box: before.box ? union([before.box, found.box]) : found.box } : found;
    bench.change(withPrinted(bench.state, bench.base, bench.meta, bench.at, key, taken));
    bench.light(key);
    bench.offer.propose(bench.at, key);
    return true;
  }

  // --- by keys --------------------------------------------------------------------------------

  /** Arrows move the chosen box by a point, with Shift by ten, and move the page where none is chosen.
     @type {(event: KeyboardEvent) => void} */
  arrow(event) {
    const box = this.changeable;
    if (!box) return this.page.key(event.key);
    const [dx, dy] = stepOf(event.key, event.shiftKey);
    this.put(movedBy(box, dx, dy, this.page.page), `${this.bench.at} box moved`);
  }

  /** @type {(event: KeyboardEvent) => void} */
  resize(event) {
    const box = this.changeable;
    if (!box) return;
    const [dx, dy] = stepOf(event.key, false);
    this.put(resizedBy(box, "se", dx, dy, this.page.page), `${this.bench.at} box resized`);
  }

  /** @type {(input: HTMLInputElement) => void} */
  typed(input) {
    const box = this.changeable;
    if (box && input.value !== "") this.put(withSide(box, input.name, Number(input.value), this.page.page));
    this.show();
  }

  /* Without a hand on the mouse: a box in the middle of what is seen. */
  createInTheMiddle() {
    this.create(between(...middleOf(this.page.sight), this.page.page));
    toast(say("bench.box_made"), "acc");
  }

  /* Whatever is chosen goes: a picture that was drawn, or the open SKU. */
  remove() {
    const { chosen } = this;
    if (!chosen || chosen.kind === "sku") this.bench.acts.reject();
    else if (chosen.kind === "picture" && chosen.id.startsWith("new-")) this.bench.change(states.withoutDrawn(this.bench.state, chosen.id));
  }
}

/** @type {(key: string, coarse: boolean) => Point} */
function stepOf(key, coarse) {
  const step = coarse ? STEP_PT.coarse : STEP_PT.fine;
  const [x, y] = ARROWS[key];
  return [x * step, y * step];
}
