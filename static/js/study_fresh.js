/* A study as it stands now, put into the page that is open: who reads or types there keeps focus and words. */
import { differ } from "./study_boxes.js";
import { the } from "./the.js";
import { timely } from "./timely.js";
import { say } from "./words.js";

const APART_MS = 300;
const AGAIN_MS = 3000; // where it could not be had

export class Freshness {
  /** `load`: fetches the rows of a section.
     @param {HTMLElement} root
     @param {(section: HTMLElement) => Promise<boolean>} load */
  constructor(root, load) {
    this.root = root;
    this.load = load;
    /** @type {Record<string, string> | null} */
    this.shown = null;
    this.isBusy = false;
    this.again = false;
  }

  /** @type {(records: Record<string, string>) => void} */
  heard(records) {
    const isNew = this.shown === null || differ(this.shown, records);
    this.shown = records;
    if (isNew) this.freshen();
  }

  async freshen() {
    if (this.isBusy) {
      this.again = true;
      return;
    }
    this.isBusy = true;
    const isDone = await this.fetchAll().catch(() => false);
    await new Promise((resolve) => void setTimeout(resolve, isDone ? APART_MS : AGAIN_MS));
    this.isBusy = false;
    this.again ||= !isDone && !document.hidden;
    if (!this.again) return;
    this.again = false;
    this.freshen();
  }

  async fetchAll() {
    const answer = await timely(location.href, { redirect: "manual" });
    if (!answer.ok) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    this.replaceHead(page);
    this.putSections(page);
    for (const section of this.root.querySelectorAll("details[open][data-loaded]")) if (!(await this.load(section))) return false;
    return true;
  }

  /** @type {(page: Document) => void} */
  replaceHead(page) {
    for (const id of ["study-head", "study-notices"]) {
      const now = the(this.root, `#${id}`);
      const next = page.getElementById(id);
      if (!next || withoutTokens(now) === withoutTokens(next)) continue;
      now.replaceChildren(...next.childNodes);
      window.htmx?.process(now);
    }
  }

  /** New parts come where they stand, those that are none any more go; one that is left out or taken in is another.
     @type {(page: Document) => void} */
  putSections(page) {
    const fresh = [...page.querySelectorAll("details[data-section]")];
    const ids = new Set(fresh.map((section) => section.id));
    for (const old of this.root.querySelectorAll("details[data-section]")) if (!ids.has(old.id) && !isTypedIn(old)) old.remove();
    for (const section of fresh) {
      const old = document.getElementById(section.id);
      if (!old) {
        this.root.querySelector(`[data-parts="${section.parentElement?.dataset.parts ?? ""}"]`)?.append(section);
        window.htmx?.process(section);
      } else if (old.dataset.status !== section.dataset.status && !isTypedIn(old)) {
        section.toggleAttribute("open", old.hasAttribute("open") && section.dataset.loaded !== undefined);
        old.replaceWith(section);
        window.htmx?.process(section);
      } else {
        old.toggleAttribute("data-left", section.hasAttribute("data-left"));
        the(old, "summary").replaceChildren(...the(section, "summary").childNodes);
      }
    }
  }

  /** Rows of a section as they stand now; one in which somebody types stays, and says so.
     @type {(rows: HTMLElement, nodes: NodeListOf<ChildNode>) => void} */
  put(rows, nodes) {
    for (const node of [...nodes]) {
      if (!(node instanceof HTMLElement) || !node.id) continue;
      const old = document.getElementById(node.id);
      if (!old || !rows.contains(old) || old.dataset.stamp === node.dataset.stamp || isOlder(node, old)) continue;
      if (isTypedIn(old)) warn(old);
      else {
        const hasFocus = old.contains(document.activeElement);
        old.replaceWith(node);
        if (hasFocus) node.focus({ preventScroll: true });
      }
    }
  }
}

/** @type {(element: Element) => string} */
const withoutTokens = (element) => element.innerHTML.replaceAll(/value="[A-Za-z0-9]{64}"/g, "");

/** @type {(part: Element) => boolean} */
const isTypedIn = (part) => part.querySelector("[data-edit]:not([hidden])") !== null;

/** What was asked for before a decision may come after what was answered to it.
   @type {(node: HTMLElement, old: HTMLElement) => boolean} */
const isOlder = (node, old) => Number(node.dataset.version) < Number(old.dataset.version);

/** @type {(row: Element) => void} */
function warn(row) {
  if (row.querySelector("[data-moved]")) return;
  const note = document.createElement("p");
  note.className = "small tone-person";
  note.setAttribute("data-moved", "");
  note.setAttribute("role", "status");
  note.textContent = say("study.moved");
  row.querySelector("[data-edit]")?.prepend(note);
}
