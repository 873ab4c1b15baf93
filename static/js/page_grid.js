/* The page grid: one tab stop, arrows move, hover or focus explains a page, Enter shows it large. */
import { setIcon } from "./icons.js";
import { bind } from "./keys.js";
import { place } from "./place.js";

const HOVER_MS = 250;
const CHIP = {
  HUMAN_QUEUED: "person", HUMAN_PROCESSING: "person", AI_FAILED: "fault", IMPORT_FAILED: "fault", DEAD_LETTER: "stopped",
  AI_PROCESSING: "acc", AI_COMPLETED: "acc", HUMAN_COMPLETED: "done", IMPORTED_CONFIRMED: "done", IMPORTED_ASSUMED: "done",
};
const ARROWS = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown", "Home", "End"];
let bound = false;
let hoverTimer = 0;
let wantedPage = "";

export function start(grid) {
  grid.querySelector(".tile")?.setAttribute("tabindex", "0");
  grid.addEventListener("focusin", (event) => focusTile(grid, event.target.closest(".tile")));
  grid.addEventListener("focusout", hideCard);
  grid.addEventListener("pointerover", (event) => hover(event.target.closest(".tile")));
  grid.addEventListener("pointerleave", hideCard);
  grid.addEventListener("click", (event) => {
    const tile = event.target.closest(".tile");
    if (!tile || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showPage(tile);
  });
  openWanted();
  if (bound) return;
  bound = true;
  addEventListener("hashchange", readAddress);
  document.addEventListener("htmx:afterSettle", openWanted);
  readAddress();
  bind({ scope: "grid", keys: ARROWS, says: "keys.move", run: (event) => move(event.key), when: (event) => event.target.matches(".tile") });
  bind({ scope: "grid", keys: ["e"], says: "keys.problem", run: nextProblem });
  bind({ scope: "dialog", keys: ["ArrowLeft"], says: "keys.move", run: () => step(-1) });
  bind({ scope: "dialog", keys: ["ArrowRight"], says: "keys.move", run: () => step(1) });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-next-problem]")) nextProblem();
    const button = event.target.closest("[data-page-step]");
    if (button) step(Number(button.dataset.pageStep));
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hideCard());
}

/* #page-12 in the address opens that page, as soon as its tile is there. */
function readAddress() {
  wantedPage = /^#page-(\d+)$/.exec(location.hash)?.[1] ?? "";
  openWanted();
}

function openWanted() {
  const tile = wantedPage && tileOf(wantedPage);
  if (!tile) return;
  wantedPage = "";
  tile.scrollIntoView({ block: "center" });
  showPage(tile);
}

const tiles = () => [...document.querySelectorAll("#tiles .tile")].filter((tile) => tile.offsetParent !== null);

function focusTile(grid, tile) {
  if (!tile) return;
  for (const other of grid.querySelectorAll('.tile[tabindex="0"]')) other.tabIndex = -1;
  tile.tabIndex = 0;
  showCard(tile);
}

function move(key) {
  const all = tiles();
  const from = all.indexOf(document.activeElement);
  const columns = all.filter((tile) => tile.offsetTop === all[0].offsetTop).length;
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -from, End: all.length - 1 - from };
  all[Math.max(0, Math.min(all.length - 1, from + steps[key]))]?.focus();
}

function nextProblem() {
  const all = tiles();
  const from = all.indexOf(document.activeElement);
  const ahead = [...all.slice(from + 1), ...all.slice(0, from + 1)];
  const wanted = ahead.find((tile) => tile.dataset.group === "failed") ?? ahead.find((tile) => tile.dataset.group === "people");
  wanted?.focus();
  wanted?.scrollIntoView({ block: "center" });
}

function hover(tile) {
  clearTimeout(hoverTimer);
  if (tile) hoverTimer = setTimeout(() => showCard(tile), HOVER_MS);
}

function hideCard() {
  clearTimeout(hoverTimer);
  const card = document.getElementById("page-card");
  if (card?.matches(":popover-open")) card.hidePopover();
}

function showCard(tile) {
  const card = document.getElementById("page-card");
  if (!tile.dataset.reasons && !tile.matches(":hover, :focus-visible")) return;
  describe(card, tile);
  card.querySelector("[data-card=title]").textContent = card.dataset.title.replace("{n}", tile.dataset.page);
  if (!card.matches(":popover-open")) card.showPopover();
  place(card, tile, true);
}

function describe(place_, tile) {
  const chip = place_.querySelector("[data-card=chip]");
  const icon = tile.querySelector(".tile-foot use").getAttribute("href").split("#")[1];
  const word = tile.querySelector(".tile-word").textContent || tile.querySelector(".tile-skus").textContent;
  chip.className = `chip chip-${CHIP[tile.dataset.state] ?? "neutral"}`;
  setIcon(chip.querySelector("svg"), icon);
  chip.querySelector("[data-card=word]").textContent = word;
  place_.querySelector("[data-card=confidence]").textContent = tile.querySelector(".tile-note").textContent;
  const reasons = (tile.dataset.reasons || "").split("|").filter(Boolean);
  place_.querySelector("[data-card=reasons]").replaceChildren(
    ...(reasons.length ? reasons : [tile.querySelector("[data-field=label]").textContent]).map((sentence) => {
      const item = document.createElement("li");
      item.textContent = sentence;
      return item;
    }),
  );
}

function showPage(tile) {
  const dialog = document.getElementById("page-dialog");
  const number = tile.dataset.page;
  hideCard();
  dialog.dataset.page = number;
  dialog.querySelector("h2").textContent = dialog.dataset.title.replace("{n}", number);
  describe(dialog, tile);
  const image = dialog.querySelector("[data-page-image]");
  const missing = dialog.querySelector("[data-page-missing]");
  image.hidden = false;
  missing.hidden = true;
  image.onerror = () => {
    image.hidden = true;
    missing.hidden = false;
  };
  image.src = dialog.dataset.imageUrl.replace("/pages/0/", `/pages/${number}/`);
  const rerun = dialog.querySelector("[data-rerun]");
  if (rerun) rerun.action = dialog.dataset.rerunUrl.replace("/pages/0/", `/pages/${number}/`);
  showModels(dialog.querySelector("[data-page-models]"), number);
  dialog.querySelector("[data-page-results]").href = `${dialog.dataset.resultsUrl}?page_number=${number}`;
  if (!dialog.open) dialog.showModal();
  dialog.addEventListener("close", () => leavePage(dialog), { once: true });
}

/* What models were asked about the page; nothing is shown where that cannot be had. */
async function showModels(place_, number) {
  place_.dataset.pageModels = number;
  place_.replaceChildren();
  const answer = await fetch(place_.dataset.url.replace("/pages/0/", `/pages/${number}/`), { redirect: "manual" }).catch(() => null);
  if (!answer?.ok) return;
  const shown = new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes;
  if (place_.dataset.pageModels === number) place_.replaceChildren(...shown);
}

// Without its mark in the address, the same link opens the page again.
function leavePage(dialog) {
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  tileOf(dialog.dataset.page)?.focus({ preventScroll: true });
}

const tileOf = (number) => document.querySelector(`#tiles .tile[data-page="${number}"]`);

function step(by) {
  const dialog = document.getElementById("page-dialog");
  const all = tiles();
  const at = all.findIndex((tile) => tile.dataset.page === dialog.dataset.page);
  const to = all[at + by];
  if (dialog.open && to) showPage(to);
}
