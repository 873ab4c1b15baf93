/* A button that shows and hides the panel it controls at the right of the grid. */
import { bind } from "./keys.js";

export function start(button) {
  const panel = document.getElementById(button.getAttribute("aria-controls"));
  const grid = panel.closest("[data-side-panel-grid]");
  const toggle = () => {
    panel.hidden = !panel.hidden;
    button.setAttribute("aria-expanded", String(!panel.hidden));
    grid.classList.toggle("alone", panel.hidden);
    grid.classList.toggle("export-open", !panel.hidden);
    if (!panel.hidden) panel.querySelector("a, button, input")?.focus();
  };
  button.addEventListener("click", toggle);
  bind({ scope: "list", keys: ["Shift+E"], says: "keys.export", run: toggle });
}
