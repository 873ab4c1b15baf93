/* Moves through the rows of a table with j and k, opens with Enter; a press on a row's free space opens it too. */
import { bind } from "./keys.js";
import { openDialog } from "./row_dialog.js";

export function start(table) {
  const rows = () => [...table.tBodies[0].rows].filter((row) => row.dataset.href);
  const at = () => rows().findIndex((row) => row.classList.contains("at"));

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

  function open(row) {
    if (!row) return;
    if (row.dataset.dialog) openDialog(row.dataset.dialog, row.dataset.href, { pressed: row });
    else location.assign(row.dataset.href);
  }

  bind({ scope: "list", keys: ["j"], says: "keys.next", run: () => go(1) });
  bind({ scope: "list", keys: ["k"], says: "keys.previous", run: () => go(-1) });
  bind({ scope: "list", keys: ["Enter"], says: "keys.open", run: () => open(rows()[at()]), when: (event) => at() >= 0 && (event.target === document.body || event.target.matches("main, .at a")) });
  table.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-href]");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("a[data-open]")) event.preventDefault();
    else if (event.target.closest("a, button, input, label, summary")) return;
    open(row);
  });
}
