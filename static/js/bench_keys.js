/* Keys of the workbench, in the one registry: chords work inside fields, single letters outside of them. */
import { bindOffer, bindTable } from "./bench_table_keys.js";
import { bind } from "./key_registry.js";
import { byId, the } from "./the.js";

/** @typedef {(keys: readonly string[], says: string, run: (event: KeyPress) => unknown, when?: (event: KeyPress) => boolean) => void} Binds */

const FIELD = "[data-field] input";
const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
// First key -> the group of choices on the page part that its digits pick from.
/** @type {Record<string, ChoiceGroup>} */
const CHOICES = { p: "page_type", l: "layout_type", t: "text_role", i: "image_role" };
// Second key of "e ..." -> the field that it goes to.
/** @type {Record<string, [name: string, key: string]>} */
const FIELDS = { m: ["model", "model"], n: ["name", "product_name"], p: ["price", "price"], s: ["size", "size"], c: ["colour", "color"], a: ["material", "material"], q: ["moq", "moq"] };

/** @type {(bench: Bench) => void} */
export function bindKeys(bench) {
  /** @type {Binds} */
  const outside = (keys, says, run, when) => bind({ scope: "bench", keys, says, run, when });
  /** @type {Binds} */
  const anywhere = (keys, says, run, when) => bind({ scope: "bench", keys, says, run, when, typing: true });
  const { boxes, page } = bench;
  const skipping = byId("skip-dialog", HTMLDialogElement);
  bindOffer(bench.offer);
  bindTable(bench.table);

  anywhere(["Ctrl+Enter"], "keys.submit", () => bench.task.submit());
  anywhere(["Ctrl+S"], "keys.save", () => bench.saving.flush());
  const typed = watchTyping(bench.root);
  const byHistory = (/** @type {() => void} */ step) => () => {
    step();
    typed.forget();
  };
  anywhere(["Ctrl+Z"], "keys.undo", byHistory(() => bench.undo()), (event) => !typed.in(event.target));
  anywhere(["Ctrl+Shift+Z", "Ctrl+Y"], "keys.redo", byHistory(() => bench.redo()), (event) => !typed.in(event.target));
  /** @type {(event: KeyPress) => boolean} */
  const isDrawing = (event) => boxes.tool !== "select" && !event.target.matches("input, button, select");
  anywhere(["Enter"], "keys.confirm", (event) => (isDrawing(event) ? boxes.createInTheMiddle() : bench.key && bench.acts.confirm(bench.key)), (event) => event.target.matches(FIELD) || isDrawing(event));
  anywhere(["Escape"], "keys.leave_field", (event) => leave(bench, event.target));

  outside(["c"], "keys.take", () => bench.task.take("claim"), () => ["free", "lost"].includes(bench.lock.state));
  outside(["j"], "keys.next_sku", () => bench.step(1));
  outside(["k"], "keys.previous_sku", () => bench.step(-1));
  outside(["]"], "keys.next_open", () => bench.next(1));
  outside(["["], "keys.previous_open", () => bench.next(-1));
  outside(["a"], "keys.accept", () => bench.acts.acceptSku());
  outside(["Shift+A"], "keys.accept_all", () => bench.acts.acceptAll());
  outside([..."123456789"], "keys.pick", (event) => bench.acts.pickNumber(Number(event.key)));
  outside([..."123456789"].map((digit) => `Shift+${digit}`), "keys.pick_more", (event) => bench.acts.pickNumber(Number(event.code.at(-1)), true));
  outside(["0"], "keys.pick_none", () => bench.acts.pickNumber(0));
  outside(["n"], "keys.new_sku", () => bench.acts.add());
  outside(["Shift+G"], "keys.take_alternative", () => bench.alternatives.take(), () => bench.alternatives.left.length > 0);
  outside(["Shift+D"], "keys.duplicate", () => bench.acts.duplicate());
  outside(["Shift+S"], "keys.split", () => bench.acts.split());
  outside(["Shift+M"], "keys.merge", () => bench.acts.merge());
  outside(["Delete"], "keys.reject", () => boxes.remove());
  outside(["p"], "keys.page_part", () => bench.show(bench.part === "page" ? "skus" : "page"));
  outside(["Shift+T"], "keys.table_part", () => bench.show(bench.part === "table" ? "skus" : "table"));
  outside(["d"], "keys.around_part", () => bench.show(bench.part === "around" ? "skus" : "around"));
  outside(["m"], "keys.talk_part", () => bench.show("talk"));
  outside([","], "keys.peek_before", () => bench.peek.show(-1));
  outside(["."], "keys.peek_after", () => bench.peek.show(1));
  outside(["q"], "keys.lens", () => bench.lens.show(boxes.box ?? bench.place ?? bench.sku?.box));
  if (bench.verdict.isThere) bindVerdict(bench, outside);
  outside(["h"], "keys.past_part", () => bench.show(bench.part === "past" ? "skus" : "past"));
  for (const [first, group] of Object.entries(CHOICES)) bindChoices(bench, first, group, outside);
  for (const [second, [name, key]] of Object.entries(FIELDS)) outside([`e ${second}`], `keys.edit_${name}`, () => bench.edit(key));
  outside(["s"], "keys.skip", () => skipping.showModal(), () => bench.lock.isMine);
  outside(["r"], "keys.release", () => bench.task.release());

  outside(["v"], "keys.choose_box", () => boxes.choose(boxes.chosen ? null : { kind: "sku" }));
  outside(["b"], "keys.draw_sku", () => boxes.take("sku"));
  outside(["Shift+B"], "keys.draw_picture", () => boxes.take("picture"));
  /** @type {(event: KeyPress) => boolean} */
  const inField = (event) => event.target.matches(FIELD);
  anywhere(ARROWS, "keys.pan", (event) => (inField(event) ? bench.form.step(event.key === "ArrowDown" ? 1 : -1) : boxes.arrow(event)),
    (event) => (inField(event) ? ["ArrowUp", "ArrowDown"].includes(event.key) : !event.target.matches("input, select, textarea")));
  outside(ARROWS.map((arrow) => `Ctrl+Shift+${arrow}`), "keys.resize", (event) => boxes.resize(event), () => boxes.canChange);
  outside(["o"], "keys.layers", () => bench.layers.next());
  outside(["Shift+O"], "keys.hide_layers", () => bench.layers.hideAll(true));
  document.addEventListener("keyup", (event) => {
    bench.peek.hide();
    bench.lens.hide();
    if (["o", "O", "Shift"].includes(event.key)) bench.layers.hideAll(false);
  });
  outside(["+", "="], "keys.zoom_in", () => page.zoomIn());
  outside(["-"], "keys.zoom_out", () => page.zoomOut());
  outside(["f"], "keys.fit_page", () => page.fitPage());
  outside(["w"], "keys.fit_width", () => page.fitWidth());
  outside(["z"], "keys.zoom_to", () => page.zoomTo(boxes.box ?? bench.sku?.box, bench.print.lineHeight));
  const reasons = [...skipping.querySelectorAll("[data-reason]")];
  bind({ scope: "dialog", keys: reasons.map((_, n) => String(n + 1)), says: "keys.skip", run: (event) => reasons[Number(event.key) - 1].click(), when: () => skipping.open });
}

