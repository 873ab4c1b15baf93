/* What two people said of a study, side by side, as it stands now: fetched whole whenever a record of it is another one. */
import { Connection } from "./live_connection.js";
import { differ } from "./study_boxes.js";
import { timely } from "./timely.js";

const AGAIN_MS = 2000; // where it could not be had, or somebody is choosing

/** @type {(root: HTMLElement) => void} */
export function start(root) {
  /** @type {Record<string, string> | null} */
  let shown = null;
  /** @type {Timer} */
  let timer = 0;

  async function freshen() {
    clearTimeout(timer);
    const isDone = !root.contains(document.activeElement?.closest("select") ?? null) && (await put(root).catch(() => false));
    if (!isDone) timer = setTimeout(freshen, AGAIN_MS);
  }

  new Connection({
    socketUrl: root.dataset.liveSocket ?? "",
    syncUrl: root.dataset.liveSync ?? "",
    heard: ({ records = {} }) => {
      const isNew = shown === null || differ(shown, records);
      shown = records;
      if (isNew) freshen();
    },
  }).start();
}

/** @type {(root: HTMLElement) => Promise<boolean>} */
async function put(root) {
  const answer = await timely(location.href, { redirect: "manual" });
  if (answer.type === "opaqueredirect") location.reload(); // those who are compared are others, or one has to sign in
  if (!answer.ok) return false;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(root.id);
  if (!fresh) return false;
  if (withoutTokens(fresh) !== withoutTokens(root)) root.replaceChildren(...fresh.childNodes);
  return true;
}

/** @type {(element: Element) => string} */
const withoutTokens = (element) => element.innerHTML.replaceAll(/value="[A-Za-z0-9]{64}"/g, "");
