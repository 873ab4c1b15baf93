/* Fetches a fragment into a dialog and shows it; a field that is looked at lights its proof on the page. */
import { fetched } from "./fetched.js";
import { byId } from "./the.js";

/** `pressed`: what is busy until it is there; `field`: which of it is looked at first.
   @type {(id: string, url: string, how?: { pressed?: Element | null, field?: string }) => Promise<void>} */
export async function openDialog(id, url, { pressed = null, field = "" } = {}) {
  const dialog = byId(id, HTMLDialogElement);
  const content = await fetched(url, pressed);
  if (!content) return;
  dialog.replaceChildren(...content);
  lightProofs(dialog);
  if (!dialog.open) dialog.showModal();
  if (field) dialog.querySelector(`[data-mark-for="${CSS.escape(field)}"]`)?.focus();
}

/** @type {(dialog: HTMLDialogElement) => void} */
function lightProofs(dialog) {
  /** @type {(event: { target: HTMLElement }) => void} */
  const light = (event) => {
    const key = event.target.closest("[data-mark-for]")?.dataset.markFor;
    if (!key) return;
    for (const mark of dialog.querySelectorAll("[data-mark]")) mark.classList.toggle("lit", mark.dataset.mark === key);
  };
  const fields = dialog.querySelector(".fields");
  fields?.addEventListener("focusin", light);
  fields?.addEventListener("pointerover", light);
}
