/* The page grid: one tab stop, arrows move, hover or focus explains a page, Enter shows it large. */
import { setIcon } from "./icons.js";
import { bind } from "./key_registry.js";
import { place } from "./place.js";
import { byId, the } from "./the.js";
import { nextProblemAfter, placeAfter } from "./tile_steps.js";

const HOVER_MS = 250;
/** @type {Record<string, string>} */
const CHIP = {
  HUMAN_QUEUED: "person", HUMAN_PROCESSING: "person", AI_FAILED: "fault", IMPORT_FAILED: "fault", DEAD_LETTER: "stopped",
  AI_PROCESSING: "acc", AI_COMPLETED: "acc", HUMAN_COMPLETED: "done", IMPORTED_CONFIRMED: "done", IMPORTED_ASSUMED: "done",
};
const ARROWS = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown", "Home", "End"];
let bound = false;
/** @type {Timer} */
let hoverTimer = 0;
let wantedPage = "";

/** @type {(grid: HTMLElement) => void} */
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
  const tile = wantedPage ? tileOf(wantedPage) : null;
  if (!tile) return;
  wantedPage = "";
  tile.scrollIntoView({ block: "center" });
  showPage(tile);
}

const tiles = () => [...document.querySelectorAll("#tiles .tile")].filter((tile) => tile.offsetParent !== null);

/** @type {(grid: HTMLElement, tile: HTMLElement | null) => void} */
function focusTile(grid, tile) {
  if (!tile) return;
  for (const other of grid.querySelectorAll('.tile[tabindex="0"]')) other.tabIndex = -1;
  tile.tabIndex = 0;
  showCard(tile);
}

/** @type {(tile: HTMLElement) => boolean} */
const isFocused = (tile) => tile === document.activeElement;

/** @type {(key: string) => void} */
function move(key) {
  const shown = tiles();
  const columns = shown.filter((tile) => tile.offsetTop === shown[0].offsetTop).length;
  shown[placeAfter(key, shown.findIndex(isFocused), shown.length, columns)]?.focus();
}

function nextProblem() {
  const shown = tiles();
  const wanted = shown[nextProblemAfter(shown.map((tile) => tile.dataset.group), shown.findIndex(isFocused))];
  wanted?.focus();
  wanted?.scrollIntoView({ block: "center" });
}

/** @type {(tile: HTMLElement | null) => void} */
function hover(tile) {
  clearTimeout(hoverTimer);
  if (tile) hoverTimer = setTimeout(() => showCard(tile), HOVER_MS);
}

function hideCard() {
  clearTimeout(hoverTimer);
  const card = document.getElementById("page-card");
  if (card?.matches(":popover-open")) card.hidePopover();
}

/** @type {(tile: HTMLElement) => void} */
function showCard(tile) {
  const card = byId("page-card");
  if (!tile.dataset.reasons && !tile.matches(":hover, :focus-visible")) return;
  describe(card, tile);
  the(card, "[data-card=title]").textContent = titleOf(card, tile);
  if (!card.matches(":popover-open")) card.showPopover();
  place(card, tile, true);
}

/** @type {(shown: HTMLElement, tile: HTMLElement) => string} */
const titleOf = (shown, tile) => (shown.dataset.title ?? "").replace("{n}", tile.dataset.page ?? "");

/** What the tile says, in the card or in the dialog.
   @type {(shown: HTMLElement, tile: HTMLElement) => void} */
function describe(shown, tile) {
  const chip = the(shown, "[data-card=chip]");
  const icon = the(tile, ".tile-foot use").getAttribute("href")?.split("#")[1] ?? "";
  chip.className = `chip chip-${CHIP[tile.dataset.state ?? ""] ?? "neutral"}`;
  setIcon(the(chip, "svg"), icon);
  the(chip, "[data-card=word]").textContent = the(tile, ".tile-word").textContent || the(tile, ".tile-skus").textContent;
  the(shown, "[data-card=confidence]").textContent = the(tile, ".tile-note").textContent;
  const reasons = (tile.dataset.reasons ?? "").split("|").filter(Boolean);
  const said = reasons.length ? reasons : [the(tile, "[data-field=label]").textContent];
  the(shown, "[data-card=reasons]").replaceChildren(...said.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
}

/** @type {(tile: HTMLElement) => void} */
function showPage(tile) {
  const dialog = byId("page-dialog", HTMLDialogElement);
  const number = tile.dataset.page ?? "";
  /** @type {(address: string | undefined) => string} */
  const ofPage = (address) => (address ?? "").replace("/pages/0/", `/pages/${number}/`);
  hideCard();
  dialog.dataset.page = number;
  the(dialog, "h2").textContent = titleOf(dialog, tile);
  describe(dialog, tile);
  const image = the(dialog, "[data-page-image]", HTMLImageElement);
  const missing = the(dialog, "[data-page-missing]");
  image.hidden = false;
  missing.hidden = true;
  image.onerror = () => {
    image.hidden = true;
    missing.hidden = false;
  };
  image.src = `${ofPage(dialog.dataset.imageUrl)}?preview`;
  const rerun = dialog.querySelector("[data-rerun]");
  if (rerun instanceof HTMLFormElement) rerun.action = ofPage(dialog.dataset.rerunUrl);
  // Of kinds whose pages are understood one by one.
  const models = dialog.querySelector("[data-page-models]");
  if (models instanceof HTMLElement) showModels(models, ofPage(models.dataset.url));
  const results = dialog.querySelector("[data-page-results]");
  if (results instanceof HTMLAnchorElement) results.href = `${dialog.dataset.resultsUrl}?page_number=${number}`;
  if (!dialog.open) dialog.showModal();
  dialog.addEventListener("close", () => leavePage(dialog), { once: true });
}

/** What models were asked about the page; nothing is shown where that cannot be had, or where another page is looked at by then.
   @type {(models: HTMLElement, address: string) => Promise<void>} */
async function showModels(models, address) {
  models.dataset.pageModels = address;
  models.replaceChildren();
  const answer = await fetch(address, { redirect: "manual" }).catch(() => null);
  if (!answer?.ok) return;
  const shown = new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes;
  if (models.dataset.pageModels === address) models.replaceChildren(...shown);
}

/** Without its mark in the address, the same link opens the page again.
   @type {(dialog: HTMLDialogElement) => void} */
function leavePage(dialog) {
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  tileOf(dialog.dataset.page)?.focus({ preventScroll: true });
}

/** @type {(number: string | undefined) => HTMLElement | null} */
const tileOf = (number) => document.querySelector(`#tiles .tile[data-page="${number}"]`);

/** @type {(by: number) => void} */
function step(by) {
  const dialog = byId("page-dialog", HTMLDialogElement);
  const shown = tiles();
  const at = shown.findIndex((tile) => tile.dataset.page === dialog.dataset.page);
  const to = shown[at + by];
  if (dialog.open && to) showPage(to);
}
