/* Starts each behaviour that an element names in data-behaviour; the only module a page loads by itself. */
import * as bell from "./bell.js";
import * as bench from "./bench.js";
import * as cards from "./cards.js";
import * as countdown from "./countdown.js";
import * as edition from "./edition.js";
import * as evidence from "./evidence.js";
import * as exportPanel from "./export_panel.js";
import * as focusKept from "./focus_kept.js";
import * as foreEdge from "./fore_edge.js";
import * as freshRegion from "./fresh_region.js";
import * as freshRows from "./fresh_rows.js";
import * as keys from "./keys.js";
import * as listKeys from "./list_keys.js";
import * as live from "./live.js";
import * as menus from "./menus.js";
import * as pageGrid from "./page_grid.js";
import * as queuePicks from "./queue_picks.js";
import * as reach from "./reach.js";
import * as screenshots from "./screenshots.js";
import * as sidePanel from "./side_panel.js";
import * as signin from "./signin.js";
import * as study from "./study.js";
import * as studyCompare from "./study_compare.js";
import * as taskQueue from "./task_queue.js";
import * as theme from "./theme.js";
import * as tileFilter from "./tile_filter.js";
import * as toasts from "./toasts.js";
import * as upload from "./upload.js";

/** What a behaviour takes is what its templates name it on.
   @type {Record<string, { start(element: Element): unknown }>} */
const BEHAVIOURS = {
  bell,
  bench,
  cards,
  countdown,
  edition,
  evidence,
  "export-panel": exportPanel,
  "focus-kept": focusKept,
  "fore-edge": foreEdge,
  "fresh-region": freshRegion,
  "fresh-rows": freshRows,
  keys,
  "list-keys": listKeys,
  live,
  menus,
  "page-grid": pageGrid,
  "queue-picks": queuePicks,
  reach,
  screenshots,
  "side-panel": sidePanel,
  signin,
  study,
  "study-compare": studyCompare,
  "task-queue": taskQueue,
  theme,
  "tile-filter": tileFilter,
  toasts,
  upload,
};

/** @type {(root: HTMLElement) => void} */
function startIn(root) {
  const named = [...root.querySelectorAll("[data-behaviour]")];
  if (root.matches?.("[data-behaviour]")) named.unshift(root);
  for (const element of named) {
    const names = (element.dataset.behaviour ?? "").split(" ");
    const started = new Set((element.dataset.started ?? "").split(" "));
    for (const name of names) {
      if (!started.has(name)) BEHAVIOURS[name].start(element);
    }
    element.dataset.started = names.join(" ");
  }
}

startIn(document.body);
document.addEventListener("region:replaced", (event) => startIn(event.target));
