/* The page image with what was found on it: boxes drawn over the print, zoomed and moved by wheel, drag and keys. */
import { clamp, HANDLES, isInside } from "./bench_geometry.js";

const SVG = "http://www.w3.org/2000/svg";
const ZOOM_STEP = 1.25;
const ZOOM = { least: 0.2, most: 8 };
const MARGIN_PX = 12;
const DRAG_PX = 4;
const PAN_PX = 60;

export class PageView {
  /* `page`: number, width_pt, height_pt, image_url. */
  constructor(root, page) {
    Object.assign(this, { root, page, hands: null, zoom: 1, x: 0, y: 0 });
    this.svg = root.querySelector("svg");
    this.sheet = this.svg.querySelector("[data-sheet]");
    const boxes = this.svg.querySelector("[data-boxes]");
    for (const layer of ["ties", "pictures", "skus", "own"]) this[layer] = this.add(boxes, "g", {});
    this.kept = { pictures: new Map(), skus: new Map() };
    this.marks = this.svg.querySelector("[data-marks]");
    this.print = this.svg.querySelector("[data-print]");
    this.tools = this.svg.querySelector("[data-tools]");
    this.percent = root.closest("[data-behaviour]").querySelector("[data-zoom-percent]");
    this.showImage();
    this.listen();
    new ResizeObserver(() => this.resized()).observe(root);
  }

  showImage() {
    const image = this.svg.querySelector("image");
    const missing = this.root.querySelector("[data-image-missing]");
    missing.hidden = Boolean(this.page.image_url);
    if (!this.page.image_url) return;
    image.addEventListener("error", () => (missing.hidden = false));
    image.addEventListener("load", () => (missing.hidden = true));
    image.setAttribute("href", this.page.image_url);
    missing.querySelector("button").addEventListener("click", () => image.setAttribute("href", `${this.page.image_url}?again=${Date.now()}`));
  }

  resized() {
    const first = !this.width;
    this.width = this.root.clientWidth;
    this.height = this.root.clientHeight;
    if (!this.width) return;
    if (first) this.fitWidth();
    else this.place();
  }

  // --- what is drawn --------------------------------------------------------------------------

  /* `state`: the page's; `base`: as it was read; `images`: its pictures; `at`: the SKU that is open; `open`: places of SKUs with
     something left; `numbers`: picture -> digit; `tied`: pictures that are, or might be, of the open SKU. */
  draw({ state, base, images, evidence, at, open, numbers, tied }) {
    this.keep("pictures", images.map((image) => [image.image_id, [image.box, image.name, numbers.get(image.image_id)], () => this.pictureOf(image, numbers.get(image.image_id))]));
    const shown = state.skus.map((sku, n) => [n, sku]).filter(([, sku]) => sku.box && !sku.rejected);
    this.keep("skus", shown.map(([n, sku]) => [n, [sku.box, open.has(n)], () => this.skuOf(sku.box, n, open.has(n))]));
    this.kept.skus.forEach(({ element }, n) => element.classList.toggle("active", n === at));
    this.own.replaceChildren();
    this.ties.replaceChildren();
    const sku = state.skus[at];
    if (!sku) return;
    const found = evidence[sku.sku_id] ?? {};
    for (const [key, value] of Object.entries(sku.attributes)) {
      const box = value?.box ?? found[key]?.crop;
      if (box) this.drawText(box, at, key);
    }
    if (!sku.box || sku.rejected) return;
    this.drawTies(sku, images, tied);
    const before = base.skus.find((other) => other.sku_id === sku.sku_id)?.box;
    if (before && before.join() !== sku.box.join()) this.drawGhost(before, at);
  }

