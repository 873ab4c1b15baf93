/* What is said beside a value: the nearest to a decision comes first. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { about, metaOf, sku, value } from "./workbench.mjs";
import { markOf, noteOf, readingOf } from "../../static/js/bench_marks.js";

const READ = { icon: "eye", word: "read", tone: "ink2" };
const meta = (more = {}) => metaOf({ a: about({ marks: { price: READ }, ...more }) });
const of = (attributes) => sku("a", attributes);
const before = value("10");
const word = (one, how, known = meta()) => markOf(one, "price", known, { open: false, before, ...how }).word;
const note = (one, how, known = meta()) => noteOf(one, "price", known, { open: false, before, ...how });

test("a value as it was read has the reading's mark and no note", () => {
  assert.deepEqual(markOf(of({ price: before }), "price", meta(), { open: false, before }), READ);
  assert.equal(note(of({ price: before })), "");
});

test("one that is open says why: it is not printed, or print and reading are to be compared", () => {
  assert.equal(word(of({ price: before }), { open: true }), "bench.not_printed");
  const seen = meta({ evidence: { price: { crop: null, seen: true } } });
  assert.equal(word(of({ price: before }), { open: true }, seen), "bench.compare");
  assert.deepEqual([note(of({ price: before }), { open: true }), note(of({ price: before }), { open: true }, seen)], ["bench.why_locked", "bench.why_compare"]);
});

test("a person's word goes before the machine's", () => {
  assert.equal(word(of({ price: value("10", { confirmed: true }) })), "bench.confirmed");
  assert.equal(word(of({ price: value("11") })), "bench.edited");
  assert.equal(note(of({ price: value("11") })), "bench.was");
  assert.equal(note(of({ price: value("11") }), { before: null }), "", "nothing was read that could be told");
  assert.equal(word(of({ price: null })), "bench.edited");
});

test("what the last reading says otherwise is told until it is said", () => {
  const otherwise = meta({ otherwise: { price: "12" } });
  assert.equal(word(of({ price: before }), {}, otherwise), "bench.conflict");
  assert.equal(note(of({ price: before }), {}, otherwise), "bench.otherwise");
  assert.equal(readingOf(of({ price: before }), "price", otherwise), "12");
  assert.equal(readingOf(of({ price: value("12") }), "price", otherwise), undefined);
});

test("of a SKU that a person added nothing is known", () => {
  assert.equal(markOf(sku(null, { price: null }), "price", meta(), { open: false, before: undefined }).word, "bench.absent");
});

test("an attribute of its own is to be checked until a person stands by it", () => {
  const id = "own 0 Seats";
  const seats = (text, confirmed = false) => sku("a", {}, { custom: [{ name: "Seats", text, box: null, confirmed }] });
  const before4 = { open: false, before: value("4") };
  assert.equal(markOf(seats("4"), id, meta(), before4).word, "bench.to_check");
  assert.equal(markOf(seats("4", true), id, meta(), before4).word, "bench.confirmed");
  assert.equal(markOf(seats("5"), id, meta(), before4).word, "bench.edited");
  assert.equal(noteOf(seats("5"), id, meta(), before4), "bench.was");
  assert.equal(noteOf(seats("5"), id, meta(), { open: false, before: value("") }), "", "an empty line was nothing");
});
