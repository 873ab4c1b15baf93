/* Finished work is judged: the changes of the first person one by one, and the page sent back with a reason. */
export class Verdict {
  /* `root` null: this task judges nobody. `on.go(sku_id, key)`, `on.sendBack(reason)`. */
  constructor(root, dialog, on) {
    Object.assign(this, { root, dialog, at: -1 });
    root?.addEventListener("click", (event) => {
      const change = event.target.closest("[data-difference]");
      if (change) on.go(change.dataset.of, change.dataset.key);
    });
    dialog?.querySelector("[data-close]").addEventListener("click", () => dialog.close());
    dialog?.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      dialog.close();
      on.sendBack(event.target.elements.reason.value);
    });
  }

  ask() {
    this.dialog?.showModal();
    this.dialog?.querySelector("textarea").focus();
  }

  /* To the next change, or the one before. */
  step(by) {
    const changes = [...this.root.querySelectorAll("[data-difference]")];
    const here = changes.indexOf(document.activeElement);
    changes.at(here < 0 ? (by > 0 ? 0 : -1) : (here + by) % changes.length)?.focus();
  }
}
