/* Fetches a fragment into a dialog and shows it; a field that is looked at lights its proof on the page. */
import { fetched } from "./fetched.js";

/* `pressed`: what is busy until it is there; `field`: which of it is looked at first. */
export async function openDialog(id, url, { pressed = null, field = "" } = {}) {
  const dialog = document.getElementById(id);
  const content = await fetched(url, pressed);
  if (!content) return;
  dialog.replaceChildren(...content);
  lightProofs(dialog);
  if (!dialog.open) dialog.showModal();
  if (field) dialog.querySelector(`[data-mark-for="${CSS.escape(field)}"]`)?.focus();
}

function lightProofs(dialog) {
  const light = (event) => {
    const key = event.target.closest("[data-mark-for]")?.dataset.markFor;
    if (!key) return;
    for (const mark of dialog.querySelectorAll("[data-mark]")) mark.classList.toggle("lit", mark.dataset.mark === key);
  };
  const fields = dialog.querySelector(".fields");
  fields?.addEventListener("focusin", light);
  fields?.addEventListener("pointerover", light);
}
