/* Finished work is judged: the changes of the first person one by one, and the page sent back with a reason. */
import { the } from "./the.js";

export class Verdict {
  /** `root` null: this task judges nobody. `on.go(sku_id, key)`: to what was changed there.
     @param {HTMLElement | null} root
     @param {HTMLDialogElement | null} dialog
     @param {{ go: (sku_id: string, key: string) => void, sendBack: (reason: string) => void }} on */
  constructor(root, dialog, on) {
    this.root = root;
    this.dialog = dialog;
    root?.addEventListener("click", (event) => {
      const change = event.target.closest("[data-difference]");
      if (change) on.go(change.dataset.of ?? "", change.dataset.key ?? "");
    });
    if (!dialog) return;
    the(dialog, "[data-close]").addEventListener("click", () => dialog.close());
    the(dialog, "form").addEventListener("submit", (event) => {
      event.preventDefault();
      dialog.close();
      on.sendBack(the(dialog, "textarea").value);
    });
  }

  /* Whether there is anything to be judged: work that was opened again is not there. */
  get isThere() {
    return this.root !== null;
  }

  ask() {
    if (!this.dialog) return;
    this.dialog.showModal();
    the(this.dialog, "textarea").focus();
  }

  /** To the next change, or the one before.
     @type {(by: number) => void} */
  step(by) {
    const changes = [...(this.root?.querySelectorAll("[data-difference]") ?? [])];
    const here = changes.findIndex((change) => change === document.activeElement);
    changes.at(here < 0 ? (by > 0 ? 0 : -1) : (here + by) % changes.length)?.focus();
  }
}
