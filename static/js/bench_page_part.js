/* What is said of the page as a whole: its kind, its layout, what each picture and text is for, and which tables go on. */
import { clone } from "./bench_form.js";
import { showPicture } from "./bench_pictures.js";

export class PagePart {
  /* `on`: page(changes, label), role(picture, role), text(role), separate(table), choose(picture), none(). */
  constructor(root, { meta, page }, on) {
    Object.assign(this, { root, meta, page, on });
    this.roles = root.querySelector("[data-roles]");
    root.addEventListener("change", (event) => this.changed(event.target));
    root.addEventListener("input", (event) => !event.isComposing && event.target.name === "new_type" && on.page({ new_type: event.target.value }, "new_type"));
    root.addEventListener("compositionend", (event) => event.target.name === "new_type" && on.page({ new_type: event.target.value }, "new_type"));
    root.addEventListener("focusin", (event) => event.target.dataset.roleOf && on.choose(event.target.dataset.roleOf));
    root.querySelector("[data-no-product]").addEventListener("click", () => on.none());
    root.querySelector("[data-merges]").addEventListener("click", (event) => {
      const table = event.target.closest("[data-table]")?.dataset.table;
      if (table) on.separate(table);
    });
  }

  changed({ name, value, dataset }) {
    if (name === "page_type" || name === "layout_type") this.pick(name, value);
    else if (name === "text_role") this.pick(name, value);
    else if (dataset.roleOf) this.on.role(dataset.roleOf, value);
  }

  /* `group`: page_type, layout_type, text_role or image_role, the last two of what is chosen on the page. */
  pick(group, value) {
    if (group === "text_role") this.on.text(value);
    else if (group === "image_role" && this.chosen?.kind === "picture") this.on.role(this.chosen.id, value);
    else if (group === "image_role") this.roles.querySelector("select")?.focus();
    else this.on.page({ [group]: value });
  }

  line(image) {
    const line = clone("bench-role");
    showPicture(line.querySelector("img"), image, this.page);
    line.querySelector("[data-name]").textContent = image.name;
    const select = line.querySelector("select");
    select.dataset.roleOf = image.image_id;
    select.id = `role-${image.image_id}`;
    line.querySelector("label").htmlFor = select.id;
    return line;
  }

  show({ state, writable, pictures, chosen }) {
    this.chosen = chosen;
    this.showLines(pictures);
    for (const input of this.root.querySelectorAll("input[type=radio]")) {
      input.checked = input.name === "text_role" ? chosen?.kind === "block" && this.textRole(state, chosen.id) === input.value : state[input.name] === input.value;
      input.disabled = !writable || (input.name === "text_role" && chosen?.kind !== "block");
    }
    for (const { image_id: id, role } of pictures) {
      const select = this.roles.querySelector(`[data-role-of="${CSS.escape(id)}"]`);
      select.value = state.roles[id] ?? role;
      select.disabled = !writable;
      select.closest(".bench-role").classList.toggle("chosen", chosen?.kind === "picture" && chosen.id === id);
    }
    this.root.querySelector("[data-text-name]").textContent = chosen?.kind === "block" ? chosen.id : "";
    const report = this.root.querySelector("[name=new_type]");
    if (report.value !== state.new_type) report.value = state.new_type;
    report.readOnly = !writable;
    for (const button of this.root.querySelectorAll("[data-table]")) {
      button.disabled = !writable;
      button.setAttribute("aria-pressed", String(state.separate.includes(button.dataset.table)));
    }
    this.root.querySelector("[data-no-product]").disabled = !writable || (state.page_type === "D" && state.skus.every((sku) => sku.rejected));
  }

  textRole(state, block) {
    return state.texts[block] ?? this.meta.texts[block];
  }

  showLines(pictures) {
    const shown = JSON.stringify(pictures.map(({ image_id: id, box }) => [id, box]));
    if (shown === this.shown) return;
    this.shown = shown;
    this.roles.replaceChildren(...pictures.map((image) => this.line(image)));
    this.root.querySelector("[data-roles-block]").hidden = !pictures.length;
  }
}
