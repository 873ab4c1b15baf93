/* Fetches a fragment into a dialog and shows it; a field that is looked at lights its proof on the page. Where it tells of a row of
   a list, the rows before and after it are one press away. */
import { startCorrecting } from "./correcting.js";
import { fetched } from "./fetched.js";
import { bind } from "./key_registry.js";
import { byId } from "./the.js";
import { bringInto, startZoom, zoom } from "./zoom.js";

// Which end of the next step of the list is opened when it is there.
const ENDS = ["#first", "#last"];

/** `pressed`: what is busy until it is there; `field`: which of it is looked at first.
   @type {(id: string, url: string, how?: { pressed?: Element | null, field?: string }) => Promise<void>} */
export async function openDialog(id, url, { pressed = null, field = "" } = {}) {
  const dialog = byId(id, HTMLDialogElement);
  const content = await fetched(url, pressed);
  if (!content) return;
  dialog.replaceChildren(...content);
  dialog.dataset.href = new URL(url, location.href).pathname;
  window.htmx?.process(dialog);
  lightProofs(dialog);
  startZoomOnce(dialog);
  showPlace(dialog);
  if (!dialog.open) dialog.showModal();
  if (field) dialog.querySelector(`[data-mark-for="${CSS.escape(field)}"]`)?.focus();
}

/** @type {(dialog: HTMLDialogElement) => void} */
function startZoomOnce(dialog) {
  const detail = dialog.querySelector(".dialog-body");
  if (detail instanceof HTMLElement) startZoom(detail);
}

/** @type {(dialog: HTMLElement) => HTMLElement[]} */
const rowsOf = (dialog) => [...document.querySelectorAll(`tr[data-href][data-dialog="${dialog.id}"]`)];
/** @type {(dialog: HTMLElement, rows: HTMLElement[]) => number} */
const placeIn = (dialog, rows) => rows.findIndex((row) => row.dataset.href === dialog.dataset.href);
/** @type {(by: number) => HTMLAnchorElement | null} */
function onward(by) {
  const link = document.querySelector(`.table-foot a[rel="${by > 0 ? "next" : "prev"}"]`);
  return link instanceof HTMLAnchorElement ? link : null;
}

/** Marks the row in the list, and says which of its rows this is.
   @type {(dialog: HTMLDialogElement) => void} */
function showPlace(dialog) {
  const rows = rowsOf(dialog);
  const at = placeIn(dialog, rows);
  for (const [n, row] of rows.entries()) row.classList.toggle("at", n === at);
  rows[at]?.scrollIntoView({ block: "nearest" });
  const steps = dialog.querySelector("[data-steps]");
  if (!(steps instanceof HTMLElement)) return;
  steps.hidden = at < 0;
  for (const button of steps.querySelectorAll("[data-step]")) {
    const by = Number(button.dataset.step);
    button.toggleAttribute("disabled", !rows[at + by] && !onward(by));
    button.addEventListener("click", () => step(dialog, by));
  }
  const told = steps.querySelector("[data-place]");
  if (told) told.textContent = `${at + 1} / ${rows.length}`;
}

/** To another row; over the end of this step of the list to the next one.
   @type {(dialog: HTMLDialogElement, by: number) => void} */
function step(dialog, by) {
  const rows = rowsOf(dialog);
  const at = placeIn(dialog, rows);
  const to = rows[at + by];
  if (at < 0) return;
  if (to) openDialog(dialog.id, to.dataset.href ?? "", { pressed: dialog.querySelector(`[data-step="${by}"]`) });
  else {
    const link = onward(by);
    if (link) location.assign(link.href + ENDS[by > 0 ? 0 : 1]);
  }
}

/** The keys of the dialog, and the row that the way here wants to see.
   @type {(id: string) => void} */
export function startRowDialog(id) {
  const dialog = byId(id, HTMLDialogElement);
  /** @type {(run: () => void) => Pick<KeyUse, "run" | "when">} */
  const here = (run) => ({ run, when: (event) => dialog.open && !event.target.matches?.("[type=radio]") });
  bind({ scope: "dialog", keys: ["j", "ArrowRight"], says: "keys.next", ...here(() => step(dialog, 1)) });
  bind({ scope: "dialog", keys: ["k", "ArrowLeft"], says: "keys.previous", ...here(() => step(dialog, -1)) });
  bind({ scope: "dialog", keys: ["+", "="], says: "keys.zoom_in", ...here(() => zoom(dialog, "in")) });
  bind({ scope: "dialog", keys: ["-"], says: "keys.zoom_out", ...here(() => zoom(dialog, "out")) });
  dialog.addEventListener("close", () => rowsOf(dialog)[placeIn(dialog, rowsOf(dialog))]?.querySelector("a")?.focus({ preventScroll: true }));
  startCorrecting(dialog, (field) => openDialog(id, dialog.dataset.href ?? "", { field }));
  const end = ENDS.indexOf(location.hash);
  const row = end < 0 ? undefined : rowsOf(dialog).at(-end);
  if (!row) return;
  history.replaceState(null, "", location.pathname + location.search);
  openDialog(id, row.dataset.href ?? "", { pressed: row });
}

/** @type {(dialog: HTMLDialogElement) => void} */
function lightProofs(dialog) {
  /** @type {(event: { target: HTMLElement, type: string }) => void} */
  const light = (event) => {
    const key = event.target.closest("[data-mark-for]")?.dataset.markFor;
    if (!key) return;
    for (const mark of dialog.querySelectorAll("[data-mark]")) {
      mark.classList.toggle("lit", mark.dataset.mark === key);
      if (mark.dataset.mark === key && event.type === "focusin") bringInto(dialog, mark);
    }
  };
  const fields = dialog.querySelector(".fields");
  fields?.addEventListener("focusin", light);
  fields?.addEventListener("pointerover", light);
}
