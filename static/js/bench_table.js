/* All SKUs of the page as a table that is edited as a spreadsheet is. It shows the state that the form shows, and changes it in the
   same way. The cell in hand holds the one field, which always has the focus: whatever is typed, also by an input method, goes
   straight into it. `mode`: "at" a cell, "typing" what replaces it (arrows go on), or "editing" it (arrows move the caret). */
import { cellsOf, isSingle, one, within } from "./bench_ranges.js";
import { columnsOf, placeAt, readAt, textAt, valueAt } from "./bench_columns.js";
import { isEdited, markOf, noteOf, readingOf } from "./bench_marks.js";
import { Meaning } from "./bench_meaning.js";
import { cropOf } from "./bench_pictures.js";
import { Sheet } from "./bench_sheet.js";
import { aboutOf, same } from "./bench_state.js";
import { TableActs } from "./bench_table_acts.js";
import { bindHands } from "./bench_table_hands.js";
import { setIcon } from "./icons.js";
import { byId, clone, the } from "./the.js";
import { say } from "./words.js";

export class SkuTable {
  /** @param {HTMLElement} root
     @param {Bench} bench */
  constructor(root, bench) {
    this.root = root;
    this.bench = bench;
    this.sheet = new Sheet(the(root, "table"));
    this.scroller = the(root, "[data-table-scroll]");
    this.bar = the(root, "[data-table-bar]");
    this.pen = /** @type {HTMLInputElement} */ (clone("bench-pen"));
    this.range = one(0, 0);
    /** @type {"at" | "typing" | "editing"} */
    this.mode = "at";
    this.isComposing = false;
    this.isMoving = false;
    /** @type {WeakMap<Sku, { look: string, line: TableLine }>} */
    this.lines = new WeakMap();
    this.withBlank = false;
    /** @type {Column[]} */
    this.columns = [];
    this.blanks = 0;
    this.acts = new TableActs(this);
    this.meaning = new Meaning(byId("meaning-dialog", HTMLDialogElement), this);
    this.listen();
    bindHands(this);
  }

  /* The last row is empty: what is said there adds a SKU. */
  get size() {
    return { rows: this.bench.state.skus.length + 1, cols: this.columns.length };
  }

  get column() {
    return this.columns[this.range.head.col];
  }

  get sku() {
    return this.bench.state.skus[this.range.head.row];
  }

  get isOne() {
    return isSingle(this.range);
  }

  /* Rows between the heads and the foot of what is seen, for the keys that turn pages. */
  get rowsSeen() {
    return Math.max(1, Math.floor(this.scroller.clientHeight / (this.sheet.cell({ row: 0, col: 0 })?.offsetHeight || 1)) - 2);
  }

  /** @type {(cell: Cell) => string} */
  textOf({ row, col }) {
    const sku = this.bench.state.skus[row];
    return sku && this.columns[col] ? textAt(sku, this.columns[col].id) : "";
  }

  listen() {
    const { pen } = this;
    pen.addEventListener("compositionstart", () => {
      this.isComposing = true;
      if (this.mode === "at") this.enter("typing");
    });
    pen.addEventListener("input", (event) => !event.isComposing && this.typed());
    pen.addEventListener("compositionend", (event) => {
      this.isComposing = false;
      if (event.data) this.typed();
      else if (this.mode === "typing" && !pen.value) this.leave(); // taken back: the cell says what it said
    });
    pen.addEventListener("focus", () => !this.isMoving && this.stand());
    pen.addEventListener("blur", () => this.commit());
    this.root.addEventListener("click", (event) => this.pressed(event.target));
  }

  // --- where keys are ---------------------------------------------------------------------------

  /** @param {CellRange} range */
  go(range) {
    if (this.isComposing) return;
    this.commit();
    this.range = within(range, this.size);
    this.place();
    this.focusPen();
    this.stand();
  }

  focusPen() {
    this.isMoving = true;
    this.pen.focus({ preventScroll: true });
    this.isMoving = false;
  }

  /** To that attribute of the open SKU, also where its column is not shown yet; without one, where keys were.
     @type {(id?: string | null) => boolean} */
  focus(id = null) {
    if (id && this.columns.every((column) => column.id !== id)) this.withBlank = true;
    this.show();
    const col = id ? this.columns.findIndex((column) => column.id === id) : this.range.head.col;
    this.go(one(this.range.head.row, Math.max(0, col)));
    return col >= 0;
  }

  /* The page makes room for it, and is large enough yet to be compared with it. */
  open() {
    const { bench } = this;
    this.focus();
    requestAnimationFrame(() => {
      bench.page.resized();
      bench.page.makeReadable(bench.print.lineHeight, bench.sku?.box);
      bench.light(bench.key);
    });
  }

