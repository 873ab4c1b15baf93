/* The state of the workbench as it is shown: each part is given what it shows, boxes only where something about them has changed. */
import { candidatesOf } from "./bench_pictures.js";
import * as states from "./bench_state.js";
import { all, the } from "./the.js";
import { say } from "./words.js";

/** @type {Part[]} */
const PARTS = ["skus", "table", "page", "verdict", "around", "talk", "past"];

export class Shown {
  /** @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
    this.root = bench.root;
    this.drawn = ""; // what the boxes on the page say
  }

  render() {
    const { bench } = this;
    const { state, at, meta, sku, pictures, isWritable: writable, part } = bench;
    const left = states.openValues(state, bench.base, meta);
    /** @type {Map<number, number>} */
    const leftOf = new Map();
    for (const [n] of left) leftOf.set(n, (leftOf.get(n) ?? 0) + 1);
    const offered = sku ? candidatesOf(sku, bench) : [];
    bench.alternatives.show();
    bench.offer.show();
    if (part === "table") bench.table.show();
    else bench.form.show({ state, at, writable, open: left.filter(([n]) => n === at).map(([, key]) => key), problems: Object.fromEntries(bench.saidOf(at)) });
    bench.leftOver.show(state);
    bench.picker.show({ sku: part === "skus" && sku && !sku.rejected ? sku : null, offered, writable, pictures });
    if (part !== "table") bench.index.show({ state, order: states.inOrder(state, meta), at, left: leftOf, changed: this.changedSkus() });
    bench.pagePart.show({ state, writable, pictures, chosen: bench.boxes.chosen });
    this.drawPage(new Set(leftOf.keys()), new Map(offered.map((id, n) => [id, n + 1])));
    bench.boxes.show();
    this.showParts();
    this.showButtons(writable);
    the(this.root, "[data-sku-count]").textContent = String(state.skus.length);
    the(this.root, "[data-left]").textContent = left.length ? say("bench.left", { n: left.length }) : say("bench.nothing_left");
    bench.thread.draw();
  }

  changedSkus() {
    const before = new Map(this.bench.base.skus.map((sku) => [sku.sku_id, sku]));
    return new Set(this.bench.state.skus.flatMap((sku, n) => (states.same(sku, before.get(sku.sku_id)) ? [] : [n])));
  }

  /** Drawn anew where something has changed, not at each letter. `open`: SKUs with something left; `numbers`: picture -> digit.
     @type {(open: Set<number>, numbers: Map<string, number>) => void} */
  drawPage(open, numbers) {
    const { state, at, sku, base, meta, pictures, page, map, layers } = this.bench;
    const shown = JSON.stringify([at, [...open], [...numbers], state.drawn, state.skus.map(({ box, rejected, pictures: bound }) => [box, rejected, bound]), sku && Object.values(sku.attributes).map((value) => value?.box)]);
    if (shown === this.drawn) return;
    this.drawn = shown;
    const about = sku && states.aboutOf(sku, meta);
    const tied = new Set([...(about?.candidates ?? []), ...(sku?.pictures ?? [])]);
    page.draw({ state, base, images: pictures, evidence: about?.evidence ?? {}, at, open, numbers, tied });
    const boxes = state.skus.flatMap(({ box, rejected }, n) => (box && !rejected ? [{ n, box }] : []));
    map.draw(boxes.map(({ box }) => box), boxes.filter(({ n }) => open.has(n)).map(({ box }) => box));
    layers.count({ skus: boxes.length, pictures: pictures.length });
  }

  showParts() {
    const { verdict, part } = this.bench;
    this.root.dataset.part = part;
    for (const name of PARTS) {
      if (name === "verdict" && !verdict.isThere) continue;
      the(this.root, `[data-${name}-part]`).hidden = part !== name;
      the(this.root, `[data-show-part="${name}"]`).setAttribute("aria-pressed", String(part === name));
    }
  }

  /** @type {(writable: boolean) => void} */
  showButtons(writable) {
    const { data, state, base, meta, history } = this.bench;
    const isFixed = data.judges && !states.same(states.trimmed(state), states.trimmed(base));
    if (data.judges) the(this.root, "[data-submit-word]").textContent = say(isFixed ? "bench.fix_and_accept" : "bench.accept");
    for (const button of all(this.root, "[data-needs-lock]", HTMLButtonElement)) button.disabled = !writable;
    const sure = states.acceptable(state, base, meta).length;
    const acceptAll = the(this.root, "[data-accept-all]", HTMLButtonElement);
    the(acceptAll, "[data-word]").textContent = say("bench.accept_all", { least: meta.accept_from.toFixed(2), n: sure });
    acceptAll.disabled = !writable || !sure;
    the(this.root, "[data-undo]", HTMLButtonElement).disabled = !writable || !history.past.length;
    the(this.root, "[data-redo]", HTMLButtonElement).disabled = !writable || !history.future.length;
  }

  /** Where there is room for one of them alone: the print or the form.
     @type {(pane: string) => void} */
  showPane(pane) {
    this.root.dataset.pane = pane;
    for (const button of this.root.querySelectorAll(".bench-panes [data-show-pane]")) button.setAttribute("aria-pressed", String(button.dataset.showPane === pane));
  }
}
