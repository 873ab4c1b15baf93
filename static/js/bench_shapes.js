/* What is drawn over the print: boxes with a light edge around a dark line, tags, badges and handles, in points of the page. */

const SVG = "http://www.w3.org/2000/svg";

/** @type {(name: string, attributes: Record<string, string | number>) => SVGElement} */
export function make(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** @type {(parent: SVGElement, name: string, attributes?: Record<string, string | number>) => SVGElement} */
export const add = (parent, name, attributes = {}) => parent.appendChild(make(name, attributes));

/** `by`: larger by so much on each side.
   @type {(group: SVGElement, css: string, box: Box, by?: number) => SVGElement} */
export function rect(group, css, [x0, y0, x1, y1], by = 0) {
  return add(group, "rect", { class: css, x: x0 - by, y: y0 - by, width: x1 - x0 + 2 * by, height: y1 - y0 + 2 * by });
}

/** @type {(group: SVGElement, box: Box) => void} */
export function cased(group, box) {
  rect(group, "case", box);
  rect(group, "line", box);
}

/** Tags and badges keep their size on the screen: their group is scaled back by the zoom (bench.css). `end`: it ends there.
   @type {(group: SVGElement, at: Point, words: string, how: { open?: boolean, end?: boolean }) => void} */
export function tag(group, [x, y], words, { open = false, end = false }) {
  const width = 10 + 7 * words.length + (open ? 8 : 0);
  const inner = add(add(group, "g", { transform: `translate(${x} ${y})` }), "g", { class: "bench-tag" });
  const left = end ? -width : 0;
  add(inner, "rect", { x: left, y: 0, width, height: 17, rx: 3 });
  if (open) add(inner, "circle", { cx: left + 8, cy: 8.5, r: 2.5 });
  add(inner, "text", { x: left + 5 + (open ? 8 : 0), y: 12.5 }).textContent = words;
}

/** @type {(group: SVGElement, at: Point, digit: number) => void} */
export function badge(group, [x, y], digit) {
  const inner = add(add(group, "g", { transform: `translate(${x} ${y})` }), "g", { class: "bench-tag bench-badge" });
  add(inner, "circle", { cx: 0, cy: -14, r: 11 });
  add(inner, "text", { x: 0, y: -10, "text-anchor": "middle" }).textContent = String(digit);
}

/** On its edge or corner of the box.
   @type {(group: SVGElement, name: Handle, box: Box) => void} */
export function handle(group, name, [x0, y0, x1, y1]) {
  const x = name.includes("w") ? x0 : name.includes("e") ? x1 : (x0 + x1) / 2;
  const y = name.includes("n") ? y0 : name.includes("s") ? y1 : (y0 + y1) / 2;
  const outer = add(group, "g", { transform: `translate(${x} ${y})`, "data-handle": name, class: `bench-handle bench-handle-${name}` });
  const inner = add(outer, "g", { class: "bench-unzoomed" });
  add(inner, "rect", { class: "hit", x: -12, y: -12, width: 24, height: 24 });
  add(inner, "rect", { class: "grip", x: -4, y: -4, width: 8, height: 8 });
}
