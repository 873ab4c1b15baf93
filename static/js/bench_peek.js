/* The page before or after, laid over the print while its key is held. */
import { say } from "./words.js";

export class Peek {
  /* `around`: [{number, url}]; `here`: the number of the task's page. */
  constructor(root, around, here) {
    Object.assign(this, { root, around, here });
  }

  show(by) {
    const near = this.around.find(({ number }) => number === this.here + by);
    if (!near || !this.root.hidden) return;
    const image = this.root.querySelector("img");
    if (image.getAttribute("src") !== near.url) image.src = near.url;
    this.root.querySelector("figcaption").textContent = say("bench.page", { n: near.number });
    this.root.hidden = false;
  }

  hide() {
    this.root.hidden = true;
  }
}
