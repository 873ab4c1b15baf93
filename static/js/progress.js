/* How far the document is, for those who listen instead of looking: politely, at most every five seconds (WCAG 4.1.3). */
import { say } from "./words.js";

const EVERY_MS = 5000;

export class Progress {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.words = "";
    /** @type {string | null} */
    this.said = null;
    this.saidAt = -Infinity;
    /** @type {Timer} */
    this.timer = 0;
  }

  /** What the page shows when it is opened is no news.
     @type {(figures: Figures) => void} */
  tell(figures) {
    const read = figures["phase.read.figure"];
    this.words = read ? say("live.progress", { status: figures.status_word, read, skus: figures.skus || 0 }) : (figures.status_word ?? "");
    if (this.said === null) this.said = this.words;
    if (this.timer || this.words === this.said) return;
    this.timer = setTimeout(() => this.say(), Math.max(0, this.saidAt + EVERY_MS - performance.now()));
  }

  say() {
    this.timer = 0;
    if (this.words === this.said) return;
    this.said = this.words;
    this.saidAt = performance.now();
    this.element.textContent = this.words;
  }
}
