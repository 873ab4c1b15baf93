/* Parts of the form that are fetched when they are asked for; and the next task's files, fetched before they are. */
import { say } from "./words.js";

export class FetchedPart {
  constructor(root, url) {
    Object.assign(this, { root, url });
  }

  async load() {
    this.root.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(this.url);
      if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
      this.root.innerHTML = await answer.text(); // this product's own fragment, escaped by its template
    } catch {
      this.root.textContent = say("request.failed");
    }
    this.root.removeAttribute("aria-busy");
  }
}

/* Whoever submits soon goes to that task: what takes longest to come is in the browser's cache by then. */
export async function warm(url) {
  try {
    const answer = await fetch(url, { priority: "low" });
    const { files = [] } = answer.ok ? await answer.json() : {};
    for (const file of files) await fetch(file, { priority: "low" });
  } catch {
    return; // it is fetched when it is needed
  }
}
