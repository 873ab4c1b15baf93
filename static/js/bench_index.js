/* All SKUs of the page as index tabs at the right edge: what is open first, then the rest, then what was rejected. */
import { clone } from "./bench_form.js";
import { setIcon } from "./icons.js";
import { say } from "./words.js";

export class SkuIndex {
  constructor(root, meta, pick) {
    Object.assign(this, { root, meta });
    root.addEventListener("click", (event) => {
      const tab = event.target.closest("[data-at]");
      if (tab) pick(Number(tab.dataset.at));
    });
  }

  /* `left`: SKU -> number of values left. */
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

  tab(sku, n, { left, changed }) {
    const item = clone("bench-tab");
    const tab = item.querySelector("button");
    const about = this.meta.skus[sku.sku_id];
    const asks = about?.blockers.length > 0;
    tab.dataset.at = n;
    tab.classList.toggle("open", !sku.rejected && (left > 0 || (asks && !changed)));
    tab.classList.toggle("rejected", sku.rejected);
    const [icon, word, tone] = this.mark({ sku, left, changed, asks, about });
    tab.querySelector("[data-tag]").textContent = `S${n + 1}`;
    tab.querySelector("[data-model]").textContent = sku.attributes.model?.text ?? sku.attributes.product_name?.text ?? say("bench.no_model");
    const mark = tab.querySelector("[data-mark]");
    mark.className = `mark mark-tone-${tone}`;
    setIcon(mark.querySelector("svg"), icon);
    mark.querySelector("span").textContent = word;
    return item;
  }

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
