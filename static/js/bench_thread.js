/* The thread from the focused field to its proof on the page; it ends at the view's edge where the proof is off-screen. */
import { clamp } from "./bench_geometry.js";

const SLACK_PX = 60;

export class Thread {
  /** `work`: what holds both ends, the fields and the `view` of the page.
     @param {SVGSVGElement} svg
     @param {HTMLElement} work
     @param {HTMLElement} view */
  constructor(svg, work, view) {
    this.svg = svg;
    this.work = work;
    this.view = view;
    /** @type {HTMLElement | null} */
    this.input = null;
    this.lines = svg.querySelectorAll("path");
    this.ends = svg.querySelectorAll("circle");
    work.addEventListener("bench:moved", () => this.draw());
    work.addEventListener("scroll", () => this.draw(), { capture: true, passive: true });
  }

  /** @type {(input: HTMLElement | null) => void} */
  tie(input) {
    this.input = input;
    this.draw();
  }

  draw() {
    const mark = this.view.querySelector("[data-marks] .hl");
    const field = this.input?.isConnected && this.input.offsetParent && this.view.offsetParent ? this.input.closest("[data-field]") : null;
    this.svg.classList.toggle("tied", Boolean(mark && field));
    if (!mark || !field) return;
    const origin = this.work.getBoundingClientRect();
    const frame = this.view.getBoundingClientRect();
    const from = mark.getBoundingClientRect();
    const to = field.getBoundingClientRect();
    const x0 = clamp(from.right, frame.left, frame.right) - origin.left;
    const y0 = clamp((from.top + from.bottom) / 2, frame.top, frame.bottom) - origin.top;
    const [x1, y1] = [to.left - origin.left + 6, (to.top + to.bottom) / 2 - origin.top];
    const bend = Math.max(SLACK_PX, (x1 - x0) / 2);
    for (const line of this.lines) line.setAttribute("d", `M${x0} ${y0} C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`);
    [[x0, y0], [x1, y1]].forEach(([x, y], n) => {
      this.ends[n].setAttribute("cx", String(x));
      this.ends[n].setAttribute("cy", String(y));
    });
  }
}
