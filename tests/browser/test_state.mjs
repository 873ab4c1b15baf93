/* The page as it is edited: each function gives the next state, and says nothing of what it was not asked about. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as states from "../../static/js/bench_state.js";
import { History } from "../../static/js/bench_history.js";
import { placed } from "./placed.mjs";

const value = (text, confirmed = false) => ({ text, box: null, confirmed });
const sku = (sku_id, attributes, more = {}) => ({ sku_id, rejected: false, attributes, custom: [], pictures: [], box: null, ...more });
const pageOf = (...skus) => ({ page_type: "A", layout_type: "L1", skus, roles: {}, drawn: [], texts: {}, separate: [], new_type: "" });
const about = (more = {}) => ({ blockers: [], locked: [], candidates: [], otherwise: {}, confidence: 0.9, subject: false, ...more });
const metaOf = (skus) => ({ skus, images: [{ image_id: "i1", name: "P1", box: [0, 0, 9, 9], role: "PRODUCT_MAIN", url: "/i1" }], keys: [], accept_from: 0.8, texts: {} });

const BASE = pageOf(sku("a", { model: value("M1"), price: value("10") }), sku("b", { model: value("M2"), price: null }));
const META = metaOf({ a: about({ locked: ["price"] }), b: about() });

test("a locked value is open until it is confirmed, changed or emptied", () => {
  const open = (state) => states.openValues(state, BASE, META);
  assert.deepEqual(open(BASE), [[0, "price"]]);
  assert.deepEqual(open(states.withConfirmed(BASE, 0, "price")), []);
  assert.deepEqual(open(states.withText(BASE, 0, "price", "11")), []);
  assert.deepEqual(open(states.withText(BASE, 0, "price", "")), []);
  assert.deepEqual(open(states.withRejected(BASE, 0)), []);
});

test("typing back what was read does not confirm it", () => {
  const back = states.withText(states.withText(BASE, 0, "price", "1"), 0, "price", "10");
  assert.deepEqual(states.openValues(back, BASE, META), [[0, "price"]]);
});

test("nothing that is changed touches the state before", () => {
  const before = structuredClone(BASE);
  states.withMerged(BASE, 0, 1);
  states.withText(BASE, 0, "price", "x");
  states.withoutProducts(BASE);
  states.withPictureBox(BASE, "i1", [1, 1, 5, 5]);
  assert.deepEqual(BASE, before);
});

test("a SKU that was read is marked as rejected and taken back, an added one goes", () => {
  assert.equal(states.withRejected(BASE, 0).skus[0].rejected, true);
  assert.deepEqual(states.withRejected(states.withRejected(BASE, 0), 0), BASE);
  const grown = states.withNewSku(BASE, ["model"]);
  assert.deepEqual(states.withRejected(grown, 2), BASE);
});

test("what is merged keeps its own words and takes what it lacks", () => {
  const other = sku(null, { model: value("M9"), price: value("7") }, { pictures: ["i1"], box: [0, 0, 10, 10], custom: [{ name: "n", text: "t", box: null, confirmed: false }] });
  const state = pageOf(sku("b", { model: value("M2"), price: null }, { box: [20, 20, 30, 30] }), other);
  const { skus } = states.withMerged(state, 0, 1);
  assert.equal(skus.length, 1);
  assert.equal(skus[0].attributes.model.text, "M2");
  assert.equal(skus[0].attributes.price.text, "7");
  assert.deepEqual(skus[0].box, [0, 0, 30, 30]);
  assert.deepEqual(skus[0].pictures, ["i1"]);
  assert.equal(skus[0].custom.length, 1);
});

test("a split SKU shares its box and not its pictures", () => {
  const { skus } = states.withSplit(pageOf(sku("a", { model: value("M") }, { box: [0, 0, 10, 20], pictures: ["i1"] })), 0);
  assert.deepEqual(skus.map(({ box }) => box), [[0, 0, 10, 10], [0, 10, 10, 20]]);
  assert.deepEqual(skus.map(({ pictures }) => pictures), [["i1"], []]);
  assert.equal(skus[1].sku_id, null);
  assert.notEqual(skus[0].attributes, skus[1].attributes);
});

test("a picture that was read gives way to one that is drawn, which is taken away again from all", () => {
  const bound = states.withPicture(BASE, 0, "i1");
  const moved = states.withPictureBox(bound, "i1", [1, 1, 5, 5]);
  assert.deepEqual(moved.skus[0].pictures, ["new-1"]);
  assert.deepEqual(moved.roles, { i1: "DECORATION" });
  assert.deepEqual(states.withPictureBox(moved, "new-1", [2, 2, 5, 5]).drawn, [{ id: "new-1", box: [2, 2, 5, 5] }]);
  assert.deepEqual(states.withoutDrawn(moved, "new-1").skus[0].pictures, []);
  assert.deepEqual(states.picturesOf(moved, META).map(({ name }) => name), ["P1", "P2"]);
});

test("names of drawn pictures do not meet", () => {
  const two = states.withDrawn(states.withDrawn(BASE, 0, [0, 0, 5, 5]), 0, [5, 5, 9, 9]);
  const again = states.withDrawn(states.withoutDrawn(two, "new-1"), -1, [1, 1, 6, 6]);
  assert.deepEqual(again.drawn.map(({ id }) => id), ["new-2", "new-3"]);
});

test("a role as the reading gave it is not said", () => {
  const other = states.withRole(BASE, "i1", "LOGO", "PRODUCT_MAIN");
  assert.deepEqual(other.roles, { i1: "LOGO" });
  assert.deepEqual(states.withRole(other, "i1", "PRODUCT_MAIN", "PRODUCT_MAIN").roles, {});
});

test("only SKUs that are sure and have nothing open are accepted together", () => {
  const meta = metaOf({ a: about({ locked: ["price"] }), b: about({ confidence: 0.8 }) });
  assert.deepEqual(states.acceptable(BASE, BASE, meta), [1]);
  assert.deepEqual(states.acceptable(BASE, BASE, metaOf({ a: about({ locked: ["price"] }), b: about({ confidence: 0.79 }) })), []);
  assert.deepEqual(states.acceptable(states.withAccepted(BASE, [1]), BASE, meta), []);
});

test("the task's own SKU comes first, what is open next, rejected ones last", () => {
  const state = pageOf(sku("x", {}, { rejected: true }), sku("y", {}), sku("z", {}), sku("s", {}), sku("d", {}, { accepted: true }));
  const meta = metaOf({ x: about(), y: about(), z: about({ blockers: ["?"] }), s: about({ subject: true }), d: about() });
  assert.deepEqual(states.inOrder(state, meta), [3, 2, 1, 4, 0]);
});

test("what is submitted has no blanks around and no empty lines", () => {
  const custom = [{ name: " n ", text: "", box: null, confirmed: false }, { name: " ", text: "", box: null, confirmed: false }];
  const [sent] = states.trimmed(pageOf(sku("a", { model: value(" M "), price: value("  ") }, { custom, accepted: true }))).skus;
  assert.deepEqual(sent.attributes, { model: value("M"), price: null });
  assert.deepEqual(sent.custom.map(({ name }) => name), ["n"]);
  assert.ok(!("accepted" in sent));
});

test("a draft fits a page with the same SKUs, whatever was added", () => {
  assert.ok(states.fits(states.withNewSku(BASE, []), BASE));
  assert.ok(!states.fits(pageOf(BASE.skus[0]), BASE));
  assert.ok(!states.fits(undefined, BASE));
});

test("of a draft that does not fit, what its person changed is left over and nothing else", () => {
  const history = new History(BASE);
  history.put(states.withText(BASE, 0, "price", "12"));
  history.put(states.withNewSku(history.now, ["model"]));
  const draft = { ...history.now, steps: history.steps() };
  const now = pageOf(sku("a", { model: value("NEW"), price: value("10") }));
  const lines = states.leftOver(draft, now);
  assert.deepEqual(lines[0], { sku_id: "a", key: "price", mine: "12" });
  assert.equal(lines.length, 2);
  assert.equal(lines[1].sku.sku_id, null);
  assert.equal(states.stillLeft(lines, states.withText(now, 0, "price", "12")).length, 1);
});

test("problems are placed at their fields, and others are said by name", () => {
  const { atFields, others } = placed([
    { path: "skus[2].attributes.price", message: "no price" }, { path: "skus[0].box", message: "off the page" }, { path: "page_type", message: "none" },
  ]);
  assert.equal(atFields.get(2).get("price"), "no price");
  assert.deepEqual(others, ["S1: off the page", "none"]);
});

const ALTERNATIVE = {
  proposer: "repeat.lines.lanes", way: "by lines", page_type: "A", layout_type: "L4",
  skus: [sku(null, { model: null, product_name: value("Red Wine") }, { offered: "repeat.lines.lanes" }), sku(null, { model: value("M 2"), product_name: null }, { offered: "repeat.lines.lanes" })],
};

test("of an alternative all is taken in one step but what the page says already", () => {
  const taken = states.withAlternative(BASE, ALTERNATIVE);
  assert.deepEqual(taken.skus.slice(0, 2), BASE.skus, "m2 is there");
  assert.deepEqual(taken.skus.slice(2), [ALTERNATIVE.skus[0]]);
  assert.deepEqual([taken.page_type, taken.layout_type], ["A", "L1"]);
});

test("what was taken from an alternative is offered no more, until it is undone", () => {
  const history = new History(BASE);
  history.put(states.withAlternative(BASE, ALTERNATIVE));
  const other = { ...history.now.skus[2], attributes: { product_name: value("Red Wine 2024") } };
  assert.deepEqual(states.untaken({ ...history.now, skus: [...BASE.skus, other] }, ALTERNATIVE), [], "although it says something else by now");
  assert.deepEqual(states.untaken(history.now, { ...ALTERNATIVE, proposer: "grid.ruled", skus: [sku(null, { model: value("M7") })] }), [], "nor is the other reading");
  history.undo();
  assert.deepEqual(states.untaken(history.now, ALTERNATIVE), [ALTERNATIVE.skus[0]]);
});

test("a page without products becomes what it is with those that were taken", () => {
  const empty = { ...pageOf(), page_type: "D", layout_type: "L3" };
  const taken = states.withAlternative(empty, ALTERNATIVE);
  assert.deepEqual([taken.page_type, taken.layout_type, taken.skus.length], ["A", "L4", 2]);
  const said = states.withAlternative({ ...empty, page_type: "C" }, ALTERNATIVE);
  assert.equal(said.page_type, "C", "somebody has said so");
});

test("a copy of what was taken was not taken", () => {
  const taken = states.withAlternative(pageOf(), ALTERNATIVE);
  assert.equal(states.withCopy(taken, 0).skus[2].offered, undefined);
  assert.equal(states.withSplit(taken, 0).skus[2].offered, undefined);
});
