/* Keeps a list fresh without moving it: rows change in place, new ones wait behind a pill, but for those of files that
   were just sent from here, and the first ones of an empty list, which take the place of what it said. */
import * as bell from "./bell.js";
import { sessionEnded } from "./signin.js";
import { all, the } from "./the.js";
import { timely } from "./timely.js";
import { say } from "./words.js";

const EVERY_MS = 4000;

/** @type {(table: HTMLElement) => void} */
export function start(table) {
  const body = the(table, "[data-fresh-body]", HTMLTableSectionElement);
  /** @type {Timer} */
  let timer = 0;

  async function refresh() {
    clearTimeout(timer);
    if (!document.hidden) await update(table, body);
    timer = setTimeout(refresh, EVERY_MS);
  }
  timer = setTimeout(refresh, EVERY_MS);
  document.addEventListener("visibilitychange", () => !document.hidden && refresh());
  document.addEventListener("documents:changed", refresh);
}

/** @type {(table: HTMLElement, body: HTMLTableSectionElement) => Promise<void>} */
async function update(table, body) {
  const state = document.querySelector("[data-live-state]");
  try {
    const answer = await timely(table.dataset.freshUrl ?? "", { headers: { "X-Fragment": "rows" }, redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.status === 401) {
      mark(state, "signin");
      return sessionEnded();
    }
    if (!answer.ok) return mark(state, "reconnecting");
    mark(state, "live");
    place(table, body, new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    mark(state, "offline");
  }
}

/** @type {(state: HTMLElement | null, live: string) => void} */
function mark(state, live) {
  if (!state || state.dataset.live === live) return;
  state.dataset.live = live;
  the(state, "[data-live-words]").textContent = say(`live.${live}`);
}

/** @type {(table: HTMLElement, body: HTMLTableSectionElement, fresh: Document) => void} */
function place(table, body, fresh) {
  const here = new Map([...body.rows].map((row) => [row.dataset.key, row]));
  const sent = new Set([...document.querySelectorAll("[data-uploads-list] a")].map((link) => link.getAttribute("href")));
  const foot = the(fresh, ".table-foot");
  const section = table.closest("section");
  const empty = document.querySelector("[data-no-rows]");
  let unseen = 0;
  for (const row of all(fresh, "tr[data-key]", HTMLTableRowElement).reverse()) {
    const old = here.get(row.dataset.key);
    if (!old && (empty || sent.has(row.dataset.href ?? ""))) {
      body.prepend(document.adoptNode(row));
      if (section) the(section, ".table-foot").replaceWith(foot); // its numbers
    } else if (!old) unseen += 1;
    else if (old.innerHTML !== row.innerHTML && !old.contains(document.activeElement)) old.innerHTML = row.innerHTML;
  }
  if (empty && section && body.rows.length) {
    section.hidden = false;
    empty.remove();
  }
  const counts = fresh.querySelector("[data-fresh-counts]");
  const shown = document.querySelector("[data-list-counts]");
  if (counts && shown && !shown.contains(document.activeElement)) shown.innerHTML = counts.innerHTML;
  bell.show(the(fresh, "[data-fresh-bell]").textContent);
  pill(table, unseen);
}

/** How many rows wait to be shown, before the list; a press loads it again.
   @type {(table: HTMLElement, unseen: number) => void} */
export function pill(table, unseen) {
  let button = table.parentElement?.querySelector("[data-new-rows]");
  if (!unseen) return button?.remove();
  if (!button) {
    button = Object.assign(document.createElement("button"), { type: "button", className: "pill-new" });
    button.dataset.newRows = "";
    button.addEventListener("click", () => location.reload());
    table.before(button);
  }
  button.textContent = say("list.new", { n: unseen });
}
