/* Hands on the page: a drag that ends after its box has gone changes nothing, and words go only into a field that is looked at. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { FakeBench, about, metaOf, pageOf, sku, value } from "./workbench.mjs";
import { page } from "./stage.mjs";
import { Acts } from "../../static/js/bench_acts.js";
import { Boxes } from "../../static/js/bench_boxes.js";
import { FakeElement } from "./elements.mjs";

const BOX = [100, 100, 200, 200];
const PICTURE = { image_id: "i1", name: "P1", box: [10, 10, 60, 60], role: "PRODUCT_MAIN", url: "/i1" };
const WORD = { text: "12.50", box: [1, 1, 9, 9] };
const nothing = { target: { closest: () => null }, shiftKey: false };
const on = (selector, dataset = {}) => ({ target: { closest: (wanted) => (wanted.includes(selector) ? { dataset } : null) }, shiftKey: false });
let bench;
let boxes;

beforeEach(() => {
  page.activeElement = null;
  bench = new FakeBench(pageOf(sku("a", { price: value("10") }, { box: BOX, pictures: ["i1"] })), metaOf({ a: about() }, { images: [PICTURE] }));
  bench.acts = new Acts(bench);
  const print = { words: [WORD], blocks: [{ id: "b1", text: "t", box: [0, 0, 50, 20] }], wordAt: () => WORD, textIn: () => WORD, blockAt: () => null };
  boxes = new Boxes(bench, print, new FakeElement());
  bench.boxes = boxes;
});

test("the chosen box follows a hand and is put where it is let go", () => {
  boxes.choose({ kind: "sku" });
  const drag = boxes.begin(on("[data-tools]"), [150, 150]);
  drag.move([160, 145]);
  assert.deepEqual(bench.sku.box, BOX);
  drag.end();
  assert.deepEqual(bench.sku.box, [110, 95, 210, 195]);
});

test("a handle moves its edges alone", () => {
  boxes.choose({ kind: "sku" });
  const drag = boxes.begin(on("[data-handle]", { handle: "e" }), [200, 150]);
  drag.move([230, 400]);
  drag.end();
  assert.deepEqual(bench.sku.box, [100, 100, 230, 200]);
});

test("a picture that was taken back while it was dragged stays away", () => {
  boxes.take("picture");
  boxes.create([300, 300, 350, 350]);
  assert.deepEqual(boxes.chosen, { kind: "picture", id: "new-1" });
  const drag = boxes.begin(on("[data-tools]"), [310, 310]);
  drag.move([320, 320]);
  bench.undo();
  drag.end();
  assert.deepEqual(bench.state, bench.base);
});

test("a lock that was lost while a box was dragged leaves it where it was", () => {
  boxes.choose({ kind: "picture", id: "i1" });
  const drag = boxes.begin(on("[data-tools]"), [20, 20]);
  drag.move([40, 40]);
  bench.lock.isMine = false;
  drag.end();
  assert.deepEqual(bench.state, bench.base);
  assert.deepEqual(boxes.chosen, { kind: "picture", id: "i1" });
});

test("what is printed is chosen and not moved", () => {
  boxes.choose({ kind: "block", id: "b1" });
  assert.deepEqual(boxes.box, [0, 0, 50, 20]);
  assert.equal(boxes.canChange, false);
  assert.equal(boxes.begin(on("[data-tools]"), [5, 5]), null);
});

test("a band around words fills the field that is looked at, and none where it was left meanwhile", () => {
  page.activeElement = { closest: () => ({}) };
  bench.key = "price";
  const band = () => boxes.begin({ ...nothing, shiftKey: true }, [0, 0]);
  const first = band();
  first.move([50, 50]);
  first.end();
  assert.equal(bench.sku.attributes.price.text, "12.50");
  const before = bench.state;
  const second = band();
  second.move([60, 60]);
  bench.key = null; // Escape, with the button still down
  second.end();
  assert.equal(bench.state, before);
});

test("a second word goes after the first, and its box around both", () => {
  bench.key = "price";
  boxes.fillFrom({ text: "12", box: [0, 0, 5, 5] });
  boxes.fillFrom({ text: "USD", box: [10, 0, 20, 5] }, true);
  assert.deepEqual(bench.sku.attributes.price, { text: "12 USD", box: [0, 0, 20, 5], confirmed: false });
  assert.deepEqual(bench.offered, [0, "price"], "the same place is offered to the others");
});

test("a box that is drawn is the open SKU's where it has none, else that of a new one", () => {
  boxes.take("sku");
  boxes.create([0, 0, 50, 50]);
  assert.equal(bench.state.skus.length, 2);
  assert.deepEqual(bench.state.skus[1].box, [0, 0, 50, 50]);
  bench.change({ ...bench.state, skus: [{ ...bench.state.skus[0], box: null }] });
  bench.at = 0;
  boxes.create([5, 5, 55, 55]);
  assert.deepEqual(bench.state.skus.map(({ box }) => box), [[5, 5, 55, 55]]);
});

test("arrows move the chosen box, and the page where none is chosen", () => {
  const panned = [];
  bench.page.key = (name) => panned.push(name);
  boxes.arrow({ key: "ArrowDown", shiftKey: true });
  boxes.choose({ kind: "sku" });
  boxes.arrow({ key: "ArrowDown", shiftKey: true });
  boxes.arrow({ key: "ArrowLeft", shiftKey: false });
  boxes.resize({ key: "ArrowRight" });
  assert.deepEqual(panned, ["ArrowDown"]);
  assert.deepEqual(bench.sku.box, [99, 110, 200, 210]);
});

test("what is chosen is removed: a drawn picture, not one that was read, else the SKU", () => {
  boxes.choose({ kind: "picture", id: "i1" });
  boxes.remove();
  assert.deepEqual(bench.state, bench.base);
  boxes.choose({ kind: "sku" });
  boxes.remove();
  assert.equal(bench.state.skus[0].rejected, true);
});
