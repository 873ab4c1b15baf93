/* A page or picture, drawn as SVG, seen closer: by buttons, keys, a double press; moved by dragging. */
import { clamp } from "./bench_geometry.js";

const MOST = 8;
export const STEP = 1.5;

/** `factor` times closer; what stands at `at` stays there. `view`: x, y, width, height of what is seen of the `sheet`.
   @type {(view: Box, factor: number, at: Point, sheet: Point) => Box} */
export function zoomed([x, y, width, height], factor, [atX, atY], sheet) {
  const part = clamp(width / factor, sheet[0] / MOST, sheet[0]) / width;
  return within([atX - (atX - x) * part, atY - (atY - y) * part, width * part, height * part], sheet);
}

/** @type {(view: Box, sheet: Point) => Box} */
export const within = ([x, y, width, height], sheet) => [clamp(x, 0, Math.max(0, sheet[0] - width)), clamp(y, 0, Math.max(0, sheet[1] - height)), width, height];

/** What is seen has this point in its middle.
   @type {(view: Box, at: Point, sheet: Point) => Box} */
export const centred = ([, , width, height], [x, y], sheet) => within([x - width / 2, y - height / 2, width, height], sheet);

/** @type {(svg: SVGSVGElement) => Box} */
const viewOf = (svg) => /** @type {Box} */ (/** @type {unknown} */ ((svg.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number)));

/** @type {(svg: SVGSVGElement) => Point} */
function sheetOf(svg) {
  svg.dataset.whole ??= svg.getAttribute("viewBox") ?? "";
  const [, , width, height] = svg.dataset.whole.split(" ").map(Number);
  return [width, height];
}

/** @type {(svg: SVGSVGElement, view: Box) => void} */
function see(svg, view) {
  svg.setAttribute("viewBox", view.join(" "));
  svg.classList.toggle("closer", view[2] < sheetOf(svg)[0]);
}

/** `how`: in, out or whole; `at`: what stays where it is, else, from the whole sheet on, what the sheet is shown for, else the middle.
   @type {(root: ParentNode, how: string, at?: Point) => void} */
export function zoom(root, how, at) {
  const svg = shown(root);
  if (!svg) return;
  const sheet = sheetOf(svg);
  const [x, y, width, height] = viewOf(svg);
  const middle = at ?? (svg.classList.contains("closer") ? null : markedIn(svg)) ?? [x + width / 2, y + height / 2];
  see(svg, how === "whole" ? [0, 0, ...sheet] : zoomed([x, y, width, height], how === "in" ? STEP : 1 / STEP, middle, sheet));
}

/** The middle of the box that the page is shown for.
   @type {(svg: SVGSVGElement) => Point | null} */
function markedIn(svg) {
  const box = svg.querySelector(".sku-box");
  if (!(box instanceof SVGGraphicsElement)) return null;
  const { x, y, width, height } = box.getBBox();
  return [x + width / 2, y + height / 2];
}

/** What is marked comes into the middle, where one looks closer.
   @type {(root: ParentNode, mark: Element | null) => void} */
export function bringInto(root, mark) {
  const svg = shown(root);
  const box = mark instanceof SVGGraphicsElement ? mark.getBBox() : null;
  if (svg && box && svg.classList.contains("closer")) see(svg, centred(viewOf(svg), [box.x + box.width / 2, box.y + box.height / 2], sheetOf(svg)));
}

/** @type {(root: ParentNode) => SVGSVGElement | null} */
function shown(root) {
  const found = root.querySelector(".zoom-sheet svg:not([hidden])");
  return found instanceof SVGSVGElement ? found : null;
}

/** The point of the sheet under the pointer.
   @type {(svg: SVGSVGElement, event: { clientX: number, clientY: number }) => Point} */
function under(svg, { clientX, clientY }) {
  const at = svg.getBoundingClientRect();
  const [x, y, width, height] = viewOf(svg);
  return [x + ((clientX - at.left) / at.width) * width, y + ((clientY - at.top) / at.height) * height];
}

/** @type {(root: HTMLElement) => void} */
export function startZoom(root) {
  const sheet = root.querySelector(".zoom-sheet");
  if (!(sheet instanceof HTMLElement)) return;
  /** @type {Point | null} */
  let held = null;
  root.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-zoom]");
    if (button) zoom(root, button.dataset.zoom ?? "");
    const picture = event.target.closest?.("[data-picture]");
    if (picture) togglePicture(root, sheet, picture);
  });
  sheet.addEventListener("dblclick", (event) => {
    const svg = shown(root);
    if (svg) zoom(root, "in", under(svg, event));
  });
  sheet.addEventListener("pointerdown", (event) => {
    const svg = shown(root);
    if (!svg?.classList.contains("closer")) return;
    held = under(svg, event);
    sheet.setPointerCapture(event.pointerId);
  });
  sheet.addEventListener("pointermove", (event) => {
    const svg = shown(root);
    if (!svg || !held) return;
    const [x, y, width, height] = viewOf(svg);
    const [toX, toY] = under(svg, event);
    see(svg, within([x + held[0] - toX, y + held[1] - toY, width, height], sheetOf(svg)));
  });
  const release = () => { held = null; };
  sheet.addEventListener("pointerup", release);
  sheet.addEventListener("pointercancel", release);
}

/** A picture takes the place of the page, and gives it back.
   @type {(root: HTMLElement, sheet: HTMLElement, button: HTMLElement) => void} */
function togglePicture(root, sheet, button) {
  const closes = button.getAttribute("aria-pressed") === "true";
  for (const other of root.querySelectorAll("[data-picture]")) other.setAttribute("aria-pressed", String(other === button && !closes));
  sheet.querySelector(".picture-shown")?.remove();
  const page = sheet.querySelector("svg");
  page?.toggleAttribute("hidden", !closes);
  const picture = button.querySelector("img");
  if (closes || !picture) return;
  const size = [picture.naturalWidth || 1, picture.naturalHeight || 1];
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const image = document.createElementNS("http://www.w3.org/2000/svg", "image");
  for (const [name, value] of Object.entries({ class: "proof picture-shown", viewBox: `0 0 ${size.join(" ")}`, role: "img", "aria-label": picture.alt })) svg.setAttribute(name, value);
  for (const [name, value] of Object.entries({ class: "proof-image", href: picture.src, width: String(size[0]), height: String(size[1]) })) image.setAttribute(name, value);
  svg.append(image);
  sheet.append(svg);
}
