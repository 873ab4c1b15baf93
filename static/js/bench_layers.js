/* What is shown over the print: a switch and a count for each layer, and one key that goes through them. */
import { keep, kept } from "./keeping.js";

const STORED = "bench-layers";
const LAYERS = ["skus", "pictures", "text", "blocks", "tables", "ghost"];
const USUAL = ["skus", "pictures", "text", "ghost"];
const ROUNDS = [USUAL, ["skus"], ["pictures"], ["text", "blocks"], ["tables"], LAYERS];

export class Layers {
  /** `svg`: the sheet whose classes say what is shown.
     @param {HTMLElement} root
     @param {SVGSVGElement} svg */
  constructor(root, svg) {
    this.root = root;
    this.svg = svg;
    this.shown = usual();
    root.addEventListener("click", (event) => {
      const layer = event.target.closest("[data-layer]")?.dataset.layer;
      if (layer) this.show(this.shown.includes(layer) ? this.shown.filter((one) => one !== layer) : [...this.shown, layer]);
    });
    this.show(this.shown);
  }

  /** @type {(shown: string[]) => void} */
  show(shown) {
    this.shown = shown;
    for (const layer of LAYERS) {
      this.svg.classList.toggle(`with-${layer}`, shown.includes(layer));
      this.root.querySelector(`[data-layer="${layer}"]`)?.setAttribute("aria-pressed", String(shown.includes(layer)));
    }
    keep(STORED, shown.join(" "));
  }

  next() {
    const here = ROUNDS.findIndex((round) => round.join() === this.shown.join());
    this.show(ROUNDS[(here + 1) % ROUNDS.length]);
  }

  /** @type {(hidden: boolean) => void} */
  hideAll(hidden) {
    this.svg.classList.toggle("without-all", hidden);
  }

  /** @type {(counts: Record<string, number>) => void} */
  count(counts) {
    for (const [layer, count] of Object.entries(counts)) {
      const place = this.root.querySelector(`[data-layer="${layer}"] [data-count]`);
      if (place && place.textContent !== String(count)) place.textContent = String(count);
    }
  }
}

/** @type {() => string[]} */
function usual() {
  const stored = kept(STORED)?.split(" ").filter((layer) => LAYERS.includes(layer));
  return stored?.length ? stored : USUAL;
}
