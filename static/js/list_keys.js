/* Moves through the rows of a table with j and k, opens with Enter; a press on a row's free space, or on its link that is marked so, opens it too. */
import { bind } from "./key_registry.js";
import { openDialog, startRowDialog } from "./row_dialog.js";
import { the } from "./the.js";

/** @type {(table: HTMLElement) => void} */
export function start(table) {
  const rows = () => [...the(table, "tbody").rows].filter((row) => row.dataset.href);
  const at = () => rows().findIndex((row) => row.classList.contains("at"));

  /** @type {(step: number) => void} */
  function go(step) {
    const all = rows();
    if (!all.length) return;
    const from = at();
    const to = Math.max(0, Math.min(all.length - 1, from < 0 ? (step > 0 ? 0 : all.length - 1) : from + step));
    all[from]?.classList.remove("at");
    all[to].classList.add("at");
    const link = all[to].querySelector("a");
    link?.focus({ preventScroll: true });
    all[to].scrollIntoView({ block: "nearest" });
  }

  /** @type {(row: HTMLElement | undefined) => void} */
  function open(row) {
    const { dialog, href } = row?.dataset ?? {};
    if (!row || !href) return;
    if (dialog) openDialog(dialog, href, { pressed: row });
    else location.assign(href);
  }

  bind({ scope: "list", keys: ["j"], says: "keys.next", run: () => go(1) });
  bind({ scope: "list", keys: ["k"], says: "keys.previous", run: () => go(-1) });
  bind({ scope: "list", keys: ["Enter"], says: "keys.open", run: () => open(rows()[at()]), when: (event) => at() >= 0 && (event.target === document.body || event.target.matches("main, .at a")) });
  const dialog = rows().find((row) => row.dataset.dialog)?.dataset.dialog;
  if (dialog) startRowDialog(dialog);
  table.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-href]");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("a[data-open]")) event.preventDefault();
    else if (event.target.closest("a, button, input, label, summary")) return;
    open(row);
  });
}
