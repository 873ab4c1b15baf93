/* The page before or after, laid over the print while its key is held. */
import { the } from "./the.js";
import { say } from "./words.js";

export class Peek {
  /** `around`: [{number, url}]; `here`: the number of the task's page.
     @param {HTMLElement} root
     @param {{ number: number, url: string }[]} around
     @param {number} here */
  constructor(root, around, here) {
    this.root = root;
    this.around = around;
    this.here = here;
  }

  /** @type {(by: number) => void} */
  show(by) {
    const near = this.around.find(({ number }) => number === this.here + by);
    if (!near || !this.root.hidden) return;
    const image = the(this.root, "img");
    if (image.getAttribute("src") !== near.url) image.src = near.url;
    the(this.root, "figcaption").textContent = say("bench.page", { n: near.number });
    this.root.hidden = false;
  }

  hide() {
    this.root.hidden = true;
  }
}
