/* Short notices at the foot of the right column; faults stay until closed and carry the request's id. */
import { makeIcon } from "./icons.js";
import { say } from "./words.js";

const STAYS_MS = 6000;
const ICONS = { acc: "info", done: "check", person: "warning", fault: "flag" };

export function start() {
  document.addEventListener("htmx:responseError", (event) => {
    const id = event.detail.xhr.getResponseHeader("X-Request-Id");
    toast(`${say("request.failed")}${id ? ` ${id}` : ""}`, "fault");
  });
  document.addEventListener("htmx:sendError", () => toast(say("request.failed"), "fault"));
}

/** `action`: {word, run, stays_ms}, what may be done about it for as long.
   @type {(sentence: string, tone?: Tone, action?: ToastAction | null) => void} */
export function toast(sentence, tone = "acc", action = null) {
  const place = document.querySelector("[data-toasts]");
  if (!place) return;
  const element = document.createElement("div");
  element.className = `toast toast-${tone}`;
  const words = document.createElement("p");
  words.textContent = sentence;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "btn btn-icon btn-28";
  close.setAttribute("aria-label", say("toast.dismiss"));
  close.append(makeIcon("close", 14));
  close.addEventListener("click", () => element.remove());
  element.append(makeIcon(ICONS[tone]), words, ...(action ? [actionOf(action, element)] : []), close);
  place.append(element);
  if (tone !== "fault") setTimeout(() => element.remove(), action?.stays_ms ?? STAYS_MS);
}

/** @type {(action: ToastAction, element: Element) => HTMLElement} */
function actionOf({ word, run }, element) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-quiet btn-28";
  button.textContent = word;
  button.addEventListener("click", () => {
    element.remove();
    run();
  });
  return button;
}
