/* The time that a task may still wait, told anew every half minute. `data-due`: when it ends; with `data-still` it stands.
   `data-limit`: the whole time in seconds. Tones and words as the server writes them first. */
import { whole } from "./clock.js";
import { the } from "./the.js";

const EVERY_MS = 30000;
const AT_RISK_S = 600;

/** @type {(left_s: number, limit_s: number) => "over" | "risk" | "soon" | "calm"} */
export function tone(left, limit) {
  if (left < 0) return "over";
  if (left <= AT_RISK_S) return "risk";
  return left * 3 <= limit ? "soon" : "calm";
}

/** @type {(left_s: number, words: string) => string} */
export function text(left, words) {
  const minutes = Math.ceil(Math.abs(left) / 60);
  if (minutes < 60) return words.replace("{n}", String(minutes));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** @type {(element: HTMLElement) => void} */
export function start(element) {
  function tell() {
    if (element.dataset.still !== undefined) return;
    const left = (Date.parse(element.dataset.due ?? "") - Date.now()) / 1000;
    const now = tone(left, Number(element.dataset.limit));
    const said = text(left, element.dataset.minutes ?? "{n}");
    if (element.dataset.tone !== now) {
      element.dataset.tone = now;
      the(element, "[data-word]").textContent = element.dataset[`word${now}`] ?? "";
    }
    const figure = the(element, "time");
    if (figure.textContent !== said) figure.textContent = said;
    figure.title = whole(element.dataset.due);
    element.style.setProperty("--left", String(Math.max(0, Math.min(1, left / Number(element.dataset.limit)))));
  }
  tell();
  setInterval(tell, EVERY_MS);
}
