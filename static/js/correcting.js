/* A value is corrected in the dialog of its product: the dialog shows the product as it is then, and so does its row in the list. */
import { timely } from "./timely.js";

/** `reopen`: shows the product again, and looks at the field.
   @type {(dialog: HTMLElement, reopen: (field: string) => Promise<void>) => void} */
export function startCorrecting(dialog, reopen) {
  dialog.addEventListener("corrected", async (event) => {
    if (!(event instanceof CustomEvent)) return;
    await reopen(String(event.detail.field));
    await refreshRow(dialog.dataset.href ?? "");
  });
  dialog.addEventListener("click", (event) => {
    const row = event.target.closest("[data-correct-leave]")?.closest("[data-mark-for]");
    row?.querySelector("[data-correct]")?.replaceChildren();
    row?.querySelector("[hx-get]")?.focus();
  });
}

/** Where it cannot be had the list stays as it was, until it is loaded again.
   @type {(href: string) => Promise<void>} */
async function refreshRow(href) {
  const wanted = `tr[data-href="${CSS.escape(href)}"]`;
  const answer = await timely(location.href, { redirect: "manual" }).catch(() => null);
  const text = answer?.ok ? await answer.text().catch(() => "") : "";
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector(wanted);
  const row = document.querySelector(wanted);
  if (fresh && row) row.innerHTML = fresh.innerHTML;
}
