/* What is done to SKUs and pictures as a whole: each is one step back, and nothing is done to a SKU that is not there. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { FakeBench, about, metaOf, pageOf, sku, value } from "./workbench.mjs";
import { Acts } from "../../static/js/bench_acts.js";
import { stillOpen } from "../../static/js/bench_state.js";

const META = metaOf({ a: about(), b: about() }, { keys: [{ key: "model" }, { key: "price" }] });
let bench;
let acts;

function begun(state, at = 0, meta = META) {
  bench = new FakeBench(state, meta, at);
  bench.boxes = { chosen: null, show: () => {} };
  acts = new Acts(bench);
}

beforeEach(() => begun(pageOf(sku("a", { model: value("M1"), price: null }), sku("b", { model: value("M2"), price: value("7") }))));

test("the next SKU becomes part of the open one", () => {
  acts.merge();
  assert.deepEqual(bench.state.skus.map(({ rejected }) => rejected), [false, true]);
  assert.equal(bench.sku.attributes.price.text, "7");
  bench.undo();
  assert.deepEqual(bench.state, bench.base);
});

test("with none that is open there is nothing to merge, and nothing breaks", () => {
  begun(bench.base, -1);
  acts.merge();
  assert.deepEqual(bench.state, bench.base);
});

test("a SKU that a person added, took away and took back is open again", () => {
  begun(pageOf(), -1);
  acts.add();
  assert.equal(bench.at, 0);
  acts.reject();
  assert.deepEqual([bench.state.skus.length, bench.at], [0, -1]);
  bench.history.undo();
  assert.equal(stillOpen(bench.at, bench.state, META), 0);
});

test("the place of the open SKU stays as one works, and ends at the last", () => {
  assert.deepEqual([0, 1, 5].map((at) => stillOpen(at, bench.state, META)), [0, 1, 1]);
  assert.equal(stillOpen(-1, pageOf(), META), -1);
});

test("a new SKU has each key of its category, without a value", () => {
  acts.add([0, 0, 9, 9]);
  assert.deepEqual(bench.sku, sku(null, { model: null, price: null }, { box: [0, 0, 9, 9] }));
  assert.equal(bench.key, "model");
});

test("what the last reading says is taken only where it says something else", () => {
  begun(pageOf(sku("a", { price: value("10") })), 0, metaOf({ a: about({ otherwise: { price: "12" } }) }));
  acts.takeReading("size");
  assert.deepEqual(bench.state, bench.base);
  acts.takeReading("price");
  assert.equal(bench.sku.attributes.price.text, "12");
});

test("a line of an earlier draft binds only pictures that are still there", () => {
  acts.takeLeft({ sku: sku(null, { model: value("M3") }, { pictures: ["gone"] }) });
  assert.deepEqual(bench.state.skus[2].pictures, []);
});

test("while the task is not ours nothing is done", () => {
  bench.lock.isMine = false;
  acts.add();
  acts.merge();
  acts.reject();
  acts.duplicate();
  assert.deepEqual(bench.state, bench.base);
  assert.deepEqual(bench.opened, []);
});
