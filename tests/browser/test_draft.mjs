/* A draft on the page that is shown: gone on with, put beside a page that is another since, or seen by one who looks on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf, sku, value } from "./workbench.mjs";
import { seenBy, takenUp } from "../../static/js/bench_draft.js";
import { History } from "../../static/js/bench_history.js";
import { withText } from "../../static/js/bench_state.js";

const BASE = pageOf(sku("a", { price: value("10") }));
const typed = withText(BASE, 0, "price", "12");
const history = new History(BASE);
history.put(typed);
const draft = (more = {}) => ({ seq: 4, page_version: "v1", state: { ...typed, steps: history.steps(), left: [] }, ...more });

test("a draft of the same page goes on with its steps, so that they can be undone", () => {
  const { state, steps, left } = takenUp(draft(), BASE, "v1");
  assert.deepEqual(state, typed);
  assert.deepEqual(left, []);
  const again = new History(BASE);
  again.restore(state, steps);
  assert.ok(again.undo());
  assert.deepEqual(again.now, BASE);
});

test("one that was kept by an older release lacks what the page says by now", () => {
  const { separate: _, ...old } = typed;
  assert.deepEqual(takenUp(draft({ state: old }), BASE, "v1").state, typed);
});

test("of another version, or of other SKUs, it is put beside the page", () => {
  const line = { sku_id: "a", key: "price", mine: "12" };
  assert.deepEqual(takenUp(draft(), BASE, "v2"), { state: null, left: [line] });
  const { state, left } = takenUp(draft(), pageOf(sku("b", { price: value("10") })), "v1");
  assert.equal(state, null);
  assert.equal(left[0].sku.attributes.price.text, "12");
});

test("a draft that nobody can read is none", () => {
  assert.deepEqual(takenUp(draft({ state: {} }), BASE, "v1"), { state: null, left: [] });
});

test("who looks on sees the state alone, and of another page nothing", () => {
  assert.deepEqual(seenBy(draft(), BASE, "v1"), typed);
  assert.equal(seenBy(draft(), BASE, "v2"), null);
  assert.equal(seenBy(draft({ state: {} }), BASE, "v1"), null);
});
