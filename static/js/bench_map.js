/* The whole page in small: where the view stands on it, where its SKUs are, which are open. A press or a drag goes there. */
import { shownOf } from "./bench_sight.js";
import { the } from "./the.js";

export class MiniMap {
  /** `view`: what it is a map of.
     @param {SVGSVGElement} root
     @param {PageView} view */
  constructor(root, view) {
    this.root = root;
    this.view = view;
    this.here = the(root, "[data-map-here]", SVGElement);
    if (view.page.image_url) the(root, "image").setAttribute("href", view.page.image_url);
    view.root.addEventListener("bench:moved", () => this.follow());
    root.addEventListener("pointerdown", (event) => {
      root.setPointerCapture(event.pointerId);
      this.go(event);
    });
    root.addEventListener("pointermove", (event) => event.buttons && this.go(event));
  }

  /** `boxes` and `open`: of SKUs. One path each: a thousand boxes cost as little as one.
     @type {(boxes: Box[], open: Box[]) => void} */
  draw(boxes, open) {
    /** @type {(list: Box[]) => string} */
    const path = (list) => list.map(([x0, y0, x1, y1]) => `M${x0} ${y0}H${x1}V${y1}H${x0}Z`).join("");
    the(this.root, "[data-map-skus]").setAttribute("d", path(boxes));
    the(this.root, "[data-map-open]").setAttribute("d", path(open));
  }

  follow() {
    const [left, top, right, bottom] = shownOf(this.view.sight, this.view.page);
    const sides = { x: left, y: top, width: right - left, height: bottom - top };
    for (const [name, side] of Object.entries(sides)) this.here.setAttribute(name, String(side));
  }

  /** @type {(event: PointerEvent) => void} */
  go(event) {
    const matrix = this.root.getScreenCTM();
    if (!matrix) return; // it is not shown
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    this.view.centre([point.x, point.y, point.x, point.y]);
  }
}
