/* The page image with what was found on it: boxes drawn over the print, zoomed and moved by wheel, drag and keys. */
import { clamp, HANDLES, isInside, tagPlace } from "./bench_geometry.js";
import { add, badge, handle, make, outlined, rect, TAG_PX, tag, tagWidth } from "./bench_shapes.js";
import * as sights from "./bench_sight.js";
import { the } from "./the.js";

const ZOOM_STEP = 1.25;
const DRAG_PX = 4;
const PAN_PX = 60;
/** @type {Record<string, Point>} */
const PANS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class PageView {
  /** `percent`: where the zoom is told.
     @param {HTMLElement} root
     @param {HTMLElement} percent
     @param {BenchPage} page */
  constructor(root, percent, page) {
    this.root = root;
    this.percent = percent;
    this.page = page;
    /** @type {Hands | null} */
    this.hands = null;
    /** @type {Sight} */
    this.sight = { x: 0, y: 0, zoom: 1, width: 0, height: 0 };
    this.placed = 0; // the zoom that the sheet has
    this.svg = the(root, "svg");
    this.sheet = the(this.svg, "[data-sheet]", SVGElement);
    const boxes = the(this.svg, "[data-boxes]", SVGElement);
    this.ties = add(boxes, "g");
    this.drawn = { pictures: add(boxes, "g"), skus: add(boxes, "g") };
    this.own = add(boxes, "g");
    /** @type {Record<"pictures" | "skus", Map<string | number, { text: string, element: SVGElement }>>} */
    this.kept = { pictures: new Map(), skus: new Map() };
    /** @type {Box[]} */
    this.words = [];
    this.tagged = { of: "", places: /** @type {TagPlace[]} */ ([]) };
    this.marks = the(this.svg, "[data-marks]", SVGElement);
    this.print = the(this.svg, "[data-print]", SVGElement);
    this.tools = the(this.svg, "[data-tools]", SVGElement);
    this.showImage();
    this.listen();
    new ResizeObserver(() => this.resized()).observe(root);
  }

  showImage() {
    const image = the(this.svg, "image");
    const missing = the(this.root, "[data-image-missing]");
    missing.hidden = Boolean(this.page.image_url);
    if (!this.page.image_url) return;
    image.addEventListener("error", () => (missing.hidden = false));
    image.addEventListener("load", () => (missing.hidden = true));
    image.setAttribute("href", this.page.image_url);
    const [address, query = ""] = this.page.image_url.split("?");
    the(missing, "button").addEventListener("click", () => image.setAttribute("href", `${address}?again=${Date.now()}&${query}`));
  }

  resized() {
    const isFirst = !this.sight.width || this.fitsWidth; // what fits the width goes on to fit it
    this.sight = { ...this.sight, width: this.root.clientWidth, height: this.root.clientHeight };
    if (!this.sight.width) return;
    if (isFirst) this.fitWidth();
    else this.look(this.sight);
  }

  // --- what is drawn --------------------------------------------------------------------------

  /** `state`: the page's; `base`: as it was read; `images`: its pictures; `at`: the SKU that is open, `evidence` what is known of its
     values; `open`: SKUs with something left; `numbers`: picture -> digit; `tied`: pictures that are, or might be, of the open SKU.
     @type {(shown: { state: PageState, base: PageState, images: Picture[], evidence: Record<string, Proof | undefined>, at: number, open: Set<number>, numbers: Map<string, number>, tied: Set<string> }) => void} */
  draw({ state, base, images, evidence, at, open, numbers, tied }) {
    const shown = state.skus.flatMap(({ box, rejected }, n) => (box && !rejected ? [{ n, box, words: `S${n + 1}`, open: open.has(n) }] : []));
    const places = this.tagPlaces([...shown, ...images.map(({ box, name }) => ({ box, words: name, open: false }))]);
    const ofPictures = places.slice(shown.length);
    this.keep("pictures", images.map((image, n) => {
      const digit = numbers.get(image.image_id);
      return [image.image_id, [image.box, image.name, digit, ofPictures[n]], () => pictureOf(image, ofPictures[n], digit)];
    }));
    this.keep("skus", shown.map((sku, n) => [sku.n, [sku.box, sku.open, places[n]], () => skuOf(sku, places[n])]));
    this.kept.skus.forEach(({ element }, n) => element.classList.toggle("active", n === at));
    this.own.replaceChildren();
    this.ties.replaceChildren();
    const sku = state.skus[at];
    if (!sku) return;
    for (const [key, value] of Object.entries(sku.attributes)) {
      const box = value?.box ?? evidence[key]?.crop;
      if (box) rect(add(this.own, "g", { class: "bench-text", "data-sku": at, "data-key": key }), "line", box);
    }
    if (!sku.box || sku.rejected) return;
    this.drawTies(sku.box, sku.pictures, images.filter((image) => tied.has(image.image_id)));
    const before = base.skus.find((other) => other.sku_id === sku.sku_id)?.box;
    if (before && before.join() !== sku.box.join()) this.drawGhost(before, at);
  }

  /** Where the tags of these boxes hide least of the print and of each other, at the zoom at which the page fits.
     @type {(tags: { box: Box, words: string, open: boolean }[]) => TagPlace[]} */
  tagPlaces(tags) {
    const of = JSON.stringify([tags, this.words.length]);
    if (this.tagged.of === of) return this.tagged.places;
    const taken = { words: this.words, tags: /** @type {Box[]} */ ([]) };
    const { zoom } = sights.onWidth({ ...this.sight, width: this.sight.width || this.page.width_pt }, this.page);
    const places = tags.map(({ box, words, open }) => {
      const { box: own, ...place } = tagPlace(box, tagWidth(words, open) / zoom, TAG_PX.height / zoom, taken, this.page);
      const edge = (own[3] - own[1]) / 5; // tags of rows may touch
      taken.tags.push([own[0], own[1] + edge, own[2], own[3] - edge]);
      return place;
    });
    this.tagged = { of, places };
    return places;
  }

  /** Only what is new or looks otherwise is made.
     @type {(layer: "pictures" | "skus", entries: [id: string | number, look: unknown, make: () => SVGElement][]) => void} */
  keep(layer, entries) {
    const before = this.kept[layer];
    this.kept[layer] = new Map();
    for (const [id, look, made] of entries) {
      const known = before.get(id);
      const text = JSON.stringify(look);
      const element = known?.text === text ? known.element : made();
      if (known && element !== known.element) known.element.replaceWith(element);
      else if (!known) this.drawn[layer].append(element);
      this.kept[layer].set(id, { text, element });
      before.delete(id);
    }
    for (const { element } of before.values()) element.remove();
  }

  /** The machine's own box, where the person's is another.
     @type {(box: Box, n: number) => void} */
  drawGhost(box, n) {
    const group = add(this.own, "g", { class: "bench-ghost" });
    outlined(group, box);
    tag(group, { at: [box[0], box[1]], end: false, above: true }, `A${n + 1}`);
  }

  /** From each picture to the nearest edge of the SKU; a picture inside its box needs no line.
     @type {(box: Box, bound: string[], images: Picture[]) => void} */
  drawTies(box, bound, images) {
    for (const { image_id: id, box: [x0, y0, x1, y1] } of images) {
      if (isInside([x0, y0, x1, y1], box)) continue;
      const [x, y] = [(x0 + x1) / 2, y1];
      const css = bound.includes(id) ? "bench-tie bound" : "bench-tie";
      add(this.ties, "line", { class: css, x1: x, y1: y, x2: clamp(x, box[0], box[2]), y2: clamp(y, box[1], box[3]) });
    }
  }

  /** What is printed: blocks of text, tables and their cells; drawn once.
     @type {(found: Pick<Print, "blocks" | "tables" | "words">) => void} */
  drawPrint({ blocks, tables, words }) {
    this.words = words.map((word) => word.box);
    this.print.replaceChildren();
    for (const { id, box } of blocks) rect(add(this.print, "g", { class: "bench-block", "data-block": id }), "line", box);
    for (const { box, cells } of tables) {
      const group = add(this.print, "g", { class: "bench-table" });
      outlined(group, box);
      for (const cell of cells) rect(group, "cell", cell);
    }
  }

  // --- what hands work on ---------------------------------------------------------------------

  /** The chosen box, with handles where it may be changed; none without it.
     @type {(box: Box | null, how?: { handles?: boolean, dashed?: boolean }) => void} */
  choose(box, { handles = false, dashed = false } = {}) {
    this.tools.replaceChildren();
    if (!box) return;
    const group = add(this.tools, "g", { class: dashed ? "bench-band" : "bench-chosen" });
    rect(group, "line", box);
    if (handles) for (const name of HANDLES) handle(group, name, box);
  }

  /** The word under the hand, which a click would take over.
     @type {(box: Box | null) => void} */
  hint(box) {
    this.svg.querySelector(".bench-word")?.remove();
    if (box) rect(add(this.sheet, "g", { class: "bench-word" }), "line", box, 0.5);
  }

  /** The highlighter on one box, none without it; the page moves so that it is seen.
     @type {(box: Box | null) => void} */
  light(box) {
    this.marks.replaceChildren();
    if (!box) return;
    rect(this.marks, "hl", box, 1);
    add(this.marks, "line", { class: "hl-line", x1: box[0] - 1, x2: box[2] + 1, y1: box[3] + 1, y2: box[3] + 1 });
    this.reveal(box);
  }

  /** @type {(event: MouseEvent) => Point} */
  placeOf(event) {
    const at = this.root.getBoundingClientRect();
    return [event.clientX - at.left, event.clientY - at.top];
  }

  /** @type {(event: MouseEvent) => Point} */
  pointOf(event) {
    return sights.pointAt(this.sight, this.placeOf(event));
  }

  // --- where one looks ------------------------------------------------------------------------

  /** @type {(sight: Sight) => void} */
  look(sight) {
    this.sight = sights.inReach(sight, this.page);
    const { x, y, zoom } = this.sight;
    this.svg.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`; // a layer of its own: nothing is painted anew
    if (this.placed !== zoom) this.scale(zoom);
    this.percent.textContent = `${Math.round(zoom * 100)}%`;
    this.root.dispatchEvent(new CustomEvent("bench:moved", { bubbles: true }));
  }

  /** @type {(zoom: number) => void} */
  scale(zoom) {
    this.placed = zoom;
    this.svg.setAttribute("width", String(this.page.width_pt * zoom));
    this.svg.setAttribute("height", String(this.page.height_pt * zoom));
    this.sheet.setAttribute("transform", `scale(${zoom})`);
    this.svg.style.setProperty("--unzoom", String(1 / zoom));
  }

  /** @type {(dx: number, dy: number) => void} */
  pan(dx, dy) {
    this.look({ ...this.sight, x: this.sight.x + dx, y: this.sight.y + dy });
  }

  zoomIn() {
    this.look(sights.zoomedBy(this.sight, ZOOM_STEP));
  }

  zoomOut() {
    this.look(sights.zoomedBy(this.sight, 1 / ZOOM_STEP));
  }

  get fitsWidth() {
    return Math.abs(this.sight.zoom - sights.onWidth(this.sight, this.page).zoom) < 0.001;
  }

  /** Letters `height_pt` points high are large enough to be read, from `box` on where that takes more.
     @type {(height_pt: number, box?: Box | null) => void} */
  makeReadable(height_pt, box = null) {
    this.look(sights.readable(this.sight, height_pt, box));
  }

  fitWidth() {
    this.look(sights.onWidth(this.sight, this.page));
  }

  fitPage() {
    this.look(sights.onPage(this.sight, this.page));
  }

  /** @type {(box: Box | null | undefined, height_pt?: number) => void} */
  zoomTo(box, height_pt = 0) {
    if (box) this.look(sights.onBox(this.sight, box, height_pt));
  }

  /** @type {(box: Box) => void} */
  centre(box) {
    this.look(sights.centredOn(this.sight, box));
  }

  /** @type {(box: Box) => void} */
  reveal(box) {
    if (!sights.isSeen(this.sight, box)) this.centre(box);
  }

  // --- what hands do --------------------------------------------------------------------------

  /** @type {(name: string) => void} */
  key(name) {
    const [dx, dy] = PANS[name];
    this.pan(dx * PAN_PX, dy * PAN_PX);
  }

  listen() {
    this.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.root.addEventListener("pointerdown", (event) => this.press(event));
    this.root.addEventListener("pointermove", (event) => !event.buttons && this.hands?.hover(this.pointOf(event)));
    this.root.addEventListener("mousedown", (event) => this.hands?.isFilling() && !event.target.closest("button") && event.preventDefault()); // the field keeps the focus
  }

  /** @type {(event: WheelEvent) => void} */
  wheel(event) {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) this.look(sights.zoomedBy(this.sight, Math.exp(-event.deltaY / 300), this.placeOf(event)));
    else this.pan(-(event.shiftKey ? event.deltaY : event.deltaX), event.shiftKey ? 0 : -event.deltaY);
  }

  /** A drag is the hands' where they take it, else it moves the page; a press without one is a click.
     @type {(event: PointerEvent & Press) => void} */
  press(event) {
    if (event.button > 1 || event.target.closest("button")) return;
    const { target, shiftKey } = event;
    const from = this.pointOf(event);
    const work = event.button === 0 ? this.hands?.begin({ target, shiftKey }, from) : null;
    let [x, y] = [event.clientX, event.clientY];
    let moved = false;
    this.root.setPointerCapture(event.pointerId);
    /** @type {(now: PointerEvent) => void} */
    const move = (now) => {
      if (!moved && Math.hypot(now.clientX - x, now.clientY - y) < DRAG_PX) return;
      moved = true;
      if (work) return work.move(this.pointOf(now));
      this.pan(now.clientX - x, now.clientY - y);
      x = now.clientX;
      y = now.clientY;
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

/** @type {(sku: { n: number, box: Box, words: string, open: boolean }, place: TagPlace) => SVGElement} */
function skuOf({ n, box, words, open }, place) {
  const group = make("g", { class: `bench-sku${open ? " open" : ""}`, "data-sku": n });
  outlined(group, box);
  tag(group, place, words, open);
  return group;
}

/** @type {(image: Picture, place: TagPlace, digit: number | undefined) => SVGElement} */
function pictureOf({ image_id: id, name, box }, place, digit) {
  const group = make("g", { class: `bench-picture${digit ? " candidate" : ""}`, "data-picture": id });
  outlined(group, box);
  tag(group, place, name);
  if (digit) badge(group, [(box[0] + box[2]) / 2, box[3]], digit);
  return group;
}
