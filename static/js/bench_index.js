/* All SKUs of the page as index tabs at the right edge: what is open first, then the rest, then what was rejected. */
import { aboutOf } from "./bench_state.js";
import { setIcon } from "./icons.js";
import { clone, the } from "./the.js";
import { say } from "./words.js";

export class SkuIndex {
  /** `pick(at)`: a tab was pressed.
     @param {HTMLElement} root
     @param {Meta} meta
     @param {(at: number) => void} pick */
  constructor(root, meta, pick) {
    this.root = root;
    this.meta = meta;
    this.shown = "";
    root.addEventListener("click", (event) => {
      const tab = event.target.closest("[data-at]");
      if (tab) pick(Number(tab.dataset.at));
    });
  }

  /** `left`: SKU -> number of values left; `changed`: SKUs that are not as they were read.
     @type {(view: { state: PageState, order: number[], at: number, left: Map<number, number>, changed: Set<number> }) => void} */
  show({ state, order, at, left, changed }) {
    const shown = JSON.stringify([order, [...left], [...changed], state.skus.map(({ sku_id: id, rejected, accepted, attributes: { model, product_name: name } }) => [id, rejected, accepted, model?.text, name?.text])]);
    const had = this.root.contains(document.activeElement);
    const anew = shown !== this.shown;
    if (anew) this.root.replaceChildren(...order.map((n) => this.tab(state.skus[n], n, { left: left.get(n) ?? 0, changed: changed.has(n) })));
    this.shown = shown;
    const before = this.root.querySelector('[aria-current="true"]');
    const active = this.root.querySelector(`[data-at="${at}"]`);
    if (before === active && !anew) return;
    before?.removeAttribute("aria-current");
    active?.setAttribute("aria-current", "true");
    active?.scrollIntoView({ block: "nearest" });
    if (had) active?.focus({ preventScroll: true });
  }

  /** @type {(sku: Sku, n: number, how: { left: number, changed: boolean }) => HTMLElement} */
  tab(sku, n, { left, changed }) {
    const item = clone("bench-tab");
    const tab = the(item, "button");
    const about = aboutOf(sku, this.meta);
    const asks = (about?.blockers.length ?? 0) > 0;
    tab.dataset.at = String(n);
    tab.classList.toggle("open", !sku.rejected && (left > 0 || (asks && !changed)));
    tab.classList.toggle("rejected", sku.rejected);
    const [icon, word, tone] = this.mark({ sku, left, changed, asks, about });
    the(tab, "[data-tag]").textContent = `S${n + 1}`;
    the(tab, "[data-model]").textContent = sku.attributes.model?.text ?? sku.attributes.product_name?.text ?? say("bench.no_model");
    const mark = the(tab, "[data-mark]");
    mark.className = `mark mark-tone-${tone}`;
    setIcon(the(mark, "svg"), icon);
    the(mark, "span").textContent = word;
    return item;
  }

  /** @type {(one: { sku: Sku, left: number, changed: boolean, asks: boolean, about: SkuMeta | undefined }) => [icon: string, word: string, tone: string]} */
  mark({ sku, left, changed, asks, about }) {
    if (sku.rejected) return ["slash", say("bench.rejected"), "ink2"];
    if (sku.accepted) return ["check", say("bench.accepted"), "done"];
    if (left) return ["dot", say("bench.left", { n: left }), "person"];
    if (sku.sku_id === null) return ["pencil", say("bench.new"), "done"];
    if (changed) return ["pencil", say("bench.edited"), "done"];
    if (asks) return ["person", say("bench.to_check"), "person"];
    return ["bolt", about?.confidence?.toFixed(2) ?? "", "machine"];
  }
}
