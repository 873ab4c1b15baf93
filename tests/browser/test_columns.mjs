/* The page's SKUs as a table: the same state as the form has, by rows and columns. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as columns from "../../static/js/bench_columns.js";
import * as states from "../../static/js/bench_state.js";

const value = (text, box = null, confirmed = false) => ({ text, box, confirmed });
const own = (name, text) => ({ name, text, box: null, confirmed: false });
const sku = (sku_id, attributes, more = {}) => ({ sku_id, rejected: false, attributes, custom: [], pictures: [], box: null, ...more });
const pageOf = (...skus) => ({ page_type: "A", layout_type: "L4", skus, roles: {}, drawn: [], texts: {}, separate: [], new_type: "" });
const about = (more = {}) => ({ blockers: [], locked: [], candidates: [], otherwise: {}, evidence: {}, confidence: 0.9, subject: false, ...more });
const KEYS = [{ key: "model", label: "Model", required: true }, { key: "size", label: "Size", required: false }, { key: "material", label: "Material", required: false }];

const BASE = pageOf(
  sku("a", { model: value("M1"), size: null, material: value("40x50", [1, 1, 9, 2]) }, { custom: [own("Finish", "matt"), own("Finish", "oiled")] }),
  sku("b", { model: value("M2"), size: value("oak"), material: value("60x80", [1, 3, 9, 4]) }, { custom: [own("Seats", "4")] }),
  sku("c", { model: value("M3"), size: null, material: null }, { rejected: true }),
);
const META = { skus: { a: about({ customs: { Finish: [5, 5, 6, 6] } }), b: about({ locked: ["size"], evidence: { size: { crop: [2, 2, 3, 3], seen: true } } }), c: about() }, images: [], keys: KEYS, accept_from: 0.8, texts: {}, around: [] };
const texts = (state, id) => state.skus.map((one) => columns.textAt(one, id));

test("columns are the category's attributes and those of their own, each time a SKU says one", () => {
  const found = columns.columnsOf(BASE, BASE, META);
  assert.deepEqual(found.map(({ id }) => id), ["model", "size", "material", "own 0 Finish", "own 1 Finish", "own 0 Seats"]);
  assert.deepEqual(found.map(({ blank }) => blank), [false, false, false, false, false, false]);
  const bare = pageOf(sku("a", { model: null, size: null, material: value("x") }));
  assert.deepEqual(columns.columnsOf(bare, bare, META).map(({ id, blank }) => [id, blank]), [["model", false], ["size", true], ["material", false]], "what is required is never blank");
});

test("a column that was emptied stays", () => {
  const emptied = columns.withTexts(BASE, [[0, "material", ""], [1, "material", ""]]);
  assert.ok(!columns.columnsOf(emptied, BASE, META)[2].blank);
});

test("many cells are typed at once; rejected SKUs and cells that say it already stay", () => {
  const next = columns.withTexts(BASE, [[0, "size", "1"], [0, "own 1 Finish", "waxed"], [1, "model", "M2"], [2, "model", "X"], [0, "own 0 Seats", "2"]]);
  assert.deepEqual(texts(next, "size"), ["1", "oak", ""]);
  assert.deepEqual(next.skus[0].custom.map(({ name, text }) => `${name} ${text}`), ["Finish matt", "Finish waxed", "Seats 2"]);
  assert.equal(next.skus[1], BASE.skus[1]);
  assert.equal(next.skus[2], BASE.skus[2]);
  assert.equal(columns.withTexts(BASE, [[1, "model", "M2"]]), BASE);
});

test("an attribute of its own that is emptied keeps its column", () => {
  const next = columns.withTexts(BASE, [[0, "own 0 Finish", ""]]);
  assert.deepEqual([columns.textAt(next.skus[0], "own 0 Finish"), columns.textAt(next.skus[0], "own 1 Finish")], ["", "oiled"]);
  assert.deepEqual(states.trimmed(next).skus[0].custom.length, 2, "the server drops lines without words");
});

test("typing in a cell is what typing in the form is", () => {
  assert.deepEqual(columns.withTexts(BASE, [[1, "material", "9"]]), states.withText(BASE, 1, "material", "9"));
  assert.deepEqual(columns.withTexts(BASE, [[1, "material", ""]]), states.withText(BASE, 1, "material", ""));
});

test("this column is the size: every row's value goes there with its place, and nothing is lost", () => {
  const next = columns.withMeaning(BASE, META, "material", "size");
  assert.deepEqual(texts(next, "size"), ["40x50", "60x80", ""]);
  assert.deepEqual(next.skus[0].attributes.size.box, [1, 1, 9, 2]);
  assert.deepEqual(texts(next, "material"), ["", "oak", ""]);
  assert.deepEqual(next.skus[1].attributes.material.box, [2, 2, 3, 3], "the place where a model saw it");
  assert.deepEqual(texts(columns.withMeaning(next, META, "size", "material"), "material"), ["40x50", "60x80", ""]);
});

test("a column that is said to be what it is stays", () => {
  assert.equal(columns.withMeaning(BASE, META, "size", "size"), BASE);
});

test("an attribute of its own becomes one of the category, and the other way round", () => {
  const known = columns.withMeaning(BASE, META, "own 0 Finish", "material");
  assert.equal(known.skus[0].attributes.material.text, "matt");
  assert.deepEqual(known.skus[0].attributes.material.box, [5, 5, 6, 6]);
  assert.deepEqual(known.skus[0].custom.map(({ text }) => text), ["40x50", "oiled"]);
  const named = columns.withMeaning(BASE, META, "material", "own 0 Dimensions");
  assert.deepEqual(named.skus[1].custom.map(({ name, text }) => `${name} ${text}`), ["Seats 4", "Dimensions 60x80"]);
  assert.deepEqual(texts(named, "material"), ["", "", ""]);
  const gone = columns.withMeaning(BASE, META, "own 0 Seats", "own 0 Chairs");
  assert.deepEqual(gone.skus[1].custom.map(({ name }) => name), ["Chairs"]);
});

test("rows become the first of them, whether they were read or added", () => {
  const grown = { ...BASE, skus: [BASE.skus[0], sku(null, { model: null, size: value("s1"), material: null }), sku(null, { model: null, size: value("s2"), material: value("oak") }), ...BASE.skus.slice(1)] };
  const { state, at, count } = columns.withRowsMerged(grown, [0, 1, 2, 3, 4]);
  assert.deepEqual([at, count], [0, 3], "what was rejected before takes no part");
  assert.deepEqual(state.skus.map(({ sku_id, rejected }) => [sku_id, rejected]), [["a", false], ["b", true], ["c", true]]);
  assert.equal(state.skus[0].attributes.size.text, "s1");
  assert.deepEqual(columns.withRowsMerged(BASE, [2]).count, 0);
});

test("the second part of a row stands under the first", () => {
  const { skus } = columns.withRowSplit(BASE, 0);
  assert.deepEqual(skus.map(({ sku_id }) => sku_id), ["a", null, "b", "c"]);
  assert.deepEqual(skus[1].attributes, skus[0].attributes);
});

test("what is printed is put in, and confirms the same words where they are asked about", () => {
  const put = (text) => columns.withPrinted(BASE, BASE, META, 1, "size", { text, box: [2, 2, 3, 3] }).skus[1].attributes.size;
  assert.deepEqual(put("oak"), value("oak", [2, 2, 3, 3], true));
  assert.deepEqual(put("pine"), value("pine", [2, 2, 3, 3], false));
  assert.deepEqual(columns.withPrinted(BASE, BASE, META, 0, "own 0 Finish", { text: "x", box: [1, 1, 2, 2] }).skus[0].custom[0], { name: "Finish", text: "x", box: [1, 1, 2, 2], confirmed: false });
});

test("a person's word is what differs from the reading, or is stood by", () => {
  assert.ok(!columns.isPersons(BASE.skus[1], BASE, "size"));
  assert.ok(columns.isPersons(states.withConfirmed(BASE, 1, "size").skus[1], BASE, "size"));
  assert.ok(columns.isPersons(states.withText(BASE, 1, "size", "x").skus[1], BASE, "size"));
  assert.ok(columns.isPersons({ ...BASE.skus[1], accepted: true }, BASE, "size"));
  assert.ok(!columns.isPersons(sku(null, {}), BASE, "size") && columns.isPersons(sku(null, { size: value("x") }), BASE, "size"));
});

test("nothing that is changed touches the state before", () => {
  const before = structuredClone(BASE);
  columns.withTexts(BASE, [[0, "size", "x"], [0, "own 0 Finish", "y"]]);
  columns.withMeaning(BASE, META, "material", "size");
  columns.withRowsMerged(BASE, [0, 1]);
  columns.withRowSplit(BASE, 0);
  assert.deepEqual(BASE, before);
});
