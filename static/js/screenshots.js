/* Pages are shown by their previews until they are drawn large: a screenshot takes its preview's place as soon as it is there.
   Named on the element in which the pages are. */
import { say } from "./words.js";

const PREVIEW = "preview"; // what the server ends the address of a page with that may still be drawn
const WHOLE = "?whole";
const COMING = 202;
const AGAIN_MS = 1000;
const MOST_TIMES = 40;
const VIEWS = ".page-view, .bench-view";

/** @type {(root: EventTarget) => void} */
export function start(root) {
  const screenshots = new Screenshots();
  // Loads do not bubble, but are heard on their way down.
  root.addEventListener("load", (event) => screenshots.loaded(event.target), true);
  if (root instanceof Element) for (const image of root.querySelectorAll(`img[src$="${PREVIEW}"], image[href$="${PREVIEW}"]`)) screenshots.loaded(image);
}

export class Screenshots {
  /** @param {{ fetch: (address: string) => Promise<{ status: number, ok: boolean }>, wait: (ms: number) => Promise<unknown> }} by */
  constructor(by = { fetch: (address) => fetch(address), wait }) {
    this.by = by;
    /** @type {Map<string, Promise<string>>} */
    this.asked = new Map();
  }

  /** @type {(image: any) => Promise<void>} */
  async loaded(image) {
    const name = image?.hasAttribute?.("src") ? "src" : "href";
    const address = image?.getAttribute?.(name) ?? "";
    const [plain, query] = address.split("?");
    if (!query?.endsWith(PREVIEW)) return;
    tell(image, "coming");
    const whole = await this.whole(plain + WHOLE);
    if (image.getAttribute(name) !== address) return; // it shows another page by now
    tell(image, whole ? "" : "none");
    if (whole) image.setAttribute(name, whole);
  }

  /** The address once there is something at it; empty where there will be nothing. One question for all who wait.
     @type {(address: string) => Promise<string>} */
  whole(address) {
    const known = this.asked.get(address) ?? this.ask(address);
    this.asked.set(address, known);
    known.then((whole) => whole || this.asked.delete(address));
    return known;
  }

  /** @type {(address: string) => Promise<string>} */
  async ask(address) {
    for (let times = 0; times < MOST_TIMES; times += 1) {
      if (times) await this.by.wait(AGAIN_MS);
      try {
        const answer = await this.by.fetch(address);
        if (answer.status !== COMING) return answer.ok ? address : "";
      } catch {
        // no connection: asked again
      }
    }
    return "";
  }
}

/** @type {(ms: number) => Promise<unknown>} */
function wait(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Beside a page that is looked at: that it is being drawn, or stays small.
   @type {(image: Element, state: "coming" | "none" | "") => void} */
function tell(image, state) {
  const view = image.closest(VIEWS);
  if (!view || image.closest(".bench-lens, .bench-peek")) return;
  let note = view.querySelector("[data-drawn]");
  if (!state) note?.remove();
  else {
    if (!note) {
      note = document.createElement("p");
      note.className = "page-drawn chip";
      note.setAttribute("data-drawn", "");
      note.setAttribute("role", "status");
      view.append(note);
    }
    note.textContent = say(`screenshot.${state}`);
  }
}
