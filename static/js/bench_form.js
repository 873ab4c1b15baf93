/* The open SKU as a form: a row a value, what stands behind it, and what is left to decide. Shows and reports; changes nothing. */
import { setIcon } from "./icons.js";
import { cropOf } from "./bench_pictures.js";
import { lockedKeys } from "./bench_state.js";
import { say } from "./words.js";

export class SkuForm {
  /* `on`: text(key, text), confirm(key), empty(key), custom(lines), focus(key), leave(). */
  constructor(root, { meta, page, base }, on) {
    Object.assign(this, { root, meta, page, base, on, at: -1, shown: null });
    this.fields = root.querySelector("[data-fields]");
    this.blank = root.querySelector("[data-blank-fields]");
    this.custom = root.querySelector("[data-custom]");
    root.addEventListener("input", (event) => !event.isComposing && this.typed(event.target));
    root.addEventListener("compositionend", (event) => this.typed(event.target));
    root.addEventListener("focusin", (event) => this.on.focus(event.target.closest("[data-field]")?.dataset.field ?? null));
    root.addEventListener("focusout", () => this.on.leave());
    root.addEventListener("click", (event) => this.pressed(event.target));
  }

  /* `view`: state, at, writable, open (keys left), problems {key: sentence}. */
  show(view) {
    const sku = view.state.skus[view.at];
    const identity = sku && `${view.at} ${sku.sku_id} ${sku.custom.length}`;
    this.view = view;
    this.root.querySelector("[data-sku-panel]").hidden = !sku;
    this.root.querySelector("[data-no-skus]").hidden = Boolean(sku);
    if (!sku) {
      this.shown = null;
      return;
    }
    if (identity !== this.shown) this.build(sku);
    this.shown = identity;
    this.showHead(sku);
    for (const row of this.root.querySelectorAll("[data-field]")) this.showRow(row, sku);
    this.showCustom(sku);
  }

  build(sku) {
    const locked = new Set(lockedKeys(sku, this.meta));
    const keys = [...this.meta.keys].sort((a, b) => locked.has(b.key) - locked.has(a.key));
    const wasRead = ({ key, required }) => Boolean(sku.attributes[key]) || Boolean(this.otherwise(sku, key)) || locked.has(key) || required || sku.sku_id === null;
    this.fields.replaceChildren(...keys.filter(wasRead).map((entry) => this.row(entry)));
    const blank = keys.filter((entry) => !wasRead(entry));
    this.blank.hidden = !blank.length;
    this.blank.querySelector("[data-blank-names]").textContent = blank.map(({ label }) => label).join(say("bench.comma"));
    this.blank.querySelector("[data-blank-rows]").replaceChildren(...blank.map((entry) => this.row(entry)));
    this.custom.replaceChildren(...sku.custom.map(() => clone("bench-custom")));
  }

  row({ key, label, required }) {
    const row = clone("bench-field");
    const input = row.querySelector("input");
    row.dataset.field = key;
    row.querySelector("[data-label]").textContent = label;
    row.querySelector("[data-required]").hidden = !required;
    input.id = `value-${key}`;
    input.required = required;
    row.querySelector("label").htmlFor = input.id;
    for (const name of ["note", "error"]) row.querySelector(`[data-${name}]`).id = `${name}-${key}`;
    input.setAttribute("aria-describedby", `note-${key} error-${key}`);
    return row;
  }

  /* The print itself, cut out of the page: where a person took the value from, or the machine; larger where a person must
     compare the two. */
  showProof(row, value, evidence, open) {
    const box = value?.box ?? evidence?.crop;
    row.classList.toggle("to-compare", open && Boolean(evidence?.seen));
    const chip = row.querySelector("[data-proof]");
    chip.hidden = !box || !this.page.image_url;
    const shown = String(box);
    if (chip.hidden || chip.dataset.box === shown) return;
    chip.dataset.box = shown;
    const crop = cropOf(box, this.page, 1);
    crop.setAttribute("preserveAspectRatio", "xMinYMid meet");
    chip.replaceChildren(crop);
  }

  showHead(sku) {
    const { at, open } = this.view;
    const about = this.meta.skus[sku.sku_id];
    const set = (name, text) => (this.root.querySelector(`[data-head-${name}]`).textContent = text);
    set("tag", `S${at + 1}`);
    set("model", sku.attributes.model?.text ?? (sku.sku_id === null ? say("bench.new_sku") : sku.sku_id));
    set("name", sku.attributes.product_name?.text ?? "");
    const chip = this.root.querySelector("[data-head-open]");
    chip.hidden = !open.length || sku.rejected;
    set("left", say("bench.left", { n: open.length }));
    this.root.querySelector("[data-head-rejected]").hidden = !sku.rejected;
    this.root.querySelector("[data-reject] [data-word]").textContent = say(sku.rejected ? "bench.take_back" : "bench.reject");
    this.root.querySelector("[data-blockers]").replaceChildren(...(sku.rejected ? [] : (about?.blockers ?? [])).map((sentence) => {
      const line = clone("bench-blocker");
      line.querySelector("span").textContent = sentence;
      return line;
    }));
  }

