/* Puts changed leaf values into the page: a row if its version is newer, a figure if its text differs. */
import { showPeople } from "./avatars.js";
import { iconHref } from "./icons.js";
import { wet } from "./wet.js";

/** @type {Map<string, HTMLElement[]> | null} */
let rows = null;

export function forgetRows() {
  rows = null;
}

/** A row that is not on the page is left alone; its region brings it along. Returns whether anything was applied.
   @type {(row: LiveRow) => boolean} */
export function applyRow(row) {
  let applied = false;
  for (const element of elementsOf(`${row.kind}:${row.id}`)) {
    if (row.v <= Number(element.dataset.v ?? -1)) continue;
    element.dataset.v = String(row.v);
    if (patch(element, row)) wet(element);
    applied = true;
  }
  if (row.kind === "page") document.dispatchEvent(new CustomEvent("live:page", { detail: row }));
  return applied;
}

/** Figures older than those on the page, as a region that was fetched meanwhile may bring them, are left alone.
   @type {(figures: Figures) => void} */
export function applyFigures(figures) {
  const shown = document.querySelector("[data-figures-v]");
  if (shown && figures.v !== undefined) {
    if (figures.v < Number(shown.dataset.figuresV)) return;
    shown.dataset.figuresV = String(figures.v);
  }
  for (const element of document.querySelectorAll("[data-figure]")) {
    const name = element.dataset.figure ?? "";
    if (name in figures && setText(element, figures[name] || element.dataset.empty || "")) wet(element);
  }
  for (const element of document.querySelectorAll("[data-figure-attr]")) {
    for (const pair of (element.dataset.figureAttr ?? "").split(" ")) {
      const [attribute, name] = pair.split(":");
      const value = figures[name];
      if (value !== undefined) setFigure(element, attribute, value);
    }
  }
}

/** @type {(key: string) => HTMLElement[]} */
function elementsOf(wanted) {
  if (!rows) {
    rows = new Map();
    for (const element of document.querySelectorAll("[data-row]")) {
      const key = element.dataset.row ?? "";
      const list = rows.get(key);
      if (list) list.push(element);
      else rows.set(key, [element]);
    }
  }
  return rows.get(wanted) ?? [];
}

/** @type {(element: HTMLElement, row: LiveRow) => boolean} */
function patch(element, row) {
  let changed = false;
  for (const name of ["state", "group", "tone"]) {
    const value = row[name];
    if (value !== undefined && element.dataset[name] !== value) {
      element.dataset[name] = String(value);
      changed = true;
    }
  }
  if (Array.isArray(row.reasons)) element.dataset.reasons = row.reasons.join("|");
  for (const field of element.querySelectorAll("[data-field]")) {
    const value = row[field.dataset.field ?? ""];
    if (value !== undefined) changed = setField(field, value) || changed;
  }
  return changed;
}

/** @type {(field: HTMLElement, value: unknown) => boolean} */
function setField(field, value) {
  if (field.dataset.field === "icon") {
    field.setAttribute("href", iconHref(String(value)));
    return false;
  }
  if (field.dataset.field === "people") {
    const known = JSON.stringify(value);
    if (field.dataset.people === known) return false;
    field.dataset.people = known;
    showPeople(field, /** @type {Person[]} */ (value));
    return false;
  }
  if (field.dataset.field === "thumb_url") {
    if (value && field.getAttribute("src") !== value) field.setAttribute("src", String(value));
    field.hidden = !value;
    return false;
  }
  return setText(field, value ?? "");
}

/** @type {(element: Element, value: unknown) => boolean} */
function setText(element, value) {
  const text = String(value);
  if (element.textContent === text) return false;
  element.textContent = text;
  return true;
}

/** @type {(element: HTMLElement, attribute: string, value: string | number) => void} */
function setFigure(element, attribute, value) {
  if (attribute === "width") element.setAttribute("width", `${(Math.max(0, Math.min(1, Number(value))) * 100).toFixed(1)}%`);
  else if (attribute === "icon") element.querySelector("use")?.setAttribute("href", iconHref(String(value)));
  else if (attribute === "tone") {
    for (const name of [...element.classList]) if (name.startsWith("chip-")) element.classList.remove(name);
    element.classList.add(`chip-${value}`);
  } else element.dataset[attribute] = String(value);
}

// Blocks of pages that arrive later bring rows that the index does not know yet.
document.addEventListener("htmx:afterSettle", forgetRows);
