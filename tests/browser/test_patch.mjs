/* Rows and figures as news of them come: out of order, doubled, and beside a region that was fetched meanwhile. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { FakeElement } from "./elements.mjs";
import { page } from "./stage.mjs";

mock.timers.enable({ apis: ["setInterval"] });
const { applyFigures, applyRow, forgetRows } = await import("../../static/js/patch.js");

let shown;
page.querySelectorAll = (selector) => shown[selector] ?? [];
page.querySelector = (selector) => (shown[selector] ?? [])[0] ?? null;
page.body.dataset.sprite = "/icons.svg";

function rowOf(key, v, ...fields) {
  const row = Object.assign(new FakeElement(), { dataset: { row: key, v: String(v) } });
  row.lists.set("[data-field]", fields);
  return row;
}
const fieldOf = (name, textContent = "") => Object.assign(new FakeElement(), { dataset: { field: name }, textContent });

beforeEach(() => {
  shown = {};
  forgetRows();
});

test("a newer version is put in, an older one or the same again is not", () => {
  const count = fieldOf("count", "1");
  const row = rowOf("page:7", 3, count);
  shown["[data-row]"] = [row];
  assert.equal(applyRow({ kind: "page", id: 7, v: 5, count: 9, state: "IMPORTED" }), true);
  assert.deepEqual([count.textContent, row.dataset.state, row.dataset.v], ["9", "IMPORTED", "5"]);
  for (const v of [4, 5]) assert.equal(applyRow({ kind: "page", id: 7, v, count: 1 }), false);
  assert.equal(count.textContent, "9");
});

test("a row that is not on the page is left alone, one that came since is found", () => {
  shown["[data-row]"] = [];
  assert.equal(applyRow({ kind: "page", id: 7, v: 5 }), false);
  shown["[data-row]"] = [rowOf("page:7", 1)];
  forgetRows();
  assert.equal(applyRow({ kind: "page", id: 7, v: 5 }), true);
});

test("the same row in two places is put into both, each by its own version", () => {
  const [old, fresh] = [rowOf("task:t", 1), rowOf("task:t", 8)];
  shown["[data-row]"] = [old, fresh];
  assert.equal(applyRow({ kind: "task", id: "t", v: 5, state: "CREATED" }), true);
  assert.deepEqual([old.dataset.state, fresh.dataset.state], ["CREATED", undefined]);
});

test("what a message does not say stays as it is; what it says is nothing is emptied", () => {
  const [word, note] = [fieldOf("word", "done"), fieldOf("note", "0.9")];
  shown["[data-row]"] = [rowOf("page:7", 1, word, note)];
  applyRow({ kind: "page", id: 7, v: 2, note: null });
  assert.deepEqual([word.textContent, note.textContent], ["done", ""]);
});

test("every page that changed is told of, whether it is on the screen or not", () => {
  const told = [];
  const hear = (event) => told.push(event.detail.number);
  page.addEventListener("live:page", hear);
  applyRow({ kind: "page", id: 7, v: 5, number: 3 });
  page.removeEventListener("live:page", hear);
  assert.deepEqual(told, [3]);
});

test("figures older than those on the page are left alone, and no figure is not nought", () => {
  const body = Object.assign(new FakeElement(), { dataset: { figuresV: "5" } });
  const pages = Object.assign(new FakeElement(), { dataset: { figure: "pages", empty: "—" }, textContent: "12" });
  const bar = Object.assign(new FakeElement(), { dataset: { figureAttr: "width:share" } });
  Object.assign(shown, { "[data-figures-v]": [body], "[data-figure]": [pages], "[data-figure-attr]": [bar] });
  applyFigures({ v: 4, pages: "3", share: 0.1 });
  assert.deepEqual([pages.textContent, bar.getAttribute("width")], ["12", null]);
  applyFigures({ v: 6, share: 1.7 });
  assert.deepEqual([pages.textContent, bar.getAttribute("width"), body.dataset.figuresV], ["12", "100.0%", "6"]);
  applyFigures({ v: 7, pages: "" });
  assert.equal(pages.textContent, "—");
});
