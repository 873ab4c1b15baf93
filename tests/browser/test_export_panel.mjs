/* Who waits for a file is told once it is there, or that it failed; nothing else is called ready. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { FakeElement } from "./elements.mjs";
import { page } from "./stage.mjs";
import { tell } from "../../static/js/export_panel.js";

let toasts;
let panel;
page.querySelector = (selector) => (selector === "[data-toasts]" ? toasts : null);

/* What is said once the row looks like that. */
function said(waiting, dataset) {
  toasts = new FakeElement();
  panel.lists.set("[data-export]", [Object.assign(new FakeElement(), { dataset: { export: "e1", name: "a.xlsx", ...dataset } })]);
  tell(panel, waiting);
  return toasts.children.map((toast) => [toast.className, toast.children[1].textContent]);
}

beforeEach(() => {
  panel = new FakeElement();
});

test("a file that was waited for is told of once", () => {
  const waiting = new Set();
  assert.deepEqual(said(waiting, { open: "1", tone: "acc" }), []);
  assert.deepEqual(said(waiting, { open: "", tone: "done" }), [["toast toast-done", "export.ready"]]);
  assert.deepEqual(said(waiting, { open: "", tone: "done" }), []);
});

test("one that failed is no file, and one that expired meanwhile is neither", () => {
  assert.deepEqual(said(new Set(["e1"]), { open: "", tone: "fault" }), [["toast toast-fault", "export.failed"]]);
  assert.deepEqual(said(new Set(["e1"]), { open: "", tone: "ink2" }), []);
});

test("what was there before nobody waited for", () => {
  assert.deepEqual(said(new Set(), { open: "", tone: "done" }), []);
});
