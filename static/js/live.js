/* The job page while things change: applies rows and figures, fetches lists and reshaped regions whole. */
import { Connection } from "./live_connection.js";
import { applyFigures, applyRow, forgetRows } from "./patch.js";
import { Progress } from "./progress.js";
import { the } from "./the.js";
import { timely } from "./timely.js";

const AGAIN_MS = 3000;
const SIDE_MS = 5000;

/** @type {(root: HTMLElement) => void} */
export function start(root) {
  const page = new JobPage(root);
  page.connection.start();
  page.freshenSide();
}

class JobPage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.body = the(root, "[data-live-body]");
    this.connection = new Connection({
      socketUrl: root.dataset.liveSocket ?? "", syncUrl: root.dataset.liveSync ?? "", heard: (message, afterBreak) => this.apply(message, afterBreak),
    });
    this.progress = new Progress(the(root, "[data-progress-said]"));
    this.sideAt = -Infinity;
    /** @type {Timer} */
    this.sideTimer = 0;
    this.fetching = false;
    this.fetchAgain = false;
    /** @type {Message[]} */
    this.meanwhile = []; // heard while the region is fetched
  }

  /** @type {(message: Message, afterBreak: boolean) => void} */
  apply(message, afterBreak) {
    this.put(message);
    if (this.fetching) this.meanwhile.push(message);
    if (message.figures) this.progress.tell(message.figures);
    if (message.rows?.length) this.freshenSide();
    if (this.isReshaped(message) || (message.type === "sync" && afterBreak)) this.refetch();
  }

  /** @type {(message: { rows?: LiveRow[], figures?: Figures }) => void} */
  put({ rows = [], figures }) {
    for (const row of rows) applyRow(row);
    if (figures) applyFigures(figures);
  }

  // The first pages, another status or another reason of it change what the page consists of.
  /** @type {(message: Message) => boolean} */
  isReshaped(message) {
    const shape = message.figures?.shape;
    return shape !== undefined && shape !== this.body.dataset.liveShape;
  }

  /* Reasons, problems and activity are lists: fetched whole, at most every few seconds and only while looked at. */
  freshenSide() {
    if (this.sideTimer) return;
    const wait = Math.max(0, this.sideAt + SIDE_MS - performance.now());
    this.sideTimer = setTimeout(async () => {
      this.sideTimer = 0;
      this.sideAt = performance.now();
      const side = this.body.querySelector("[data-live-side]");
      if (!side || document.hidden || side.contains(document.activeElement)) return;
      const answer = await timely(side.dataset.liveSide ?? "", { redirect: "manual" }).catch(() => null);
      const html = answer?.ok ? await answer.text() : "";
      if (html && !side.contains(document.activeElement)) side.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    }, wait);
  }

  async refetch() {
    if (this.fetching) {
      this.fetchAgain = true;
      return;
    }
    this.fetching = true;
    this.meanwhile = [];
    const isReplaced = await this.fetchRegion().catch(() => false);
    this.fetching = false;
    if (this.fetchAgain) {
      this.fetchAgain = false;
      this.refetch();
    } else if (!isReplaced && !this.connection.stopped) setTimeout(() => this.refetch(), AGAIN_MS);
  }

  // A region in which somebody is typing is not taken away.
  async fetchRegion() {
    const answer = await timely(this.root.dataset.liveRegion ?? "", { headers: { "HX-Request": "true" }, redirect: "manual" });
    const html = await answer.text();
    if (!answer.ok || isTypedIn(this.body)) return false;
    this.replace(html, answer.headers);
    return true;
  }

  /** @type {(html: string, headers: Headers) => void} */
  replace(html, headers) {
    const focused = document.activeElement?.closest("[data-row]")?.dataset.row;
    const scroller = the(document, "#main");
    const top = scroller.scrollTop;
    const parsed = new DOMParser().parseFromString(html, "text/html");
    this.body.replaceChildren(...parsed.body.childNodes);
    this.body.dataset.liveShape = headers.get("X-Job-Shape") ?? this.body.dataset.liveShape;
    forgetRows();
    for (const message of this.meanwhile) this.put(message);
    window.htmx?.process(this.body);
    this.body.dispatchEvent(new CustomEvent("region:replaced", { bubbles: true }));
    scroller.scrollTop = top;
    this.sideAt = -Infinity;
    this.freshenSide();
    if (focused) this.body.querySelector(`[data-row="${focused}"]`)?.focus();
  }
}

/** @type {(region: HTMLElement) => boolean} */
function isTypedIn(region) {
  const field = document.activeElement;
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
  return isField && region.contains(field) && field.value !== "";
}