  /** The field goes into the cell in hand, with what that says. */
  place() {
    const cell = this.sheet.cell(this.range.head);
    if (!cell || !this.column) return;
    const had = document.activeElement === this.pen;
    if (this.pen.parentElement !== cell) {
      this.pen.parentElement?.removeAttribute("data-field");
      cell.append(this.pen);
      if (had) this.focusPen();
    }
    cell.dataset.field = this.column.id;
    this.fill();
    this.pen.readOnly = !this.bench.isWritable || Boolean(this.sku?.rejected);
    this.pen.setAttribute("aria-labelledby", `table-column-${this.range.head.col} table-row-${this.range.head.row}`);
    this.sheet.select(this.isOne ? [] : cellsOf(this.range));
    reveal(cell, this.scroller);
  }

  fill() {
    const text = this.textOf(this.range.head);
    if (!this.isComposing && this.pen.value !== text) this.pen.value = text;
    if (this.mode === "at" && document.activeElement === this.pen) this.pen.select();
  }

  /** @type {(row: number) => string} */
  rowName(row) {
    const sku = this.bench.state.skus[row];
    return sku ? `S${row + 1} ${textAt(sku, "model")}` : "";
  }

  /* The SKU of the cell in hand is open, and the page shows where that is printed. */
  stand() {
    const { bench } = this;
    const { row } = this.range.head;
    const at = row < bench.state.skus.length ? row : -1;
    if (at !== bench.at) {
      bench.at = at;
      bench.boxes.chosen = null;
      bench.render();
      if (this.sku?.box) bench.page.reveal(this.sku.box);
    }
    bench.light(this.column?.id ?? null);
    this.showBar();
  }

  // --- typing -----------------------------------------------------------------------------------

  /** @param {"typing" | "editing"} mode */
  enter(mode) {
    if (this.pen.readOnly) return;
    this.mode = mode;
    this.pen.dataset.mode = mode;
    if (mode === "editing") this.pen.setSelectionRange(this.pen.value.length, this.pen.value.length);
  }

  typed() {
    if (this.mode === "at") this.enter("typing");
    this.acts.type(this.pen.value);
  }

  commit() {
    if (this.mode === "at") return;
    this.mode = "at";
    this.pen.dataset.mode = "at";
    this.bench.fieldLeft();
  }

  /* Without what was typed since. */
  leave() {
    const { typing, history } = this.bench;
    if (typing !== null && history.label === typing) this.bench.undo();
    this.commit();
    this.fill();
  }

  // --- showing ----------------------------------------------------------------------------------

  show() {
    const { state, base, meta, at } = this.bench;
    const all = columnsOf(state, base, meta);
    this.blanks = all.filter((column) => column.blank).length;
    const isBare = this.blanks === all.length || !state.skus.length;
    this.columns = this.withBlank || isBare ? all : all.filter((column) => !column.blank);
    this.showLines();
    const row = at < 0 ? state.skus.length : at;
    this.range = within(row === this.range.head.row ? this.range : one(row, this.range.head.col), this.size);
    this.place();
    this.showBar();
  }

  /* A SKU that is the same and of which the same is said has the same line. */
  showLines() {
    const { skus } = this.bench.state;
    const open = new Map(skus.map((_, row) => [row, new Set()]));
    for (const [row, id] of this.bench.left()) open.get(row)?.add(id);
    const heads = this.columns.map(({ id }) => id).join();
    const lines = skus.map((sku, row) => {
      const [left, said] = [open.get(row) ?? new Set(), this.bench.saidOf(row)];
      const ghosts = this.bench.offer.ghosts.filter((ghost) => ghost.row === row).map(({ id, text }) => [id, text]);
      const look = JSON.stringify([row, heads, [...left], [...said], ghosts]);
      const known = this.lines.get(sku);
      if (known?.look === look) return known.line;
      const line = this.line(sku, row, left, said);
      this.lines.set(sku, { look, line });
      return line;
    });
    this.sheet.show(this.columns, [...lines, this.newLine()]);
  }

  /** @type {(sku: Sku, row: number, open: Set<string>, said: Map<string, string>) => TableLine} */
  line(sku, row, open, said) {
    const left = this.columns.filter(({ id }) => open.has(id)).length;
    const about = aboutOf(sku, this.bench.meta);
    const before = this.bench.base.skus.find((other) => other.sku_id === sku.sku_id);
    const [icon, word, tone] = this.bench.index.mark({ sku, left, changed: !same(sku, before), asks: Boolean(about?.blockers.length), about });
    const cells = this.columns.map(({ id }) => ({ text: textAt(sku, id), state: this.stateOf(sku, id, open.has(id)), fault: said.get(id) ?? "", ghost: this.bench.offer.at(row, id)?.text }));
    return { tag: `S${row + 1}`, name: textAt(sku, "model") || textAt(sku, "product_name"), mark: { icon, word, tone }, rejected: sku.rejected, cells };
  }

