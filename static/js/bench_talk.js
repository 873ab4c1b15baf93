/* What people tell each other about the page: read by all, said by anybody who has it open, kept by one key. */
import { clone } from "./bench_form.js";
import { toast } from "./toasts.js";

const TOLD_CHARS = 120;

export class Talk {
  /* `send(text)`: the command's answer; `refused(answer)`: where it was none. */
  constructor(root, count, me, { send, refused }) {
    Object.assign(this, { root, count, me, send, refused, last: null });
    this.input = root.querySelector("input");
    root.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.flush();
    });
  }

  /* Who is not the reader is announced: the list may not be on the screen. */
  show(comments) {
    const last = comments.at(-1) ?? { id: 0 };
    if (last.id === this.last?.id) return;
    if (this.last !== null && last.id && last.who !== this.me) toast(`${last.who}: ${last.text.slice(0, TOLD_CHARS)}`, "acc");
    this.last = last;
    this.count.textContent = comments.length || "";
    this.root.querySelector("[data-talk-none]").hidden = comments.length > 0;
    this.root.querySelector("ol").replaceChildren(...comments.map(line));
    this.root.querySelector("li:last-child")?.scrollIntoView({ block: "nearest" });
  }

  /* What stands in the field is said before the page is left. */
  async flush() {
    const text = this.input.value.trim();
    if (!text) return;
    this.input.value = "";
    const answer = await this.send(text);
    if (answer.ok) return this.show(answer.comments);
    this.input.value = this.input.value || text;
    this.refused(answer);
  }
}

function line({ who, at, text }) {
  const item = clone("bench-comment");
  const time = item.querySelector("time");
  item.querySelector("[data-who]").textContent = who;
  item.querySelector("[data-text]").textContent = text;
  time.dateTime = at;
  time.textContent = new Date(at).toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short", hour12: false });
  return item;
}
