/* The magnifier: a piece of the print, larger, under the pointer or over what is lit, while its key is held. */
const LARGER = 3;
const SIDE_PX = 220; // as in bench.css

export class Lens {
  /* `view`: the PageView that is looked at. */
  constructor(root, view) {
    Object.assign(this, { root, view, pointer: null });
    const image = root.querySelector("image");
    if (view.page.image_url) image.setAttribute("href", view.page.image_url);
    view.root.addEventListener("pointermove", (event) => this.move([event.clientX, event.clientY]));
    view.root.addEventListener("pointerleave", () => (this.pointer = null));
  }

  /* `box`: what is looked at without a pointer; none: the middle of the view. */
  show(box) {
    if (!this.view.page.image_url) return;
    const { x, y, zoom, width, height } = this.view;
    const middle = box ? [x + ((box[0] + box[2]) / 2) * zoom, y + ((box[1] + box[3]) / 2) * zoom] : [width / 2, height / 2];
    this.root.toggleAttribute("hidden", false);
    this.place(this.pointer ? this.inView(this.pointer) : middle);
  }

  hide() {
    this.root.toggleAttribute("hidden", true);
  }

  move(pointer) {
    this.pointer = pointer;
    if (!this.root.hasAttribute("hidden")) this.place(this.inView(pointer));
  }

  inView([left, top]) {
    const at = this.view.root.getBoundingClientRect();
    return [left - at.left, top - at.top];
  }

  place([left, top]) {
    const { x, y, zoom } = this.view;
    const side = SIDE_PX / zoom / LARGER;
    this.root.setAttribute("viewBox", `${(left - x) / zoom - side / 2} ${(top - y) / zoom - side / 2} ${side} ${side}`);
    this.root.style.transform = `translate(${left - SIDE_PX / 2}px, ${top - SIDE_PX / 2}px)`;
  }
}