/** A letter, then the digit of the choice as it is printed beside it.
   @type {(bench: Bench, first: string, group: ChoiceGroup, outside: Binds) => void} */
function bindChoices(bench, first, group, outside) {
  const choices = [...bench.root.querySelectorAll(`[data-choice-of="${group}"]`)];
  outside(choices.map((_, n) => `${first} ${n + 1}`), `keys.${group}`, (event) => bench.pagePart.pick(group, choices[Number(event.key) - 1].dataset.value ?? ""));
}

/** @type {(bench: Bench, outside: Binds) => void} */
function bindVerdict(bench, outside) {
  outside(["y"], "keys.verdict_part", () => bench.show("verdict"));
  outside(["x"], "keys.send_back", () => bench.verdict.ask(), () => bench.lock.isMine);
  const dialog = byId("send-back-dialog", HTMLDialogElement);
  bind({ scope: "dialog", keys: ["Ctrl+Enter"], says: "keys.send_back", typing: true, run: () => the(dialog, "form").requestSubmit(), when: () => dialog.open });
}

/** @type {(bench: Bench, target: HTMLElement) => void} */
function leave(bench, target) {
  if (target.matches("[data-form] input, [data-form] select, [data-sides] input")) the(bench.root, "[data-form]").focus();
  else bench.boxes.leave();
}

/** While a field holds letters typed since it was entered, undo is the browser's own.
   @type {(root: HTMLElement) => { in: (target: HTMLElement) => boolean, forget: () => void }} */
function watchTyping(root) {
  /** @type {HTMLInputElement | null} */
  let field = null;
  let value = "";
  /** @type {(input: HTMLInputElement) => void} */
  const enter = (input) => {
    field = input;
    ({ value } = input);
  };
  root.addEventListener("focusin", ({ target }) => target instanceof HTMLInputElement && enter(target));
  return { in: (target) => field !== null && target === field && field.value !== value, forget: () => field && enter(field) };
}
