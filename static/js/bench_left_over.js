/* What an earlier draft says that the page, which has changed since, does not: line by line, to be put in or left. */
import { stillLeft, textOf } from "./bench_state.js";
import { clone, the } from "./the.js";
import { say } from "./words.js";

export class LeftOver {
  /** @param {HTMLElement} root
     @param {Meta} meta
     @param {{ take: (line: LeftLine) => void, dropped: () => void }} on */
  constructor(root, meta, on) {
    this.root = root;
    this.on = on;
    /** @type {LeftLine[]} */
    this.lines = []; // as leftOver gives them, kept with the draft
    /** @type {LeftLine[]} */
    this.shown = [];
    this.written = "";
    /** @type {Record<string, string | undefined>} */
    this.labels = Object.fromEntries(meta.keys.map(({ key, label }) => [key, label]));
    root.addEventListener("click", (event) => {
      const pressed = event.target.closest("[data-take-left]")?.closest("tr");
      if (pressed) this.take(this.shown[pressed.sectionRowIndex]);
      else if (event.target.closest("[data-drop-left]")) this.drop();
    });
  }

  /** @type {(line: LeftLine) => void} */
  take(line) {
    if (line.sku) this.lines = this.lines.filter((one) => one !== line);
    this.on.take(line);
  }

  drop() {
    this.lines = [];
    this.on.dropped();
  }

  /** Made anew only where it says something else: it is read aloud.
     @type {(state: PageState) => void} */
  show(state) {
    this.shown = stillLeft(this.lines, state);
    const rows = this.shown.map((line) => this.words(line, state));
    if (JSON.stringify(rows) === this.written) return;
    this.written = JSON.stringify(rows);
    this.root.hidden = !rows.length;
    the(this.root, "tbody").replaceChildren(...rows.map(row));
  }

  /** @type {(line: LeftLine, state: PageState) => Record<"of" | "label" | "mine" | "now", string>} */
  words(line, state) {
    if (line.sku) return { of: say("bench.new_sku"), label: "", mine: Object.values(line.sku.attributes).flatMap((value) => value?.text ?? []).join(say("bench.comma")), now: "" };
    const at = state.skus.findIndex((one) => one.sku_id === line.sku_id);
    return { of: `S${at + 1}`, label: this.labels[line.key] ?? line.key, mine: line.mine || "—", now: textOf(state, at, line.key) || "—" };
  }
}

/** @type {(words: Record<string, string>) => HTMLElement} */
function row(words) {
  const line = clone("bench-left-line");
  for (const [name, text] of Object.entries(words)) the(line, `[data-${name}]`).textContent = text;
  return line;
}
