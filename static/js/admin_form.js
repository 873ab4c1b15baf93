/* Forms of configurations under /admin/: a list gets another row. The page loads this module by itself. */

/** @type {(list: HTMLElement) => void} */
function addEntry(list) {
  const count = /** @type {HTMLInputElement} */ (list.querySelector("input[type=hidden]"));
  const blank = /** @type {HTMLTemplateElement} */ (list.querySelector("template"));
  const row = /** @type {HTMLElement} */ (blank.content.firstElementChild?.cloneNode(true));
  for (const input of row.querySelectorAll("[name]")) {
    for (const name of ["name", "id"]) {
      const told = input.getAttribute(name);
      if (told) input.setAttribute(name, told.replace("__n__", count.value));
    }
  }
  count.value = String(Number(count.value) + 1);
  list.querySelector("tbody")?.append(row);
  /** @type {HTMLElement | null} */ (row.querySelector("input, select, textarea"))?.focus();
}

for (const list of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-entries]"))) {
  list.querySelector("[data-add-entry]")?.addEventListener("click", () => addEntry(list));
}
