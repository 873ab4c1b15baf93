/* The page beside the fields of a study: it follows what is looked at, with the quote marked on it. */
import { boxesIn } from "./study_boxes.js";
import { fetched } from "./fetched.js";
import { bringInto, startZoom, zoom } from "./zoom.js";

const SVG = "http://www.w3.org/2000/svg";
const AROUND_PT = 1;
const ABOVE = 0.3; // of the view stays above what is marked

export class StudyView {
  /** @param {HTMLElement} view
     @param {string} address of pages, before their number */
  constructor(view, address) {
    this.view = view;
    this.address = address;
    /** @type {import("./study_boxes.js").Boxed[]} */
    this.boxes = [];
    this.wanted = this.number;
    startZoom(view);
    this.zoomed = view.querySelector(".zoom-sheet");
    view.addEventListener("click", (event) => {
      const button = event.target.closest("[data-turn]");
      if (button) this.turn(this.number + Number(button.dataset.turn));
    });
  }

  get number() {
    return Number(this.view.querySelector("[data-number]")?.dataset.number ?? 1);
  }

  get last() {
    return Number(this.view.querySelector("[data-last]")?.dataset.last) || 1;
  }

  /** @type {(how: "in" | "out") => void} */
  zoom(how) {
    zoom(this.view, how);
  }

  /** @type {(looked: HTMLElement) => Promise<void>} */
  async show(looked) {
    this.boxes = boxesIn(looked.dataset.boxes ?? "");
    const page = Number(looked.dataset.page) || this.boxes[0]?.page || this.wanted;
    await this.turn(page);
  }

  /** @type {(number: number) => Promise<void>} */
  async turn(number) {
    if (number < 1 || number > this.last) return;
    this.wanted = number;
    if (number !== this.number) {
      const nodes = await fetched(`${this.address}${number}/`, this.view);
      if (!nodes || this.wanted !== number) return;
      const fresh = [...nodes].filter((node) => node instanceof Element);
      // The sheet itself stays: it holds who drags and looks closer.
      const sheet = this.view.querySelector(".zoom-sheet");
      const bar = this.view.querySelector(".zoom-bar");
      const newSheet = fresh.find((node) => node.matches(".zoom-sheet"));
      const newBar = fresh.find((node) => node.matches(".zoom-bar"));
      if (sheet && newSheet) sheet.replaceChildren(...newSheet.childNodes);
      if (bar && newBar) bar.replaceChildren(...newBar.childNodes);
    }
    this.mark();
  }

  mark() {
    const svg = this.view.querySelector(".zoom-sheet svg");
    if (!svg) return;
    for (const old of svg.querySelectorAll("[data-quote]")) old.remove();
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("data-quote", "");
    group.append(...this.boxes.filter((boxed) => boxed.page === this.number).flatMap(({ box }) => drawn(box)));
    svg.append(group);
    if (!group.childElementCount) return;
    bringInto(this.view, group);
    const sheet = this.view.querySelector(".zoom-sheet");
    if (!sheet) return;
    const at = group.getBoundingClientRect();
    const around = sheet.getBoundingClientRect();
    if (at.top < around.top || at.bottom > around.bottom) sheet.scrollTop += at.top - around.top - around.height * ABOVE;
  }
}

/** A printed line under the highlighter, as the server draws it.
   @type {(box: Box) => Element[]} */
function drawn([x0, y0, x1, y1]) {
  const rect = element("rect", { class: "hl", x: x0 - AROUND_PT, y: y0 - AROUND_PT, width: x1 - x0 + 2 * AROUND_PT, height: y1 - y0 + 2 * AROUND_PT });
  const line = element("line", { class: "hl-line", x1: x0 - AROUND_PT, x2: x1 + AROUND_PT, y1: y1 + AROUND_PT, y2: y1 + AROUND_PT });
  return [rect, line];
}

/** @type {(name: string, attributes: Record<string, string | number>) => Element} */
function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
