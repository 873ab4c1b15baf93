/* What a column of the table is: asked in a dialog, by the names of the category or by one of its own. */
import { ownId } from "./bench_columns.js";
import { the } from "./the.js";
import { say } from "./words.js";

// No id of a column: a name follows after it.
const OWN = "own ";

export class Meaning {
  /** @param {HTMLDialogElement} dialog
     @param {SkuTable} table */
  constructor(dialog, table) {
    this.dialog = dialog;
    this.table = table;
    this.select = the(dialog, "select");
    this.name = the(dialog, "[data-own-name]", HTMLInputElement);
    /** @type {Column | undefined} */
    this.column = undefined;
    this.select.addEventListener("change", () => this.named());
    this.select.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || ["", OWN].includes(this.select.value)) return;
      event.preventDefault(); // browsers open the list by it
      this.give();
    });
    the(dialog, "form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.give();
    });
    the(dialog, "[data-close]").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => table.focus());
  }

  /** @param {number} col */
  ask(col) {
    this.column = this.table.columns[col];
    if (!this.column || !this.table.bench.isWritable) return;
    const { label, id } = this.column;
    const { meta } = this.table.bench;
    const known = meta.keys.map(({ key, label: name }) => new Option(name, key));
    const own = this.table.columns.filter((column) => column.own).map((column) => new Option(column.label, column.id));
    this.select.replaceChildren(new Option("", ""), ...[...known, ...own].filter(({ value }) => value !== id), new Option(say("table.own"), OWN));
    this.select.value = known.find((option) => option.value !== id && option.text === label)?.value ?? "";
    the(this.dialog, "[data-column]").textContent = label;
    this.name.value = this.column.own ? label : "";
    this.named();
    this.dialog.showModal();
    this.select.focus();
  }

  named() {
    const isOwn = this.select.value === OWN;
    the(this.dialog, "[data-own]").hidden = !isOwn;
    this.name.required = isOwn;
  }

  give() {
    const { column } = this;
    const [to, name] = [this.select.value, this.name.value.trim()];
    const isOwn = to === OWN;
    if (!column || !to) return this.select.focus();
    if (isOwn && !name) return this.name.focus();
    this.dialog.close();
    this.table.acts.mean(column, isOwn ? { id: ownId(name, 0), label: name } : { id: to, label: this.select.selectedOptions[0].text });
  }
}
