/* The open SKU as a form: a row a value, what stands behind it, and what is left to decide. Shows and reports; changes nothing. */
import { readAt } from "./bench_columns.js";
import { markOf, noteOf, readingOf } from "./bench_marks.js";
import { cropOf } from "./bench_pictures.js";
import { aboutOf, lockedKeys } from "./bench_state.js";
import { setIcon } from "./icons.js";
import { all, clone, the } from "./the.js";
import { say } from "./words.js";

export class SkuForm {
  /** @param {HTMLElement} root
     @param {{ meta: Meta, page: BenchPage, base: PageState }} bench
     @param {FormEvents} on */
  constructor(root, { meta, page, base }, on) {
    this.root = root;
    this.meta = meta;
    this.page = page;
    this.base = base;
    this.on = on;
    /** @type {FormView} */
    this.view = { state: base, at: -1, writable: false, open: [], problems: {} };
    /** @type {string | null} */
    this.shown = null; // which SKU the rows are those of
    /** @type {EventTarget | null} */
    this.composed = null; // the field in which an input method has letters
    this.fields = the(root, "[data-fields]");
    this.blank = the(root, "[data-blank-fields]");
    this.custom = the(root, "[data-custom]");
    root.addEventListener("input", (event) => !event.isComposing && this.typed(event.target));
    root.addEventListener("compositionstart", (event) => (this.composed = event.target));
    root.addEventListener("compositionend", (event) => {
      this.composed = null;
      this.typed(event.target);
    });
    root.addEventListener("focusin", (event) => this.on.focus(event.target.closest("[data-field]")?.dataset.field ?? null));
    root.addEventListener("focusout", () => this.on.leave());
    root.addEventListener("click", (event) => this.pressed(event.target));
  }

  /** @type {(view: FormView) => void} */
  show(view) {
    const sku = view.state.skus[view.at];
    this.view = view;
    the(this.root, "[data-sku-panel]").hidden = !sku;
    the(this.root, "[data-no-skus]").hidden = Boolean(sku);
    if (!sku) {
      this.shown = null;
      return;
    }
    const identity = `${view.at} ${sku.sku_id} ${sku.custom.length}`;
    if (identity !== this.shown) this.build(sku);
    this.shown = identity;
    this.showHead(sku);
    for (const row of this.root.querySelectorAll("[data-field]")) this.showRow(row, sku);
    this.showCustom(sku);
  }

  /** @type {(sku: Sku) => void} */
  build(sku) {
    const locked = new Set(lockedKeys(sku, this.meta));
    const keys = [...this.meta.keys].sort((a, b) => Number(locked.has(b.key)) - Number(locked.has(a.key)));
    /** @type {(entry: Key) => boolean} */
    const wasRead = ({ key, required }) => Boolean(sku.attributes[key]) || Boolean(readingOf(sku, key, this.meta)) || locked.has(key) || required || sku.sku_id === null;
    this.fields.replaceChildren(...keys.filter(wasRead).map((entry) => this.row(entry)));
    const blank = keys.filter((entry) => !wasRead(entry));
    this.blank.hidden = !blank.length;
    the(this.blank, "[data-blank-names]").textContent = blank.map(({ label }) => label).join(say("bench.comma"));
    the(this.blank, "[data-blank-rows]").replaceChildren(...blank.map((entry) => this.row(entry)));
    this.custom.replaceChildren(...sku.custom.map(() => clone("bench-custom")));
  }

  /** @type {(entry: Key) => HTMLElement} */
  row({ key, label, required }) {
    const row = clone("bench-field");
    const input = the(row, "input");
    row.dataset.field = key;
    the(row, "[data-label]").textContent = label;
    the(row, "[data-required]").hidden = !required;
    input.id = `value-${key}`;
    input.required = required;
    the(row, "label").htmlFor = input.id;
    for (const name of ["note", "error"]) the(row, `[data-${name}]`).id = `${name}-${key}`;
    input.setAttribute("aria-describedby", `note-${key} error-${key}`);
    return row;
  }

  /** The print itself, cut out of the page: where a person took the value from, or the machine; larger where a person must
     compare the two.
     @type {(row: HTMLElement, value: Value | null | undefined, evidence: Proof | undefined, open: boolean) => void} */
  showProof(row, value, evidence, open) {
    const box = value?.box ?? evidence?.crop;
    row.classList.toggle("to-compare", open && Boolean(evidence?.seen));
    const chip = the(row, "[data-proof]");
    chip.hidden = !box || !this.page.image_url;
    const shown = String(box);
    if (!box || chip.hidden || chip.dataset.box === shown) return;
    chip.dataset.box = shown;
    const crop = cropOf(box, this.page, 1);
    crop.setAttribute("preserveAspectRatio", "xMinYMid meet");
    chip.replaceChildren(crop);
  }

  /** @type {(sku: Sku) => void} */
  showHead(sku) {
    const { at, open } = this.view;
    const about = aboutOf(sku, this.meta);
    /** @type {(name: string, text: string) => void} */
    const set = (name, text) => void (the(this.root, `[data-head-${name}]`).textContent = text);
    set("tag", `S${at + 1}`);
    set("model", sku.attributes.model?.text ?? (sku.sku_id === null ? say("bench.new_sku") : sku.sku_id));
    set("name", sku.attributes.product_name?.text ?? "");
    const chip = the(this.root, "[data-head-open]");
    chip.hidden = !open.length || sku.rejected;
    set("left", say("bench.left", { n: open.length }));
    the(this.root, "[data-head-rejected]").hidden = !sku.rejected;
    the(this.root, "[data-reject] [data-word]").textContent = say(sku.rejected ? "bench.take_back" : "bench.reject");
    the(this.root, "[data-blockers]").replaceChildren(...(sku.rejected ? [] : (about?.blockers ?? [])).map((sentence) => {
      const line = clone("bench-blocker");
      the(line, "span").textContent = sentence;
      return line;
    }));
  }

