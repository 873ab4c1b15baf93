/* A button that is pressed before the scripts are there is pressed once they are. The only script that is no module: it
   comes before anything is shown. Links and forms need no script, and those that open something by themselves none either. */
(() => {
  /** @type {HTMLElement | null} */
  let pressed = null;

  /** @type {(event: Event) => void} */
  const keep = (event) => {
    pressed = /** @type {Element} */ (event.target).closest('button[type="button"]:not([popovertarget])');
  };

  document.addEventListener("click", keep, true);
  // Modules have run by then; what waits for the same event has its turn before.
  document.addEventListener("DOMContentLoaded", () =>
    setTimeout(() => {
      document.removeEventListener("click", keep, true);
      if (pressed?.isConnected) pressed.click();
    }),
  );
})();
