/* Menus open beside their button, inside the window; buttons open the dialog they name. */
import { place } from "./place.js";
import { byId } from "./the.js";

export function start() {
  document.addEventListener("beforetoggle", (event) => {
    const menu = event.target;
    if (event.newState !== "open" || !menu.matches(".menu")) return;
    const opener = document.querySelector(`[popovertarget="${menu.id}"]`);
    if (opener) requestAnimationFrame(() => place(menu, opener)); // it has its size by then, and nobody has seen it yet
  }, true);
  // Esc closes the menu and means nothing else meanwhile, whatever it does on this page.
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" ? document.querySelector(".menu:popover-open") : null;
    if (!menu) return;
    event.stopPropagation();
    menu.hidePopover();
  }, true);
  document.addEventListener("click", (event) => {
    const opener = event.target.closest?.("[data-opens]");
    if (opener) byId(opener.dataset.opens ?? "", HTMLDialogElement).showModal();
  });
}
