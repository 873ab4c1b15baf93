/* What the buttons of the workbench do, by the name that each says in data-act. */
import { byId } from "./the.js";

/** @type {(bench: Bench) => void} */
export function bindButtons(bench) {
  const { task, acts, boxes, page, verdict } = bench;
  const skipping = byId("skip-dialog", HTMLDialogElement);
  /** @type {Record<string, () => unknown>} */
  const uses = {
    take: () => task.take("claim"), take_over: () => task.take("take_over"), reload: () => location.reload(), list: () => task.leave(),
    submit: () => task.submit(), save: () => bench.saving.flush(), release: () => task.release(), undo: () => bench.undo(), redo: () => bench.redo(),
    "send-back": () => verdict.ask(), skip: () => skipping.showModal(),
    add: () => acts.add(), duplicate: () => acts.duplicate(), reject: () => acts.reject(),
    split: () => acts.split(), merge: () => acts.merge(), "accept-all": () => acts.acceptAll(), "accept-sku": () => acts.acceptSku(),
    "tool-sku": () => boxes.take("sku"), "tool-picture": () => boxes.take("picture"),
    "zoom-in": () => page.zoomIn(), "zoom-out": () => page.zoomOut(), "fit-page": () => page.fitPage(), "fit-width": () => page.fitWidth(),
    "zoom-to": () => page.zoomTo(bench.sku?.box, bench.print.lineHeight),
  };
  bench.root.addEventListener("click", ({ target }) => {
    const act = target.closest("[data-act]")?.dataset.act;
    if (act) uses[act]?.();
    const again = target.closest("[data-reopen]")?.dataset.reopen;
    if (again) task.reopen(again);
    const part = /** @type {Part | undefined} */ (target.closest("[data-show-part]")?.dataset.showPart);
    if (part) bench.show(part);
    const pane = target.closest("[data-show-pane]")?.dataset.showPane;
    if (pane) bench.shown.showPane(pane);
  });
  skipping.addEventListener("click", ({ target }) => {
    const reason = target instanceof Element ? target.closest("[data-reason]")?.dataset.reason : undefined;
    if (reason) task.skip(reason);
  });
}
