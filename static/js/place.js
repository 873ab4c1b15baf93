/* Puts a floating layer beside what it explains, inside the window. */

const GAP_PX = 8;

/** @type {(layer: HTMLElement, anchor: Element, prefersAbove?: boolean) => void} */
export function place(layer, anchor, prefersAbove = false) {
  const at = anchor.getBoundingClientRect();
  const size = layer.getBoundingClientRect();
  const above = at.top - size.height - GAP_PX;
  const below = at.bottom + GAP_PX;
  const fitsBelow = below + size.height <= innerHeight;
  const top = above > 0 && (prefersAbove || !fitsBelow) ? above : Math.max(GAP_PX, Math.min(below, innerHeight - size.height - GAP_PX));
  const left = Math.max(GAP_PX, Math.min(at.left + at.width / 2 - size.width / 2, innerWidth - size.width - GAP_PX));
  layer.style.position = "fixed";
  layer.style.top = `${top}px`;
  layer.style.left = `${left}px`;
}