  /** @type {(row: HTMLElement, sku: Sku) => void} */
  showRow(row, sku) {
    const key = row.dataset.field ?? "";
    const value = sku.attributes[key];
    const input = the(row, "input");
    const open = this.view.open.includes(key);
    const text = value?.text ?? "";
    const problem = this.view.problems[key] ?? "";
    if (input.value !== text && input !== this.composed) input.value = text; // an input method loses what it has by that
    input.readOnly = !this.view.writable || sku.rejected;
    input.setAttribute("aria-invalid", String(Boolean(problem)));
    row.classList.toggle("to-check", open);
    row.classList.toggle("conflict", Boolean(problem));
    the(row, "[data-error]").textContent = problem;
    this.showMark(row, sku, key, open);
    this.showProof(row, value, aboutOf(sku, this.meta)?.evidence[key], open);
    const decide = the(row, "[data-decide]");
    const reading = readingOf(sku, key, this.meta);
    decide.hidden = !open && !reading && !(problem && value); // a price that looks like none may still be right
    for (const name of ["confirm", "empty"]) the(decide, `[data-${name}]`).hidden = Boolean(reading) && !open && !problem;
    the(decide, "[data-take-reading]").hidden = !reading;
    for (const button of decide.querySelectorAll("button")) button.disabled = input.readOnly;
  }

  /** @type {(row: HTMLElement, sku: Sku, key: string, open: boolean) => void} */
  showMark(row, sku, key, open) {
    const before = readAt(sku, key, this.base);
    const { icon, word, tone } = markOf(sku, key, this.meta, { open, before });
    const mark = the(row, "[data-mark]");
    mark.className = `mark mark-tone-${tone}`;
    setIcon(the(mark, "svg"), icon);
    the(mark, "span").textContent = word;
    the(row, "[data-note]").textContent = noteOf(sku, key, this.meta, { open, before });
  }

  get lines() {
    return all(this.custom, "[data-custom-line]", HTMLElement);
  }

  /** @type {(sku: Sku) => void} */
  showCustom(sku) {
    const { lines } = this;
    const isFixed = !this.view.writable || sku.rejected;
    the(this.root, "[data-custom-block]").hidden = !sku.custom.length && !this.view.writable;
    sku.custom.forEach(({ name, text, confirmed }, n) => {
      const button = the(lines[n], "[data-confirm-custom]", HTMLButtonElement);
      button.setAttribute("aria-pressed", String(confirmed));
      button.disabled = isFixed;
      lines[n].classList.toggle("confirmed", confirmed);
      const [first, second] = lines[n].querySelectorAll("input");
      if (first.value !== name) first.value = name;
      if (second.value !== text) second.value = text;
      first.readOnly = second.readOnly = isFixed;
    });
  }

  /** @type {(input: HTMLInputElement) => void} */
  typed(input) {
    const key = input.closest("[data-field]")?.dataset.field;
    if (key) return this.on.text(key, input.value);
    if (input.closest("[data-custom]")) this.on.custom(this.customLines());
  }

  /** What stands in the fields; a line that says what it said before is the same line.
     @type {() => Custom[]} */
  customLines() {
    const known = this.view.state.skus[this.view.at].custom;
    return this.lines.map((line, n) => {
      const [name, text] = [...line.querySelectorAll("input")].map((input) => input.value);
      const same = known[n]?.name === name && known[n]?.text === text;
      return same ? known[n] : { name, text, box: null, confirmed: false };
    });
  }

  /** @type {(target: HTMLElement) => void} */
  pressed(target) {
    const key = target.closest("[data-field]")?.dataset.field;
    if (key) this.fieldPressed(target, key);
    else if (target.closest("[data-add-custom]")) {
      this.on.custom([...this.customLines(), { name: "", text: "", box: null, confirmed: false }]);
      this.custom.lastElementChild?.querySelector("input")?.focus();
    } else if (target.closest("[data-confirm-custom]")) {
      const line = target.closest("[data-custom-line]");
      this.on.custom(this.customLines().map((one, n) => (this.lines[n] === line ? { ...one, confirmed: !one.confirmed } : one)));
    } else if (target.closest("[data-drop-custom]")) {
      const line = target.closest("[data-custom-line]");
      this.on.custom(this.customLines().filter((_, n) => this.lines[n] !== line));
    }
  }

  /** @type {(target: HTMLElement, key: string) => void} */
  fieldPressed(target, key) {
    if (target.closest("[data-confirm]")) this.on.confirm(key);
    else if (target.closest("[data-empty]")) this.on.empty(key);
    else if (target.closest("[data-take-reading]")) this.on.reading(key);
    else if (target.closest("[data-proof]")) this.focus(key);
  }

  /** To the field after the focused one, or before it.
     @type {(by: number) => void} */
  step(by) {
    const inputs = [...this.root.querySelectorAll("[data-field] input")].filter((input) => input.checkVisibility());
    const next = inputs[inputs.findIndex((input) => input === document.activeElement) + by];
    const key = next?.closest("[data-field]")?.dataset.field;
    if (key) this.focus(key);
  }

  /** Whether there is such a field.
     @type {(key: string) => boolean} */
  focus(key) {
    const row = this.root.querySelector(`[data-field="${CSS.escape(key)}"]`);
    if (!row) return false;
    row.closest("details")?.setAttribute("open", "");
    const input = the(row, "input");
    input.focus();
    if (!input.readOnly) input.select();
    row.scrollIntoView({ block: "nearest" });
    return true;
  }
}