  showRow(row, sku) {
    const key = row.dataset.field;
    const value = sku.attributes[key];
    const input = row.querySelector("input");
    const open = this.view.open.includes(key);
    const text = value?.text ?? "";
    const problem = this.view.problems[key] ?? "";
    if (input.value !== text) input.value = text;
    input.readOnly = !this.view.writable || sku.rejected;
    input.setAttribute("aria-invalid", String(Boolean(problem)));
    row.classList.toggle("to-check", open);
    row.classList.toggle("conflict", Boolean(problem));
    row.querySelector("[data-error]").textContent = problem;
    this.showMark(row, sku, key, open);
    this.showProof(row, value, this.meta.skus[sku.sku_id]?.evidence[key], open);
    const decide = row.querySelector("[data-decide]");
    const reading = this.otherwise(sku, key);
    decide.hidden = !open && !reading && !(problem && value); // a price that looks like none may still be right
    for (const name of ["confirm", "empty"]) decide.querySelector(`[data-${name}]`).hidden = Boolean(reading) && !open && !problem;
    decide.querySelector("[data-take-reading]").hidden = !reading;
    for (const button of decide.querySelectorAll("button")) button.disabled = input.readOnly;
  }

  showMark(row, sku, key, open) {
    const about = this.meta.skus[sku.sku_id];
    const before = this.base.skus.find((other) => other.sku_id === sku.sku_id)?.attributes[key];
    const value = sku.attributes[key];
    const edited = (value?.text ?? "") !== (before?.text ?? "");
    let { icon, word, tone } = about?.marks[key] ?? { icon: "dash", word: say("bench.absent"), tone: "ink3" };
    const reading = this.otherwise(sku, key);
    const seen = about?.evidence[key]?.seen;
    if (open) [icon, word, tone] = ["lock", say(seen ? "bench.compare" : "bench.not_printed"), "person"];
    else if (value?.confirmed) [icon, word, tone] = ["check", say("bench.confirmed"), "done"];
    else if (edited) [icon, word, tone] = ["pencil", say("bench.edited"), "done"];
    else if (reading) [icon, word, tone] = ["flag", say("bench.conflict"), "fault"];
    const mark = row.querySelector("[data-mark]");
    mark.className = `mark mark-tone-${tone}`;
    setIcon(mark.querySelector("svg"), icon);
    mark.querySelector("span").textContent = word;
    const note = row.querySelector("[data-note]");
    if (reading) note.textContent = say("bench.otherwise", { text: reading });
    else note.textContent = open ? say(seen ? "bench.why_compare" : "bench.why_locked") : edited && before ? say("bench.was", { text: before.text }) : "";
  }

  /* What the last reading says instead of a person's word, until that is said or another word is given. */
  otherwise(sku, key) {
    const reading = this.meta.skus[sku.sku_id]?.otherwise[key];
    return sku.attributes[key]?.text === reading ? undefined : reading;
  }

  showCustom(sku) {
    const lines = [...this.custom.children];
    this.root.querySelector("[data-custom-block]").hidden = !sku.custom.length && !this.view.writable;
    sku.custom.forEach(({ name, text, confirmed }, n) => {
      const button = lines[n].querySelector("[data-confirm-custom]");
      button.setAttribute("aria-pressed", String(confirmed));
      button.disabled = !this.view.writable || sku.rejected;
      lines[n].classList.toggle("confirmed", confirmed);
      const [first, second] = lines[n].querySelectorAll("input");
      if (first.value !== name) first.value = name;
      if (second.value !== text) second.value = text;
      first.readOnly = second.readOnly = !this.view.writable || sku.rejected;
    });
  }

  typed(input) {
    const key = input.closest("[data-field]")?.dataset.field;
    if (key) return this.on.text(key, input.value);
    if (input.closest("[data-custom]")) this.on.custom(this.customLines());
  }

  customLines() {
    const known = this.view.state.skus[this.view.at].custom;
    return [...this.custom.children].map((line, n) => {
      const [name, text] = [...line.querySelectorAll("input")].map((input) => input.value);
      const same = known[n]?.name === name && known[n]?.text === text;
      return same ? known[n] : { name, text, box: null, confirmed: false };
    });
  }

  pressed(target) {
    const key = target.closest("[data-field]")?.dataset.field;
    if (target.closest("[data-confirm]")) this.on.confirm(key);
    else if (target.closest("[data-empty]")) this.on.empty(key);
    else if (target.closest("[data-take-reading]")) this.on.reading(key);
    else if (target.closest("[data-proof]")) this.focus(key);
    else if (target.closest("[data-add-custom]")) {
      this.on.custom([...this.customLines(), { name: "", text: "", box: null, confirmed: false }]);
      this.custom.lastElementChild?.querySelector("input").focus();
    } else if (target.closest("[data-confirm-custom]")) {
      const line = target.closest("[data-custom-line]");
      this.on.custom(this.customLines().map((one, n) => (this.custom.children[n] === line ? { ...one, confirmed: !one.confirmed } : one)));
    } else if (target.closest("[data-drop-custom]")) {
      const line = target.closest("[data-custom-line]");
      this.on.custom(this.customLines().filter((_, n) => this.custom.children[n] !== line));
    }
  }

  /* To the field after the focused one, or before it. */
  step(by) {
    const inputs = [...this.root.querySelectorAll("[data-field] input")].filter((input) => input.checkVisibility());
    const next = inputs[inputs.indexOf(document.activeElement) + by];
    if (next) this.focus(next.closest("[data-field]").dataset.field);
  }

  focus(key) {
    const row = this.root.querySelector(`[data-field="${CSS.escape(key)}"]`);
    row?.closest("details")?.setAttribute("open", "");
    const input = row?.querySelector("input");
    input?.focus();
    if (input && !input.readOnly) input.select();
    row?.scrollIntoView({ block: "nearest" });
    return Boolean(input);
  }
}

export const clone = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);