  /** @returns {TableLine} */
  newLine() {
    return { tag: "+", name: say("bench.new_sku"), mark: null, rejected: false, cells: this.columns.map(() => ({ text: "", state: "", fault: "", ghost: undefined })) };
  }

  /** @type {(sku: Sku, id: string, open: boolean) => Look["state"]} */
  stateOf(sku, id, open) {
    const { base, meta } = this.bench;
    if (sku.rejected) return "";
    if (open) return "open";
    if (valueAt(sku, id)?.confirmed) return "confirmed";
    if (isEdited(valueAt(sku, id), readAt(sku, id, base))) return "edited";
    return readingOf(sku, id, meta) ? "conflict" : "";
  }

  /* What is to be said of the cell in hand, and what may be done about it. */
  showBar() {
    const { sku, column } = this;
    const id = column?.id ?? "";
    const open = Boolean(sku) && this.bench.left().some(([row, key]) => row === this.range.head.row && key === id);
    const { base, meta } = this.bench;
    const how = sku && { open, before: readAt(sku, id, base) };
    const mark = how && column ? markOf(sku, id, meta, how) : null;
    const fault = this.bench.saidOf(this.range.head.row).get(id) ?? "";
    the(this.bar, "[data-place]").textContent = column ? `${sku ? `S${this.range.head.row + 1}` : "+"} · ${column.label}` : "";
    const shown = the(this.bar, "[data-mark]");
    shown.hidden = !mark;
    shown.setAttribute("class", `mark mark-tone-${fault ? "fault" : (mark?.tone ?? "ink3")}`);
    setIcon(the(shown, "svg"), fault ? "flag" : (mark?.icon ?? "dash"));
    the(shown, "span").textContent = mark?.word ?? "";
    the(this.bar, "[data-note]").textContent = fault || (how && column ? noteOf(sku, id, meta, how) : "");
    this.showProof(sku && column ? placeAt(sku, id, meta) : null);
    const writable = this.bench.isWritable && Boolean(sku) && !sku?.rejected;
    the(this.bar, '[data-table-act="confirm"]').hidden = !writable || !(open || fault) || !(sku && textAt(sku, id));
    the(this.bar, '[data-table-act="reading"]').hidden = !writable || !sku || readingOf(sku, id, meta) === undefined;
    const blanks = the(this.root, '[data-table-act="blanks"]');
    blanks.hidden = !this.blanks;
    blanks.setAttribute("aria-pressed", String(this.withBlank));
    the(blanks, "[data-count]").textContent = String(this.blanks);
  }

  /** The print itself, large enough to be compared with the cell.
     @param {Box | null} box */
  showProof(box) {
    const proof = the(this.bar, "[data-table-proof]");
    const words = box && (this.bench.print.textIn(box)?.box ?? box); // of a table's cell only what is printed in it
    const shown = String(words);
    proof.hidden = !words || !this.bench.data.page.image_url;
    if (!words || proof.hidden || proof.dataset.box === shown) return;
    proof.dataset.box = shown;
    const crop = cropOf(words, this.bench.data.page, 2);
    crop.setAttribute("preserveAspectRatio", "xMinYMid meet");
    proof.replaceChildren(crop);
  }

  /** @param {HTMLElement} target */
  pressed(target) {
    const act = target.closest("[data-table-act]")?.dataset.tableAct;
    if (!act) return;
    if (act === "blanks") this.withBlank = !this.withBlank;
    else if (act === "meaning") return this.meaning.ask(this.sheet.placeOf(target)?.col ?? this.range.head.col);
    else this.acts.run(act);
    this.focus();
  }
}

/** Out from under what stays in its place: the heads of rows and columns.
   @type {(cell: HTMLTableCellElement, scroller: HTMLElement) => void} */
function reveal(cell, scroller) {
  const [head, side] = [scroller.querySelector("thead")?.offsetHeight ?? 0, scroller.querySelector("th")?.offsetWidth ?? 0];
  const [left, top, right, bottom] = [cell.offsetLeft, cell.offsetTop, cell.offsetLeft + cell.offsetWidth, cell.offsetTop + cell.offsetHeight];
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroller;
  if (top < scrollTop + head) scroller.scrollTop = top - head;
  else if (bottom > scrollTop + clientHeight) scroller.scrollTop = bottom - clientHeight;
  if (left < scrollLeft + side) scroller.scrollLeft = left - side;
  else if (right > scrollLeft + clientWidth) scroller.scrollLeft = Math.min(left - side, right - clientWidth);
}
