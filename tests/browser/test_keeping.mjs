/* A browser that keeps nothing breaks nothing, and says so once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { page, stored } from "./stage.mjs";
import { FakeElement } from "./elements.mjs";
import { canKeep, drop, keep, kept } from "../../static/js/keeping.js";

const toasts = new FakeElement();
const { querySelector } = page;
page.querySelector = (selector) => (selector === "[data-toasts]" ? toasts : querySelector.call(page, selector));

test("what is kept is found again until it is dropped", () => {
  assert.ok(keep("colour", "oak"));
  assert.equal(kept("colour"), "oak");
  drop("colour");
  assert.equal(kept("colour"), null);
  assert.ok(canKeep());
  assert.equal(kept("probe"), null);
});

test("one that is full, and one that is forbidden, keep nothing and say so once", () => {
  stored.isFull = true;
  assert.ok(!keep("colour", "oak"));
  assert.ok(!canKeep());
  Object.defineProperty(globalThis, "sessionStorage", { get: () => { throw new Error("SecurityError"); } });
  assert.ok(!keep("colour", "oak", "sessionStorage"));
  assert.equal(kept("colour", "sessionStorage"), null);
  drop("colour", "sessionStorage");
  assert.equal(toasts.children.length, 1);
});
