/* The thread from the focused field to its proof on the page; it ends at the view's edge where the proof is off-screen. */
const SLACK_PX = 60;

export class Thread {
  constructor(svg, work, view) {
    Object.assign(this, { svg, work, view, input: null });
    this.lines = svg.querySelectorAll("path");
    this.ends = svg.querySelectorAll("circle");
    work.addEventListener("bench:moved", () => this.draw());
    work.addEventListener("scroll", () => this.draw(), { capture: true, passive: true });
  }

  tie(input) {
    this.input = input;
    this.draw();
  }

  draw() {
    const mark = this.view.querySelector("[data-marks] .hl");
    const shown = Boolean(this.input?.isConnected && mark && this.input.offsetParent && this.view.offsetParent);
    this.svg.classList.toggle("tied", shown);
    if (!shown) return;
    const origin = this.work.getBoundingClientRect();
    const frame = this.view.getBoundingClientRect();
    const from = mark.getBoundingClientRect();
    const to = this.input.closest("[data-field]").getBoundingClientRect();
    const x0 = clamp(from.right, frame.left, frame.right) - origin.left;
    const y0 = clamp((from.top + from.bottom) / 2, frame.top, frame.bottom) - origin.top;
    const [x1, y1] = [to.left - origin.left + 6, (to.top + to.bottom) / 2 - origin.top];
    const bend = Math.max(SLACK_PX, (x1 - x0) / 2);
    for (const line of this.lines) line.setAttribute("d", `M${x0} ${y0} C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`);
    [[x0, y0], [x1, y1]].forEach(([x, y], n) => {
      this.ends[n].setAttribute("cx", x);
      this.ends[n].setAttribute("cy", y);
    });
  }
}

const clamp = (value, least, most) => Math.min(most, Math.max(least, value));
