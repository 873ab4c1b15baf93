/* Hands on the page: boxes are drawn, moved and resized by mouse and keys, words and areas of text are taken into the field. */
import { between, isLarge, movedBy, resizedBy, union, withSide } from "./bench_geometry.js";
import * as states from "./bench_state.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

const STEP_PT = { fine: 1, coarse: 10 };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Boxes {
  /* `panel`: the number inputs of the chosen box. */
  constructor(bench, print, panel) {
    Object.assign(this, { bench, print, panel, page: bench.page, tool: "select", chosen: null, filled: null });
    this.page.hands = this;
    panel.addEventListener("change", (event) => this.typed(event.target));
  }

  get isWritable() {
    return this.bench.lock.isMine && !this.bench.busy;
  }

  /* The chosen thing's box as it stands, or null: {kind: "sku"}, the open one, {kind: "picture", id} or {kind: "block", id}. */
  get box() {
    const { kind, id } = this.chosen ?? {};
    if (kind === "sku") return this.bench.sku?.rejected ? null : (this.bench.sku?.box ?? null);
    if (kind === "picture") return this.bench.pictures.find((one) => one.image_id === id)?.box ?? null;
    if (kind === "block") return this.print.blocks.find((one) => one.id === id)?.box ?? null;
    return null;
  }

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

  /* `tool`: select, sku or picture; the same again puts it down. */
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
    this.panel.hidden = !box || this.chosen.kind === "block";
    if (this.panel.hidden) return;
    const sides = { x: box[0], y: box[1], width: box[2] - box[0], height: box[3] - box[1] };
    for (const input of this.panel.querySelectorAll("input")) {
      if (input !== document.activeElement) input.value = Math.round(sides[input.name] * 10) / 10;
      input.disabled = !this.canChange;
    }
  }

  get canChange() {
    return this.isWritable && ["sku", "picture"].includes(this.chosen?.kind) && this.box !== null;
  }

  put(box, label = "") {
    const { kind, id } = this.chosen;
    const { state, at } = this.bench;
    const known = new Set(state.drawn.map((one) => one.id));
    const next = kind === "sku" ? states.withBox(state, at, box) : states.withPictureBox(state, id, box);
    const added = kind === "picture" && next.drawn.find((one) => !known.has(one.id));
    if (added) this.chosen = { kind, id: added.id };
    this.bench.change(next, label);
  }

  // --- by mouse -------------------------------------------------------------------------------

  begin({ target, shiftKey }, from) {
    if (!this.isWritable) return null;
    if (this.tool !== "select") return this.band(from, (box) => this.create(box));
    if (shiftKey && this.isFilling()) return this.band(from, (box) => this.fillFrom(this.print.textIn(box)));
    const handle = target.closest?.("[data-handle]")?.dataset.handle;
    if (handle) return this.drag(from, (box, dx, dy) => resizedBy(box, handle, dx, dy, this.page.page));
    if (this.canChange && target.closest?.("[data-tools]")) return this.drag(from, (box, dx, dy) => movedBy(box, dx, dy, this.page.page));
    return null;
  }

  drag([x, y], change) {
    const begun = this.box;
    let now = begun;
    const move = ([to_x, to_y]) => {
      now = change(begun, to_x - x, to_y - y);
      this.page.choose(now, { handles: true });
    };
    return { move, end: () => this.put(now) };
  }

  band(from, done) {
    let box = null;
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

  click({ target, shiftKey }, point) {
    if (this.isFilling() && this.fillFrom(this.print.wordAt(point), shiftKey)) return;
    const box = target.closest?.("[data-sku], [data-picture]");
    const block = box || !this.page.svg.classList.contains("with-blocks") ? null : this.print.blockAt(point);
    if (document.activeElement?.matches("input")) document.activeElement.blur();
    this.page.root.focus({ preventScroll: true });
    if (box?.dataset.key) this.bench.picked(box.dataset);
    else if (box?.dataset.picture) this.choose({ kind: "picture", id: box.dataset.picture });
    else if (box) this.chooseSku(Number(box.dataset.sku));
    else if (!target.closest?.("[data-tools]")) this.choose(block ? { kind: "block", id: block.id } : null);
  }

  chooseSku(at) {
    if (at !== this.bench.at) this.bench.open(at);
    this.choose({ kind: "sku" });
  }

  /* As drawn: the box of the open SKU that has none, a new SKU, or a picture of the open SKU. */
  create(box) {
    const { bench, tool } = this;
    this.take("select");
    if (tool === "picture") {
      bench.change(states.withDrawn(bench.state, bench.sku && !bench.sku.rejected ? bench.at : -1, box));
      return this.choose({ kind: "picture", id: bench.state.drawn.at(-1)?.id });
    }
    const bare = bench.sku && !bench.sku.box && !bench.sku.rejected;
    if (bare) bench.change(states.withBox(bench.state, bench.at, box));
    else bench.acts.add(box);
    this.choose({ kind: "sku" });
  }

  // --- text from the print --------------------------------------------------------------------

  isFilling() {
    return this.isWritable && Boolean(this.bench.key) && this.print.words.length > 0 && document.activeElement?.closest("[data-field]") !== null;
  }

  hover(point) {
    const box = this.isFilling() ? (this.print.wordAt(point)?.box ?? null) : null;
    if (box !== this.hinted) this.page.hint(box);
    this.hinted = box;
  }

  /* `found` goes into the field, or after what was taken into it before. Returns whether there was anything. */
  fillFrom(found, more = false) {
    if (!found) return false;
    const { bench } = this;
    const before = more && bench.sku.attributes[bench.key];
    const taken = before ? { text: `${before.text} ${found.text}`, box: before.box ? union([before.box, found.box]) : found.box } : found;
    bench.change(states.withFilled(bench.state, bench.base, bench.meta, bench.at, bench.key, { text: taken.text, box: taken.box }));
    bench.light(bench.key);
    return true;
  }

  // --- by keys --------------------------------------------------------------------------------

  /* Arrows move the chosen box by a point, with Shift by ten, and move the page where none is chosen. */
  arrow(event) {
    if (!this.canChange) return this.page.key(event.key);
    const [dx, dy] = this.stepOf(event.key, event.shiftKey);
    this.put(movedBy(this.box, dx, dy, this.page.page), `${this.bench.at} box moved`);
  }

  resize(event) {
    if (!this.canChange) return;
    const [dx, dy] = this.stepOf(event.key, false);
    this.put(resizedBy(this.box, "se", dx, dy, this.page.page), `${this.bench.at} box resized`);
  }

  stepOf(key, coarse) {
    const step = coarse ? STEP_PT.coarse : STEP_PT.fine;
    return ARROWS[key].map((way) => way * step);
  }

  typed(input) {
    if (this.canChange && input.value !== "") this.put(withSide(this.box, input.name, Number(input.value), this.page.page));
    this.show();
  }

  /* Without a hand on the mouse: a box in the middle of what is seen. */
  createInTheMiddle() {
    this.create(between(...this.page.middleBox(), this.page.page));
    toast(say("bench.box_made"), "acc");
  }

  /* Whatever is chosen goes: a picture that was drawn, or the open SKU. */
  remove() {
    const { kind, id } = this.chosen ?? {};
    if (kind === "picture" && id.startsWith("new-")) this.bench.change(states.withoutDrawn(this.bench.state, id));
    else if (kind !== "picture" && kind !== "block") this.bench.acts.reject();
  }
}
