/* What people tell each other about the page: read by all, said by anybody who has it open, kept by one key. */
import { dayAndClock, whole } from "./clock.js";
import { clone, the } from "./the.js";
import { toast } from "./toasts.js";

const TOLD_CHARS = 120;

export class Talk {
  /** `count`: how many were said, beside the part's name; `send(text)`: the command's answer; `refused(answer)`: where it was none.
     @param {HTMLElement} root
     @param {HTMLElement} count
     @param {string} me
     @param {{ send: (text: string) => Promise<Answer>, refused: (answer: Answer) => void }} on */
  constructor(root, count, me, { send, refused }) {
    this.root = root;
    this.count = count;
    this.me = me;
    this.send = send;
    this.refused = refused;
    /** @type {number | null} */
    this.last = null; // id of the last that is shown, 0 where there is none
    this.input = the(root, "input");
    the(root, "form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.flush();
    });
  }

  /** Who is not the reader is announced: the list may not be on the screen.
     @type {(comments: Remark[]) => void} */
  show(comments) {
    const last = comments.at(-1);
    const id = last?.id ?? 0;
    if (id === this.last) return;
    if (this.last !== null && last && last.who !== this.me) toast(`${last.who}: ${last.text.slice(0, TOLD_CHARS)}`, "acc");
    this.last = id;
    this.count.textContent = String(comments.length || "");
    the(this.root, "[data-talk-none]").hidden = comments.length > 0;
    the(this.root, "ol").replaceChildren(...comments.map(line));
    this.root.querySelector("li:last-child")?.scrollIntoView({ block: "nearest" });
  }

  /* What stands in the field is said before the page is left. */
  async flush() {
    const text = this.input.value.trim();
    if (!text) return;
    this.input.value = "";
    const answer = await this.send(text);
    if (answer.ok) return this.show(answer.comments ?? []);
    this.input.value = this.input.value || text;
    this.refused(answer);
  }
}

/** @type {(remark: Remark) => HTMLElement} */
function line({ who, at, text }) {
  const item = clone("bench-comment");
  const time = the(item, "time");
  the(item, "[data-who]").textContent = who;
  the(item, "[data-text]").textContent = text;
  time.dateTime = at;
  time.textContent = dayAndClock(at);
  time.title = whole(at);
  return item;
}
