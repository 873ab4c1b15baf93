/* One upload as a row: icon, name, bytes, bar, percent, one sentence, actions. */
import { makeBar, makeIcon, setIcon } from "./icons.js";
import { the } from "./the.js";
import { say } from "./words.js";

/** @type {Record<string, string>} */
const ICONS = {
  checking: "queued", waiting: "queued", sending: "upload", paused: "pause", interrupted: "pause",
  received: "check", duplicate: "copy", refused: "slash",
};
const MB = 1e6;

export class Row {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.element = document.createElement("li");
    this.element.className = "upload";
    this.icon = makeIcon("queued");
    this.bytes = span("upload-bytes");
    this.bar = makeBar();
    this.percent = span("upload-percent");
    this.none = span("upload-none", say("upload.none_sent"));
    this.said = span("upload-said");
    this.actions = span("upload-actions");
    const title = span("upload-name", name);
    title.title = name;
    this.element.append(this.icon, title, this.bytes, this.bar, this.percent, this.none, this.said, this.actions);
    this.bar.setAttribute("role", "progressbar");
    this.bar.setAttribute("aria-valuemin", "0");
    this.bar.setAttribute("aria-valuemax", "100");
    this.bar.removeAttribute("aria-hidden");
  }

  /** `way`: what may be done now, where it was refused or cannot go on.
     @type {(state: string, sentence: string, way?: string) => void} */
  show(state, sentence, way = "") {
    this.element.dataset.state = state;
    setIcon(this.icon, ICONS[state]);
    this.said.textContent = sentence;
    if (way) this.said.append(span("upload-way", way));
    const nothingSent = state === "duplicate" || state === "refused";
    this.none.hidden = !nothingSent;
    this.bar.toggleAttribute("hidden", nothingSent);
    this.percent.hidden = nothingSent;
    if (nothingSent) this.bytes.textContent = "";
  }

  /** @type {(sent: number, total: number) => void} */
  progress(sent, total) {
    const percent = total ? Math.floor((sent / total) * 100) : 0;
    this.bytes.textContent = sent < total ? `${size(sent)} / ${size(total)}` : size(total);
    this.percent.textContent = `${percent}%`;
    the(this.bar, ".fill").setAttribute("width", `${percent}%`);
    this.bar.setAttribute("aria-valuenow", String(percent));
    this.bar.setAttribute("aria-label", say("upload.progress", { name: this.name, percent }));
  }

  /** Each action: {word, icon?, run?, href?, label?}; without words an icon button with the word as its name.
     @type {(actions: RowAction[]) => void} */
  offer(actions) {
    const hadFocus = this.actions.contains(document.activeElement);
    this.actions.replaceChildren(...actions.map(makeAction));
    if (hadFocus) this.actions.querySelector("a, button")?.focus();
  }
}

/** @type {(action: RowAction) => HTMLElement} */
function makeAction({ word, icon, run, href, quiet }) {
  const element = href ? Object.assign(document.createElement("a"), { href }) : Object.assign(document.createElement("button"), { type: "button" });
  element.className = quiet ? "btn btn-icon btn-28" : "btn btn-secondary btn-28 small";
  if (icon) element.append(makeIcon(icon, 14));
  if (quiet) {
    element.setAttribute("aria-label", word);
    element.title = word;
  } else element.append(word);
  if (run) element.addEventListener("click", run);
  return element;
}

/** @type {(bytes: number) => string} */
export function size(bytes) {
  return bytes < MB / 10 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / MB).toFixed(1)} MB`;
}

/** @type {(css: string, text?: string) => HTMLSpanElement} */
function span(css, text = "") {
  const element = document.createElement("span");
  element.className = css;
  element.textContent = text;
  return element;
}
