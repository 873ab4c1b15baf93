/* Which picture shows the open SKU: up to nine candidates with a digit each, and none. */
import { make } from "./bench_shapes.js";
import { aboutOf } from "./bench_state.js";
import { clone, the } from "./the.js";

const MOST = 9;

/** What was bound and what might be, best first, then the nearest other pictures: digits that stay as one chooses.
   @type {(sku: Sku, page: { meta: Meta, base: PageState, pictures: Picture[] }) => string[]} */
export function candidatesOf(sku, { meta, base, pictures }) {
  const before = base.skus.find((other) => sku.sku_id !== null && other.sku_id === sku.sku_id);
  const drawn = sku.pictures.filter((id) => id.startsWith("new-"));
  const named = [...new Set([...(before?.pictures ?? []), ...drawn, ...(aboutOf(sku, meta)?.candidates ?? [])])];
  const others = pictures.filter((image) => !named.includes(image.image_id));
  const { box } = sku;
  if (box) others.sort((a, b) => distance(a.box, box) - distance(b.box, box));
  const known = new Set(pictures.map((image) => image.image_id));
  return [...named, ...others.map((image) => image.image_id)].filter((id) => known.has(id)).slice(0, MOST);
}

/** @type {(a: Box, b: Box) => number} */
function distance(a, b) {
  return Math.hypot((a[0] + a[2] - b[0] - b[2]) / 2, (a[1] + a[3] - b[1] - b[3]) / 2);
}

export class Picker {
  /** `on.pick(picture or null, several)`.
     @param {HTMLElement} root
     @param {{ meta: Meta, page: BenchPage }} bench
     @param {{ pick: (picture: string | null, several: boolean) => void }} on */
  constructor(root, { meta, page }, on) {
    this.root = root;
    this.meta = meta;
    this.page = page;
    this.shown = "";
    this.cards = the(root, "[data-cards]");
    root.addEventListener("click", (event) => {
      const card = event.target.closest("[data-card]");
      if (card && card.getAttribute("aria-disabled") !== "true") on.pick(card.dataset.card || null, event.shiftKey);
    });
  }

  /** `offered`: which of the pictures, in the order of their digits.
     @type {(view: { sku: Sku | null, offered: string[], writable: boolean, pictures: Picture[] }) => void} */
  show({ sku, offered, writable, pictures }) {
    this.root.hidden = !sku || !pictures.length;
    if (!sku || !pictures.length) return;
    const images = offered.flatMap((id) => pictures.find((image) => image.image_id === id) ?? []);
    const shown = JSON.stringify([sku.sku_id, images.map(({ image_id: id, box }) => [id, box])]);
    if (shown !== this.shown) this.cards.replaceChildren(...images.map((image, n) => this.card(sku, image, n + 1)));
    this.shown = shown;
    for (const card of this.root.querySelectorAll("[data-card]")) {
      const chosen = card.dataset.card ? sku.pictures.includes(card.dataset.card) : !sku.pictures.length;
      card.setAttribute("aria-pressed", String(chosen));
      card.setAttribute("aria-disabled", String(!writable));
      const main = card.querySelector("[data-main]");
      if (main) main.hidden = sku.pictures.length < 2 || sku.pictures[0] !== card.dataset.card;
    }
  }

  /** @type {(sku: Sku, image: Picture, digit: number) => HTMLElement} */
  card(sku, image, digit) {
    const id = image.image_id;
    const about = aboutOf(sku, this.meta);
    const score = about?.scores[id];
    const card = clone("bench-card");
    card.dataset.card = id;
    showPicture(the(card, "img"), image, this.page);
    the(card, "[data-digit]").textContent = String(digit);
    the(card, "[data-name]").textContent = image.name;
    the(card, "[data-score]").textContent = score === undefined ? "" : score.toFixed(2);
    the(card, "[data-why]").textContent = about?.why[id] ?? "";
    card.setAttribute("aria-keyshortcuts", String(digit));
    return card;
  }

  focusFirst() {
    (this.cards.querySelector('[aria-pressed="true"]') ?? this.cards.querySelector("[data-card]"))?.focus();
  }
}

/** The picture's file; where it has none yet, what is drawn around is cut from the page.
   @type {(img: HTMLImageElement, picture: Picture, page: BenchPage) => void} */
export function showPicture(img, { url, box }, page) {
  if (url || !page.image_url) {
    img.src = url;
    return;
  }
  const crop = cropOf(box, page);
  crop.setAttribute("class", img.className);
  img.replaceWith(crop);
}

/** A part of the page as an image.
   @type {(box: Box, page: BenchPage, by?: number) => SVGSVGElement} */
export function cropOf([x0, y0, x1, y1], page, by = 0) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `${x0 - by} ${y0 - by} ${x1 - x0 + 2 * by} ${y1 - y0 + 2 * by}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(make("image", { href: page.image_url, width: page.width_pt, height: page.height_pt, preserveAspectRatio: "none" }));
  return svg;
}
