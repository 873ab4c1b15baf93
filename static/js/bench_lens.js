/* The magnifier: a piece of the print, larger, under the pointer or over what is lit, while its key is held. */
import { centre } from "./bench_geometry.js";
import { placeOf, pointAt } from "./bench_sight.js";
import { the } from "./the.js";

const LARGER = 3;
const SIDE_PX = 220; // as in bench.css

export class Lens {
  /** `view`: what is looked at.
     @param {SVGSVGElement} root
     @param {PageView} view */
  constructor(root, view) {
    this.root = root;
    this.view = view;
    /** @type {Point | null} */
    this.pointer = null;
    if (view.page.image_url) the(root, "image").setAttribute("href", view.page.image_url);
    view.root.addEventListener("pointermove", (event) => this.move([event.clientX, event.clientY]));
    view.root.addEventListener("pointerleave", () => (this.pointer = null));
  }

  /** `box`: what is looked at without a pointer; none: the middle of the view.
     @type {(box: Box | null | undefined) => void} */
  show(box) {
    if (!this.view.page.image_url) return;
    this.root.toggleAttribute("hidden", false);
    this.place(this.pointer ? this.inView(this.pointer) : this.middleOf(box));
  }

  /** @type {(box: Box | null | undefined) => Point} */
  middleOf(box) {
    const { sight } = this.view;
    return box ? placeOf(sight, centre(box)) : [sight.width / 2, sight.height / 2];
  }

  hide() {
    this.root.toggleAttribute("hidden", true);
  }

  /** @type {(pointer: Point) => void} */
  move(pointer) {
    this.pointer = pointer;
    if (!this.root.hasAttribute("hidden")) this.place(this.inView(pointer));
  }

  /** @type {(pointer: Point) => Point} */
  inView([left, top]) {
    const at = this.view.root.getBoundingClientRect();
    return [left - at.left, top - at.top];
  }

  /** @type {(middle: Point) => void} */
  place([left, top]) {
    const { sight } = this.view;
    const side = SIDE_PX / sight.zoom / LARGER;
    const [x, y] = pointAt(sight, [left, top]);
    this.root.setAttribute("viewBox", `${x - side / 2} ${y - side / 2} ${side} ${side}`);
    this.root.style.transform = `translate(${left - SIDE_PX / 2}px, ${top - SIDE_PX / 2}px)`;
  }
}
