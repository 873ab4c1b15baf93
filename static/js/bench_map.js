/* The whole page in small: where the view stands on it, where its SKUs are, which are open. A press or a drag goes there. */
import { clamp } from "./bench_geometry.js";

export class MiniMap {
  /* `view`: the PageView that it is a map of. */
  constructor(root, view) {
    Object.assign(this, { root, view });
    this.here = root.querySelector("[data-map-here]");
    if (view.page.image_url) root.querySelector("image").setAttribute("href", view.page.image_url);
    view.root.addEventListener("bench:moved", () => this.follow());
    root.addEventListener("pointerdown", (event) => {
      root.setPointerCapture(event.pointerId);
      this.go(event);
    });
    root.addEventListener("pointermove", (event) => event.buttons && this.go(event));
  }

  /* `boxes` and `open`: of SKUs. One path each: a thousand boxes cost as little as one. */
  draw(boxes, open) {
    const path = (list) => list.map(([x0, y0, x1, y1]) => `M${x0} ${y0}H${x1}V${y1}H${x0}Z`).join("");
    this.root.querySelector("[data-map-skus]").setAttribute("d", path(boxes));
    this.root.querySelector("[data-map-open]").setAttribute("d", path(open));
  }

  follow() {
    const { x, y, zoom, width, height, page } = this.view;
    const [left, top] = [clamp(-x / zoom, 0, page.width_pt), clamp(-y / zoom, 0, page.height_pt)];
    const [right, bottom] = [clamp((width - x) / zoom, 0, page.width_pt), clamp((height - y) / zoom, 0, page.height_pt)];
    const sides = { x: left, y: top, width: right - left, height: bottom - top };
    for (const [name, side] of Object.entries(sides)) this.here.setAttribute(name, side);
  }

  go(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    this.view.centre([point.x, point.y, point.x, point.y]);
  }
}
