/* Forms of configurations under /admin/: a list gets another row, and what a change would do is shown before it is
   saved. The page loads this module by itself. */

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

/** @type {(box: HTMLElement, form: HTMLFormElement) => Promise<void>} */
async function showEffect(box, form) {
  const place = /** @type {HTMLElement} */ (box.querySelector("[role=status]"));
  place.setAttribute("aria-busy", "true");
  place.textContent = box.dataset.waits ?? "";
  try {
    const answer = await fetch(`${box.dataset.effectOf}?part`, { method: "POST", body: new FormData(form) });
    if (!answer.ok) throw new Error(String(answer.status));
    const shown = new DOMParser().parseFromString(await answer.text(), "text/html");
    place.replaceChildren(...shown.body.childNodes);
  } catch {
    place.textContent = box.dataset.failed ?? "";
  }
  place.removeAttribute("aria-busy");
}

for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-effect-of]"))) {
  const button = /** @type {HTMLButtonElement} */ (box.querySelector("button"));
  button.addEventListener("click", (event) => {
    event.preventDefault();
    if (button.form) void showEffect(box, button.form);
  });
}
