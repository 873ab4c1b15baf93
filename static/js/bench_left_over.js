/* What an earlier draft says that the page, which has changed since, does not: line by line, to be put in or left. */
import { clone } from "./bench_form.js";
import { stillLeft } from "./bench_state.js";
import { say } from "./words.js";

export class LeftOver {
  /* `lines`: as leftOver gives them, kept with the draft. `on`: take(line), dropped(). */
  constructor(root, meta, on) {
    Object.assign(this, { root, on, lines: [], shown: [] });
    this.labels = Object.fromEntries(meta.keys.map(({ key, label }) => [key, label]));
    root.addEventListener("click", (event) => {
      const pressed = event.target.closest("[data-take-left]")?.closest("tr");
      if (pressed) this.take(this.shown[[...pressed.parentElement.children].indexOf(pressed)]);
      else if (event.target.closest("[data-drop-left]")) this.drop();
    });
  }

  take(line) {
    if (line.sku) this.lines = this.lines.filter((one) => one !== line);
    this.on.take(line);
  }

  drop() {
    this.lines = [];
    this.on.dropped();
  }

  /* Made anew only where it says something else: it is read aloud. */
  show(state) {
    this.shown = stillLeft(this.lines, state);
    const rows = this.shown.map((line) => this.words(line, state));
    if (JSON.stringify(rows) === this.written) return;
    this.written = JSON.stringify(rows);
    this.root.hidden = !rows.length;
    this.root.querySelector("tbody").replaceChildren(...rows.map(row));
  }

  words({ sku_id: id, key, mine, sku }, state) {
    if (sku) return { of: say("bench.new_sku"), label: "", mine: Object.values(sku.attributes).flatMap((value) => value?.text ?? []).join(say("bench.comma")), now: "" };
    const at = state.skus.findIndex((one) => one.sku_id === id);
    return { of: `S${at + 1}`, label: this.labels[key] ?? key, mine: mine || "—", now: state.skus[at].attributes[key]?.text || "—" };
  }
}

function row(words) {
  const line = clone("bench-left-line");
  for (const [name, text] of Object.entries(words)) line.querySelector(`[data-${name}]`).textContent = text;
  return line;
}
