/* What is said of the page as a whole: its kind, its layout, and what each picture is for. */
import { clone } from "./bench_form.js";

export class PagePart {
  /* `on`: page(changes), role(picture, role, before), none(). */
  constructor(root, meta, on) {
    Object.assign(this, { root, meta });
    root.addEventListener("change", (event) => {
      const { name, value } = event.target;
      if (name === "page_type" || name === "layout_type") on.page({ [name]: value });
      const picture = event.target.dataset.roleOf;
      if (picture) on.role(picture, value, this.roleOf(picture));
    });
    root.querySelector("[data-no-product]").addEventListener("click", () => on.none());
    root.querySelector("[data-roles]").replaceChildren(...meta.images.map((image) => this.line(image)));
    root.querySelector("[data-roles-block]").hidden = !meta.images.length;
  }

  roleOf(picture) {
    return this.meta.images.find((image) => image.image_id === picture).role;
  }

  line(image) {
    const line = clone("bench-role");
    line.querySelector("img").src = image.url;
    line.querySelector("[data-name]").textContent = image.name;
    const select = line.querySelector("select");
    select.dataset.roleOf = image.image_id;
    select.id = `role-${image.image_id}`;
    line.querySelector("label").htmlFor = select.id;
    return line;
  }

  show({ state, writable }) {
    for (const input of this.root.querySelectorAll("input[type=radio]")) {
      input.checked = state[input.name] === input.value;
      input.disabled = !writable;
    }
    for (const select of this.root.querySelectorAll("[data-role-of]")) {
      select.value = state.roles[select.dataset.roleOf] ?? this.roleOf(select.dataset.roleOf);
      select.disabled = !writable;
    }
    this.root.querySelector("[data-no-product]").disabled = !writable || (state.page_type === "D" && state.skus.every((sku) => sku.rejected));
  }
}
