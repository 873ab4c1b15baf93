/* Filter chips of the job page: one group of pages is shown, the others are hidden; counts stay live. */
import { byId } from "./the.js";

/** @type {(bar: HTMLElement) => void} */
export function start(bar) {
  const grid = byId("tiles");
  bar.addEventListener("click", (event) => {
    const chip = event.target.closest("[data-show]");
    if (!chip) return;
    for (const other of bar.querySelectorAll("[data-show]")) other.setAttribute("aria-pressed", String(other === chip));
    grid.dataset.show = chip.dataset.show;
    bar.dataset.shown = chip.dataset.show;
  });
}
