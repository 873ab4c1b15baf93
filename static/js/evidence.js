/* The proof of a value, beside its cell: the piece of the page with the highlighter, and who said it. */
import { fetched } from "./fetched.js";
import { place } from "./place.js";
import { openDialog } from "./row_dialog.js";
import { byId } from "./the.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

/** @type {(table: HTMLElement) => void} */
export function start(table) {
  const popover = byId("evidence");
  table.addEventListener("click", async (event) => {
    const cell = event.target.closest("[data-evidence]");
    if (!cell) return;
    const proof = await fetched(cell.dataset.evidence ?? "", cell);
    if (!proof) return;
    popover.replaceChildren(...proof);
    popover.showPopover();
    place(popover, cell);
    popover.querySelector("a, button")?.focus({ preventScroll: true });
    popover.addEventListener("toggle", (toggled) => toggled.newState === "closed" && cell.focus({ preventScroll: true }), { once: true });
  });
  popover.addEventListener("click", (event) => {
    const copy = event.target.closest("[data-copy]");
    const sku = event.target.closest("[data-open-sku]");
    if (copy) copyQuote(copy.dataset.copy ?? "");
    if (sku instanceof HTMLAnchorElement) {
      event.preventDefault();
      popover.hidePopover();
      openDialog(sku.dataset.openSku ?? "", sku.href, { field: sku.dataset.fieldKey });
    }
  });
}

/** @type {(quote: string) => Promise<void>} */
async function copyQuote(quote) {
  try {
    await navigator.clipboard.writeText(quote);
    toast(say("copied"), "done");
  } catch {
    toast(say("copy.failed"), "person");
  }
}
