/* Which picture shows the open SKU: up to nine candidates with a digit each, and none. */
import { clone } from "./bench_form.js";

const MOST = 9;

/* What was bound and what might be, best first, then the nearest other pictures: digits that stay as one chooses. */
export function candidatesOf(sku, { meta, base }) {
  const before = base.skus.find((other) => sku.sku_id !== null && other.sku_id === sku.sku_id);
  const named = [...new Set([...(before?.pictures ?? []), ...(meta.skus[sku.sku_id]?.candidates ?? [])])];
  const others = meta.images.filter((image) => !named.includes(image.image_id));
  if (sku.box) others.sort((a, b) => distance(a.box, sku.box) - distance(b.box, sku.box));
  const known = new Set(meta.images.map((image) => image.image_id));
  return [...named, ...others.map((image) => image.image_id)].filter((id) => known.has(id)).slice(0, MOST);
}

function distance(a, b) {
  return Math.hypot((a[0] + a[2] - b[0] - b[2]) / 2, (a[1] + a[3] - b[1] - b[3]) / 2);
}

export class Picker {
  /* `on.pick(image id or null, several)`. */
  constructor(root, meta, on) {
    Object.assign(this, { root, meta });
    this.cards = root.querySelector("[data-cards]");
    root.addEventListener("click", (event) => {
      const card = event.target.closest("[data-card]");
      if (card && card.getAttribute("aria-disabled") !== "true") on.pick(card.dataset.card || null, event.shiftKey);
    });
  }

  show({ sku, offered, writable }) {
    this.root.hidden = !sku || !this.meta.images.length;
    if (this.root.hidden) return;
    const shown = JSON.stringify([sku.sku_id, offered]);
    if (shown !== this.shown) {
      this.cards.replaceChildren(...offered.map((id, n) => this.card(sku, id, n + 1)));
    }
    this.shown = shown;
    for (const card of this.root.querySelectorAll("[data-card]")) {
      const chosen = card.dataset.card ? sku.pictures.includes(card.dataset.card) : !sku.pictures.length;
      card.setAttribute("aria-pressed", String(chosen));
      card.setAttribute("aria-disabled", String(!writable));
      const main = card.querySelector("[data-main]");
      if (main) main.hidden = sku.pictures.length < 2 || sku.pictures[0] !== card.dataset.card;
    }
  }

  card(sku, id, digit) {
    const image = this.meta.images.find((one) => one.image_id === id);
    const score = this.meta.skus[sku.sku_id]?.scores[id];
    const card = clone("bench-card");
    card.dataset.card = id;
    card.querySelector("img").src = image.url;
    card.querySelector("[data-digit]").textContent = digit;
    card.querySelector("[data-name]").textContent = image.name;
    card.querySelector("[data-score]").textContent = score === undefined ? "" : score.toFixed(2);
    card.setAttribute("aria-keyshortcuts", String(digit));
    return card;
  }

  focusFirst() {
    (this.cards.querySelector('[aria-pressed="true"]') ?? this.cards.firstElementChild)?.focus();
  }
}
