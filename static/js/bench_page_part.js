/* What is said of the page as a whole: its kind, its layout, what each picture and text is for, and which tables go on. */
import { showPicture } from "./bench_pictures.js";
import { all, clone, the } from "./the.js";

export class PagePart {
  /** `on`: what a person says; `choose(picture)`: its line is looked at, `none()`: there is no product.
     @param {HTMLElement} root
     @param {{ meta: Meta, page: BenchPage }} bench
     @param {PagePartEvents} on */
  constructor(root, { meta, page }, on) {
    this.root = root;
    this.meta = meta;
    this.page = page;
    this.on = on;
    /** @type {Chosen | null} */
    this.chosen = null;
    this.shown = "";
    this.roles = the(root, "[data-roles]");
    root.addEventListener("change", (event) => this.changed(event.target));
    root.addEventListener("input", (event) => !event.isComposing && event.target.name === "new_type" && on.page({ new_type: event.target.value }, "new_type"));
    root.addEventListener("compositionend", (event) => event.target.name === "new_type" && on.page({ new_type: event.target.value }, "new_type"));
    root.addEventListener("focusin", (event) => event.target.dataset.roleOf && on.choose(event.target.dataset.roleOf));
    the(root, "[data-no-product]").addEventListener("click", () => on.none());
    the(root, "[data-merges]").addEventListener("click", (event) => {
      const table = event.target.closest("[data-table]")?.dataset.table;
      if (table) on.separate(table);
    });
  }

  /** @type {(field: HTMLInputElement | HTMLSelectElement) => void} */
  changed({ name, value, dataset }) {
    if (name === "page_type" || name === "layout_type" || name === "text_role") this.pick(name, value);
    else if (dataset.roleOf) this.on.role(dataset.roleOf, value);
  }

  /** The two roles are those of what is chosen on the page.
     @type {(group: ChoiceGroup, value: string) => void} */
  pick(group, value) {
    if (group === "text_role") this.on.text(value);
    else if (group === "image_role" && this.chosen?.kind === "picture") this.on.role(this.chosen.id, value);
    else if (group === "image_role") this.roles.querySelector("select")?.focus();
    else this.on.page({ [group]: value });
  }

  /** @type {(image: Picture) => HTMLElement} */
  line(image) {
    const line = clone("bench-role");
    showPicture(the(line, "img"), image, this.page);
    the(line, "[data-name]").textContent = image.name;
    const select = the(line, "select");
    select.dataset.roleOf = image.image_id;
    select.id = `role-${image.image_id}`;
    the(line, "label").htmlFor = select.id;
    return line;
  }

  /** @type {(view: { state: PageState, writable: boolean, pictures: Picture[], chosen: Chosen | null }) => void} */
  show({ state, writable, pictures, chosen }) {
    this.chosen = chosen;
    this.showLines(pictures);
    /** @type {Record<string, string | undefined>} */
    const said = { page_type: state.page_type, layout_type: state.layout_type, text_role: chosen?.kind === "block" ? this.textRole(state, chosen.id) : undefined };
    for (const input of all(this.root, "input[type=radio]", HTMLInputElement)) {
      input.checked = said[input.name] === input.value;
      input.disabled = !writable || (input.name === "text_role" && chosen?.kind !== "block");
    }
    for (const { image_id: id, role } of pictures) {
      const select = the(this.roles, `[data-role-of="${CSS.escape(id)}"]`, HTMLSelectElement);
      select.value = state.roles[id] ?? role;
      select.disabled = !writable;
      select.closest(".bench-role")?.classList.toggle("chosen", chosen?.kind === "picture" && chosen.id === id);
    }
    the(this.root, "[data-text-name]").textContent = chosen?.kind === "block" ? chosen.id : "";
    const report = the(this.root, "[name=new_type]", HTMLInputElement);
    if (report.value !== state.new_type) report.value = state.new_type;
    report.readOnly = !writable;
    for (const button of all(this.root, "[data-table]", HTMLButtonElement)) {
      button.disabled = !writable;
      button.setAttribute("aria-pressed", String(state.separate.includes(button.dataset.table ?? "")));
    }
    the(this.root, "[data-no-product]", HTMLButtonElement).disabled = !writable || (state.page_type === "D" && state.skus.every((sku) => sku.rejected));
  }

  /** @type {(state: PageState, block: string) => string | undefined} */
  textRole(state, block) {
    return state.texts[block] ?? this.meta.texts[block];
  }

  /** @type {(pictures: Picture[]) => void} */
  showLines(pictures) {
    const shown = JSON.stringify(pictures.map(({ image_id: id, box }) => [id, box]));
    if (shown === this.shown) return;
    this.shown = shown;
    this.roles.replaceChildren(...pictures.map((image) => this.line(image)));
    the(this.root, "[data-roles-block]").hidden = !pictures.length;
  }
}
