/* Keeps a region fresh by fetching it whole; one that somebody is using is left alone. */
import { sessionEnded } from "./signin.js";
import { the } from "./the.js";
import { timely } from "./timely.js";
import { say } from "./words.js";

const EVERY_MS = 10000;

/** @type {(region: HTMLElement) => void} */
export function start(region) {
  /** @type {Timer} */
  let timer = 0;

  async function refresh() {
    clearTimeout(timer);
    if (!document.hidden && !region.contains(document.activeElement)) await update(region);
    timer = setTimeout(refresh, EVERY_MS);
  }
  timer = setTimeout(refresh, EVERY_MS);
  mark("live");
  document.addEventListener("visibilitychange", () => !document.hidden && refresh());
}

/** @type {(region: HTMLElement) => Promise<void>} */
async function update(region) {
  try {
    const answer = await timely(region.dataset.freshUrl ?? "", { headers: { "X-Fragment": "region" }, redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.status === 401) {
      mark("signin");
      return sessionEnded();
    }
    if (!answer.ok) return mark("reconnecting");
    mark("live");
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes;
    if (!region.contains(document.activeElement)) region.replaceChildren(...fresh);
  } catch {
    mark("offline");
  }
}

/** @type {(live: string) => void} */
function mark(live) {
  const state = document.querySelector("[data-live-state]");
  if (!state || state.dataset.live === live) return;
  state.dataset.live = live;
  the(state, "[data-live-words]").textContent = say(`live.${live}`);
}
