/* What another extractor proposed for the page: said above the form, drawn on the page while it is looked at, taken with one key. */
import { add, rect } from "./bench_shapes.js";
import { untaken, withAlternative } from "./bench_state.js";
import { all, clone, the } from "./the.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

const VALUES_SHOWN = 4;

export class Alternatives {
  /** `sheet`: where places are drawn.
     @param {HTMLElement} root
     @param {Bench} bench
     @param {SVGElement} sheet */
  constructor(root, bench, sheet) {
    this.root = root;
    this.bench = bench;
    /** @type {{ alternative: Alternative, skus: Sku[] }[]} */
    this.left = [];
    this.written = "";
    this.layer = add(sheet, "g", { class: "bench-offers" });
    root.addEventListener("click", (event) => {
      if (event.target.closest("[data-take-alternative]")) this.take(this.at(event.target));
    });
    root.addEventListener("pointerover", (event) => this.draw(event.target));
    root.addEventListener("focusin", (event) => this.draw(event.target));
    root.addEventListener("pointerleave", () => this.draw(document.activeElement));
    root.addEventListener("focusout", () => this.draw(null));
  }

  /** Which of those that are left this is part of; -1: none.
     @type {(part: Element | null) => number} */
  at(part) {
    const one = part?.closest("[data-alternative]");
    return one ? [...this.root.querySelectorAll("[data-alternative]")].indexOf(one) : -1;
  }

  /** One step of the history.
     @type {(at?: number) => void} */
  take(at = 0) {
    const { bench } = this;
    const { state } = bench;
    const taken = this.left[at];
    if (!taken || !bench.change(withAlternative(state, taken.alternative))) return;
    this.draw(null);
    bench.open(state.skus.length);
    const [first] = Object.entries(taken.skus[0].attributes).find(([, value]) => value) ?? ["model"];
    bench.view.focus(first);
    toast(say("alternative.taken", { n: taken.skus.length }), "done", bench.acts.undoAction());
  }

  /** The places of what is pointed at: of one product, or of all of them.
     @type {(part: Element | null) => void} */
  draw(part) {
    this.layer.replaceChildren();
    const { skus } = this.left[this.at(part)] ?? { skus: [] };
    const product = part?.closest("[data-product]");
    const chosen = product ? skus[[...(product.parentElement?.children ?? [])].indexOf(product)] : undefined;
    for (const sku of skus) if (sku.box) rect(this.layer, sku === chosen ? "line chosen" : "line", sku.box, 1);
  }

  /* Made anew only where it says something else. */
  show() {
    const { state, meta, isWritable } = this.bench;
    this.left = meta.alternatives.map((alternative) => ({ alternative, skus: untaken(state, alternative) })).filter(({ skus }) => skus.length);
    const written = JSON.stringify(this.left.map(({ alternative, skus }) => [alternative.proposer, skus.map(words)]));
    if (written !== this.written) {
      this.written = written;
      this.draw(null);
      the(this.root, "ul").replaceChildren(...this.left.map(line));
      this.root.hidden = !this.left.length;
    }
    for (const button of all(this.root, "[data-take-alternative]", HTMLButtonElement)) button.hidden = !isWritable;
  }
}

/** @type {(sku: Sku) => string[]} */
function words({ attributes, custom }) {
  const values = [...Object.values(attributes), ...custom].flatMap((value) => value?.text ?? []);
  return values.slice(0, VALUES_SHOWN);
}

/** @type {(left: { alternative: Alternative, skus: Sku[] }, n: number) => HTMLElement} */
function line({ alternative, skus }, n) {
  const item = clone("bench-alternative");
  const id = `alternative-${n}`;
  const title = the(item, "[data-words]");
  title.id = id;
  title.textContent = say(skus.length === 1 ? "alternative.one" : "alternative.many", { n: skus.length, way: alternative.way });
  const list = the(item, "ol");
  list.setAttribute("aria-labelledby", id);
  list.replaceChildren(...skus.map(productLine));
  for (const key of item.querySelectorAll("kbd")) key.hidden = n > 0; // the key takes the first
  return item;
}

/** @type {(sku: Sku) => HTMLElement} */
function productLine(sku) {
  const item = document.createElement("li");
  item.dataset.product = "";
  const [name, ...more] = words(sku);
  const first = document.createElement("b");
  first.textContent = name;
  item.append(first, ...more.map((text) => ` ${text}`));
  return item;
}
