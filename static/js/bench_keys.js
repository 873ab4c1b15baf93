/* Keys of the workbench, in the one registry: chords work inside fields, single letters outside of them. */
import { bind } from "./keys.js";

const FIELD = "[data-field] input";

export function bindKeys(bench) {
  const outside = (keys, says, run, when) => bind({ scope: "bench", keys, says, run, when });
  const anywhere = (keys, says, run, when) => bind({ scope: "bench", keys, says, run, when, typing: true });

  anywhere(["Ctrl+Enter"], "keys.submit", () => bench.task.submit());
  anywhere(["Ctrl+S"], "keys.save", () => bench.saving.flush());
  const typed = watchTyping(bench.root);
  anywhere(["Ctrl+Z"], "keys.undo", () => typed.forget(bench.undo()), (event) => !typed.in(event.target));
  anywhere(["Ctrl+Shift+Z", "Ctrl+Y"], "keys.redo", () => typed.forget(bench.redo()), (event) => !typed.in(event.target));
  anywhere(["Enter"], "keys.confirm", () => bench.confirm(bench.key), (event) => event.target.matches(FIELD));
  anywhere(["Escape"], "keys.leave_field", () => bench.root.querySelector("[data-form]").focus(), (event) => event.target.matches("[data-form] input, [data-form] select"));

  outside(["c"], "keys.take", () => bench.task.take("claim"), () => ["free", "lost"].includes(bench.lock.state));
  outside(["j"], "keys.next_sku", () => bench.step(1));
  outside(["k"], "keys.previous_sku", () => bench.step(-1));
  outside(["]"], "keys.next_open", () => bench.next(1));
  outside(["["], "keys.previous_open", () => bench.next(-1));
  outside(["a"], "keys.accept", () => acceptFirst(bench));
  outside([..."123456789"], "keys.pick", (event) => bench.pickNumber(Number(event.key)));
  outside(["0"], "keys.pick_none", () => bench.pickNumber(0));
  outside(["n"], "keys.new_sku", () => bench.add());
  outside(["Shift+D"], "keys.duplicate", () => bench.duplicate());
  outside(["Delete"], "keys.reject", () => bench.reject());
  outside(["p"], "keys.page_part", () => bench.show(bench.part === "page" ? "skus" : "page"));
  outside(["s"], "keys.skip", () => document.getElementById("skip-dialog").showModal(), () => bench.lock.isMine);
  outside(["r"], "keys.release", () => bench.task.release());
  outside(["+", "="], "keys.zoom_in", () => bench.page.zoomIn());
  outside(["-"], "keys.zoom_out", () => bench.page.zoomOut());
  outside(["f"], "keys.fit_page", () => bench.page.fitPage());
  outside(["w"], "keys.fit_width", () => bench.page.fitWidth());
  outside(["z"], "keys.zoom_to", () => bench.page.zoomTo(bench.sku?.box));
  outside(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], "keys.pan", (event) => bench.page.key(event.key), (event) => !event.target.matches("input, select"));
  const reasons = [...document.querySelectorAll("#skip-dialog [data-reason]")];
  bind({ scope: "dialog", keys: reasons.map((_, n) => String(n + 1)), says: "keys.skip", run: (event) => reasons[Number(event.key) - 1].click(), when: () => document.getElementById("skip-dialog").open });
}

function acceptFirst(bench) {
  const first = bench.left().find(([at]) => at === bench.at);
  if (first) bench.confirm(first[1]);
}

/* While a field holds letters typed since it was entered, undo is the browser's own. */
function watchTyping(root) {
  let [field, value] = [null, ""];
  const enter = (input) => ([field, value] = [input, input.value]);
  root.addEventListener("focusin", (event) => event.target.matches("input") && enter(event.target));
  return { in: (target) => target === field && target.value !== value, forget: () => field && enter(field) };
}
