/* Fetches a fragment into a dialog and shows it; a field that is looked at lights its proof on the page. */
import { toast } from "./toasts.js";
import { say } from "./words.js";

export async function openDialog(id, url, field = "") {
  const dialog = document.getElementById(id);
  const answer = await fetch(url, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return toast(say("request.failed"), "fault");
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  dialog.replaceChildren(...parsed.body.childNodes);
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