  /* `entries`: [id, what it looks like, how it is made]; only what is new or looks otherwise is made. */
  keep(layer, entries) {
    const before = this.kept[layer];
    this.kept[layer] = new Map();
    for (const [id, look, make] of entries) {
      const known = before.get(id);
      const text = JSON.stringify(look);
      const element = known?.text === text ? known.element : make();
      if (known && element !== known.element) known.element.replaceWith(element);
      else if (!known) this[layer].append(element);
      this.kept[layer].set(id, { text, element });
      before.delete(id);
    }
    for (const { element } of before.values()) element.remove();
  }

  /* The machine's own box, where the person's is another. */
  drawGhost(box, n) {
    const group = this.add(this.own, "g", { class: "bench-ghost" });
    this.cased(group, box);
    this.tag(group, box[0], box[1], `A${n + 1}`, false, "start");
  }

  /* What is printed: blocks of text, tables and their cells; drawn once. */
  drawPrint({ blocks, tables }) {
    this.print.replaceChildren();
    for (const { id, box } of blocks) this.rect(this.add(this.print, "g", { class: "bench-block", "data-block": id }), "line", box);
    for (const { box, cells } of tables) {
      const group = this.add(this.print, "g", { class: "bench-table" });
      this.cased(group, box);
      for (const cell of cells) this.rect(group, "cell", cell);
    }
  }

  // --- what hands work on ---------------------------------------------------------------------

  /* The chosen box, with handles where it may be changed; none without it. */
  choose(box, { handles = false, dashed = false } = {}) {
    this.tools.replaceChildren();
    if (!box) return;
    const group = this.add(this.tools, "g", { class: dashed ? "bench-band" : "bench-chosen" });
    this.cased(group, box);
    if (handles) for (const name of HANDLES) this.handle(group, name, box);
  }

  handle(group, name, [x0, y0, x1, y1]) {
    const x = name.includes("w") ? x0 : name.includes("e") ? x1 : (x0 + x1) / 2;
    const y = name.includes("n") ? y0 : name.includes("s") ? y1 : (y0 + y1) / 2;
    const outer = this.add(group, "g", { transform: `translate(${x} ${y})`, "data-handle": name, class: `bench-handle bench-handle-${name}` });
    const inner = this.add(outer, "g", { class: "bench-unzoomed" });
    this.add(inner, "rect", { class: "hit", x: -12, y: -12, width: 24, height: 24 });
    this.add(inner, "rect", { class: "grip", x: -4, y: -4, width: 8, height: 8 });
  }

  /* The word under the hand, which a click would take over. */
  hint(box) {
    this.svg.querySelector(".bench-word")?.remove();
    if (box) this.rect(this.add(this.sheet, "g", { class: "bench-word" }), "line", box, 0.5);
  }

  pointOf(event) {
    const at = this.root.getBoundingClientRect();
    return [(event.clientX - at.left - this.x) / this.zoom, (event.clientY - at.top - this.y) / this.zoom];
  }

  /* A box in the middle of what is seen, a third as wide and high. */
  middleBox() {
    const [x, y] = [(this.width / 2 - this.x) / this.zoom, (this.height / 2 - this.y) / this.zoom];
    const [w, h] = [this.width / 6 / this.zoom, this.height / 6 / this.zoom];
    return [[x - w, y - h], [x + w, y + h]];
  }

  skuOf(box, n, open) {
    const group = this.make("g", { class: `bench-sku${open ? " open" : ""}`, "data-sku": n });
    this.cased(group, box);
    this.tag(group, box[2], box[1], `S${n + 1}`, open, "end");
    return group;
  }

  pictureOf(image, digit) {
    const group = this.make("g", { class: `bench-picture${digit ? " candidate" : ""}`, "data-picture": image.image_id });
    this.cased(group, image.box);
    this.tag(group, image.box[0], image.box[1], image.name, false, "start");
    if (digit) this.badge(group, (image.box[0] + image.box[2]) / 2, image.box[3], digit);
    return group;
  }

  drawText(box, n, key) {
    const group = this.add(this.own, "g", { class: "bench-text", "data-sku": n, "data-key": key });
    this.rect(group, "line", box);
  }

