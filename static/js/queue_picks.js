/* What is ticked in the queue: rows, a document, the page, or all that is listed; each decision asks its own question about it. */
import { newId } from "./bench_commands.js";
import { bind } from "./key_registry.js";
import { all, the } from "./the.js";
import { say } from "./words.js";

/** @type {(panel: HTMLElement) => void} */
export function start(panel) {
  const listed = panel.querySelector("[data-pick-listed]");
  const every = the(panel, "[data-pick-all]", HTMLInputElement);
  let whole = false; // all that is listed, also what is on no row of this page
  const boxes = () => all(panel, "input[name=task]", HTMLInputElement);
  const ticked = () => boxes().filter((box) => box.checked);
  /** @type {(id: string) => HTMLInputElement[]} */
  const ofDocument = (id) => boxes().filter((box) => box.closest("tr")?.dataset.document === id);

  function show() {
    const on = ticked().length;
    const count = whole ? Number(panel.dataset.all) : on;
    reflect(every, boxes());
    for (const group of all(panel, "[data-pick-document]", HTMLInputElement)) reflect(group, ofDocument(group.dataset.pickDocument ?? ""));
    if (listed) listed.hidden = whole || !every.checked;
    for (const place of document.querySelectorAll("[data-picked]")) place.textContent = count ? say("queue.picked", { n: count }) : say("queue.nothing_picked");
    for (const button of all(panel, "[data-decision]", HTMLButtonElement)) button.disabled = !count;
    for (const most of document.querySelectorAll("[data-picked-most]")) most.hidden = !whole;
  }

  panel.addEventListener("change", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || !box.matches(".check")) return;
    whole = false;
    const { pickDocument } = box.dataset;
    const meant = box === every ? boxes() : pickDocument ? ofDocument(pickDocument) : [];
    for (const one of meant) one.checked = box.checked;
    show();
  });
  listed?.addEventListener("click", () => {
    whole = true;
    show();
    panel.querySelector("[data-decision]")?.focus();
  });
  /** @type {(event: FormDataEvent) => void} */
  function tell({ formData }) {
    formData.set("all", whole ? "1" : "");
    if (!whole) for (const box of ticked()) formData.append("task", box.value);
  }
  for (const form of all(document, "form[data-decide]", HTMLFormElement)) {
    the(form, "[data-close]").addEventListener("click", () => form.closest("dialog")?.close());
    form.addEventListener("submit", () => form.querySelector(".btn:not([data-close])")?.setAttribute("aria-busy", "true"));
    form.addEventListener("formdata", tell);
  }
  // A decision is named when it is asked for: sent twice it is one, and the next one is another.
  panel.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-decision]");
    if (opener) the(document, `#${opener.dataset.opens} [name=act]`, HTMLInputElement).value = newId();
  });
  const here = () => panel.querySelector("tr.at input[name=task]");
  bind({ scope: "list", keys: ["x"], says: "keys.tick", run: () => here()?.click(), when: () => here() !== null });
  show();
}

/** A box for several says whether all of them are ticked, or some.
   @type {(box: HTMLInputElement, boxes: HTMLInputElement[]) => void} */
function reflect(box, boxes) {
  const on = boxes.filter((one) => one.checked).length;
  box.checked = on > 0 && on === boxes.length;
  box.indeterminate = on > 0 && on < boxes.length;
}
