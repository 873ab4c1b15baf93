/* A button that shows and hides the panel it controls at the right of the grid. */
import { bind } from "./key_registry.js";
import { byId } from "./the.js";

/** @type {(button: HTMLButtonElement) => void} */
export function start(button) {
  const panel = byId(button.getAttribute("aria-controls") ?? "");
  const grid = panel.closest("[data-side-panel-grid]");
  const toggle = () => {
    panel.hidden = !panel.hidden;
    button.setAttribute("aria-expanded", String(!panel.hidden));
    grid?.classList.toggle("alone", panel.hidden);
    grid?.classList.toggle("export-open", !panel.hidden);
    if (!panel.hidden) panel.querySelector("a, button, input")?.focus();
  };
  button.addEventListener("click", toggle);
  bind({ scope: "list", keys: ["Shift+E"], says: "keys.export", run: toggle });
}