  /* From each picture to the nearest edge of the SKU; a picture inside its box needs no line. */
  drawTies(sku, images, tied) {
    for (const { image_id: id, box } of images) {
      if (!tied.has(id) || isInside(box, sku.box)) continue;
      const [x, y] = [(box[0] + box[2]) / 2, box[3]];
      const to = [clamp(x, sku.box[0], sku.box[2]), clamp(y, sku.box[1], sku.box[3])];
      const css = sku.pictures.includes(id) ? "bench-tie bound" : "bench-tie";
      this.ties.append(this.make("line", { class: css, x1: x, y1: y, x2: to[0], y2: to[1] }));
    }
  }

  /* The highlighter on one box, none without it; the page moves so that it is seen. */
  light(box) {
    this.marks.replaceChildren();
    if (!box) return;
    this.rect(this.marks, "hl", box, 1);
    this.add(this.marks, "line", { class: "hl-line", x1: box[0] - 1, x2: box[2] + 1, y1: box[3] + 1, y2: box[3] + 1 });
    this.reveal(box);
  }

  cased(group, box) {
    this.rect(group, "case", box);
    this.rect(group, "line", box);
  }

  rect(group, css, [x0, y0, x1, y1], by = 0) {
    return this.add(group, "rect", { class: css, x: x0 - by, y: y0 - by, width: x1 - x0 + 2 * by, height: y1 - y0 + 2 * by });
  }

  /* Tags and badges keep their size on the screen: their group is scaled back by the zoom (bench.css). */
  tag(group, x, y, words, open, side) {
    const width = 10 + 7 * words.length + (open ? 8 : 0);
    const outer = this.add(group, "g", { transform: `translate(${x} ${y})` });
    const inner = this.add(outer, "g", { class: "bench-tag" });
    const left = side === "end" ? -width : 0;
    this.add(inner, "rect", { x: left, y: 0, width, height: 17, rx: 3 });
    if (open) this.add(inner, "circle", { cx: left + 8, cy: 8.5, r: 2.5 });
    this.add(inner, "text", { x: left + 5 + (open ? 8 : 0), y: 12.5 }).textContent = words;
  }

  badge(group, x, y, digit) {
    const outer = this.add(group, "g", { transform: `translate(${x} ${y})` });
    const inner = this.add(outer, "g", { class: "bench-tag bench-badge" });
    this.add(inner, "circle", { cx: 0, cy: -14, r: 11 });
    this.add(inner, "text", { x: 0, y: -10, "text-anchor": "middle" }).textContent = digit;
  }

