/* What is drawn around the print, never over it: boxes, tags, badges and handles, in points of the page. */

const SVG = "http://www.w3.org/2000/svg";
const ASIDE_PT = 0.75; // a line runs so far outside of what it marks
export const TAG_PX = { height: 17, padding: 10, letter: 7, dot: 8 };

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

/** Around a box, with a thin light edge by which the line is seen on dark pictures too.
   @type {(group: SVGElement, box: Box) => void} */
export function outlined(group, box) {
  rect(group, "case", box, ASIDE_PT);
  rect(group, "line", box, ASIDE_PT);
}

/** @type {(words: string, open?: boolean) => number} */
export const tagWidth = (words, open = false) => TAG_PX.padding + TAG_PX.letter * words.length + (open ? TAG_PX.dot : 0);

/** Tags and badges keep their size on the screen: their group is scaled back by the zoom (bench.css).
   @type {(group: SVGElement, place: TagPlace, words: string, open?: boolean) => void} */
export function tag(group, { at: [x, y], end, above }, words, open = false) {
  const width = tagWidth(words, open);
  const inner = add(add(group, "g", { transform: `translate(${x} ${y})` }), "g", { class: "bench-tag" });
  const [left, top] = [end ? -width : 0, above ? -TAG_PX.height : 0];
  add(inner, "rect", { x: left, y: top, width, height: TAG_PX.height, rx: 3 });
  if (open) add(inner, "circle", { cx: left + 8, cy: top + 8.5, r: 2.5 });
  add(inner, "text", { x: left + 5 + (open ? TAG_PX.dot : 0), y: top + 12.5 }).textContent = words;
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
