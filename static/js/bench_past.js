/* Parts of the form that are fetched when they are asked for; and the next task's files, fetched before they are. */
import { failed } from "./fetched.js";
import { clone, the } from "./the.js";
import { timely } from "./timely.js";

export class FetchedPart {
  /** @param {HTMLElement} root
     @param {string} url */
  constructor(root, url) {
    this.root = root;
    this.url = url;
  }

  async load() {
    this.root.setAttribute("aria-busy", "true");
    if (!this.root.childElementCount) this.root.replaceChildren(clone("bench-skeleton"));
    const answer = await timely(this.url, { redirect: "manual" }).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => null) : null;
    if (text === null) this.fail(answer);
    else this.root.innerHTML = text; // this product's own fragment, escaped by its template
    this.root.removeAttribute("aria-busy");
  }

  /** @type {(answer: Response | null) => void} */
  fail(answer) {
    const card = clone("bench-failed");
    the(card, "[data-words]").textContent = failed(answer);
    the(card, "button").addEventListener("click", () => this.load());
    this.root.replaceChildren(card);
  }
}

/** Whoever submits soon goes to that task: what takes longest to come is in the browser's cache by then.
   @type {(url: string) => Promise<void>} */
export async function warm(url) {
  try {
    const answer = await fetch(url, { priority: "low" });
    const { files = [] } = answer.ok ? await answer.json() : {};
    for (const file of files) await fetch(file, { priority: "low" });
  } catch {
    // it is fetched when it is needed
  }
}