  make(name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  add(parent, name, attributes) {
    return parent.appendChild(this.make(name, attributes));
  }

  // --- where one looks ------------------------------------------------------------------------

  place() {
    const width = this.page.width_pt * this.zoom;
    const height = this.page.height_pt * this.zoom;
    this.x = within(this.x, this.width, width);
    this.y = within(this.y, this.height, height);
    this.svg.style.transform = `translate(${Math.round(this.x)}px, ${Math.round(this.y)}px)`; // a layer of its own: nothing is painted anew
    if (this.placed !== this.zoom) this.scale(width, height);
    this.percent.textContent = `${Math.round(this.zoom * 100)}%`;
    this.root.dispatchEvent(new CustomEvent("bench:moved", { bubbles: true }));
  }

  scale(width, height) {
    this.placed = this.zoom;
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.sheet.setAttribute("transform", `scale(${this.zoom})`);
    this.svg.style.setProperty("--unzoom", String(1 / this.zoom));
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.place();
  }

  /* Around a point of the view, its middle if none is given. */
  zoomBy(factor, px = this.width / 2, py = this.height / 2) {
    const zoom = Math.min(ZOOM.most, Math.max(ZOOM.least, this.zoom * factor));
    this.x = px - ((px - this.x) * zoom) / this.zoom;
    this.y = py - ((py - this.y) * zoom) / this.zoom;
    this.zoom = zoom;
    this.place();
  }

  zoomIn() {
    this.zoomBy(ZOOM_STEP);
  }

  zoomOut() {
    this.zoomBy(1 / ZOOM_STEP);
  }

  fitWidth() {
    this.zoom = (this.width - 2 * MARGIN_PX) / (this.page.width_pt || 1);
    this.x = this.y = MARGIN_PX;
    this.place();
  }

  fitPage() {
    this.zoom = Math.min((this.width - 2 * MARGIN_PX) / (this.page.width_pt || 1), (this.height - 2 * MARGIN_PX) / (this.page.height_pt || 1));
    this.place();
  }

  zoomTo(box) {
    if (!box) return;
    const fitting = Math.min(this.width / (box[2] - box[0]), this.height / (box[3] - box[1])) * 0.8;
    this.zoom = Math.min(ZOOM.most / 2, Math.max(ZOOM.least, fitting));
    this.centre(box);
  }

  centre(box) {
    this.x = this.width / 2 - ((box[0] + box[2]) / 2) * this.zoom;
    this.y = this.height / 2 - ((box[1] + box[3]) / 2) * this.zoom;
    this.place();
  }

  reveal(box) {
    const [left, top, right, bottom] = [this.x + box[0] * this.zoom, this.y + box[1] * this.zoom, this.x + box[2] * this.zoom, this.y + box[3] * this.zoom];
    if (left < 0 || top < 0 || right > this.width || bottom > this.height) this.centre(box);
  }

  // --- what hands do --------------------------------------------------------------------------

  key(name) {
    const [dx, dy] = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[name];
    this.pan(dx * PAN_PX, dy * PAN_PX);
  }

  listen() {
    this.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.root.addEventListener("pointerdown", (event) => this.press(event));
    this.root.addEventListener("pointermove", (event) => !event.buttons && this.hands?.hover(this.pointOf(event)));
    this.root.addEventListener("mousedown", (event) => this.hands?.isFilling() && !event.target.closest("button") && event.preventDefault()); // the field keeps the focus
  }

  wheel(event) {
    event.preventDefault();
    const at = this.root.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey) this.zoomBy(Math.exp(-event.deltaY / 300), event.clientX - at.left, event.clientY - at.top);
    else this.pan(-(event.shiftKey ? event.deltaY : event.deltaX), event.shiftKey ? 0 : -event.deltaY);
  }

  /* A drag is the hands' where they take it, else it moves the page; a press without one is a click. */
  press(event) {
    if (event.button > 1 || event.target.closest("button")) return;
    const { target, shiftKey } = event;
    const from = this.pointOf(event);
    const work = event.button === 0 ? this.hands?.begin({ target, shiftKey }, from) : null;
    let [x, y, moved] = [event.clientX, event.clientY, false];
    this.root.setPointerCapture(event.pointerId);
    const move = (now) => {
      if (!moved && Math.hypot(now.clientX - x, now.clientY - y) < DRAG_PX) return;
      moved = true;
      if (work) return work.move(this.pointOf(now));
      this.pan(now.clientX - x, now.clientY - y);
      [x, y] = [now.clientX, now.clientY];
    };
    const release = () => {
      this.root.removeEventListener("pointermove", move);
      if (moved) work?.end();
      else this.hands?.click({ target, shiftKey }, from);
    };
    this.root.addEventListener("pointermove", move);
    this.root.addEventListener("lostpointercapture", release, { once: true }); // let go, or taken by the system
  }
}

/* A sheet smaller than the view stands in its middle; a larger one never leaves it. */
function within(at, view, sheet) {
  if (sheet + 2 * MARGIN_PX <= view) return (view - sheet) / 2;
  return Math.min(MARGIN_PX, Math.max(view - sheet - MARGIN_PX, at));
}
