/* Steps as differences: what was before and after them comes back exactly, also through a draft's JSON. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { applied, differences, History, same } from "../../static/js/bench_history.js";

const STATE = { type: "A", skus: [{ id: "1", price: { text: "10", box: [1, 2, 3, 4] } }, { id: "2", price: null }], roles: {} };
const changed = (changes) => ({ ...structuredClone(STATE), ...changes });

test("the order of keys makes no difference, a key that is missing does", () => {
  assert.ok(same({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }));
  assert.ok(!same({ a: undefined }, { b: undefined }));
  assert.ok(!same({ a: 1 }, { a: 1, b: 2 }));
  assert.ok(!same(null, {}));
});

test("a difference names the leaf, and lists of other lengths differ as a whole", () => {
  const other = changed({ skus: [{ id: "1", price: { text: "12", box: [1, 2, 3, 4] } }, { id: "2", price: null }] });
  assert.deepEqual(differences(STATE, other), [{ path: ["skus", "0", "price", "text"], before: "10", after: "12" }]);
  assert.deepEqual(differences(STATE, changed({ skus: [] })).map(({ path }) => path), [["skus"]]);
});

test("differences lead from one state to the other and back, through JSON", () => {
  const others = [
    changed({ type: "B", roles: { p1: "LOGO" } }), changed({ skus: [] }), changed({ skus: [{ id: "1", price: null }, { id: "2", price: { text: "", box: null } }] }),
  ];
  for (const other of others) {
    const kept = JSON.parse(JSON.stringify(differences(STATE, other)));
    assert.deepEqual(applied(STATE, kept, "after"), other);
    assert.deepEqual(applied(other, kept, "before"), STATE);
  }
});

test("letters of one word are one step, and leaving the field ends it", () => {
  const history = new History(STATE);
  for (const type of ["x", "xy", "xyz"]) history.put(changed({ type }), "type");
  history.endStep();
  history.put(changed({ type: "xyz1" }), "type");
  assert.equal(history.past.length, 2);
  history.undo();
  assert.equal(history.now.type, "xyz");
  history.undo();
  assert.deepEqual(history.now, STATE);
  assert.ok(!history.undo());
});

test("a word that is typed back to what it was leaves no step", () => {
  const history = new History(STATE);
  history.put(changed({ type: "AB" }), "type");
  history.put(changed({ type: "A" }), "type");
  assert.equal(history.past.length, 0);
  assert.deepEqual(history.now, STATE);
});

test("a new change after an undo leaves nothing to redo", () => {
  const history = new History(STATE);
  history.put(changed({ type: "B" }));
  history.undo();
  history.put(changed({ type: "C" }));
  assert.ok(!history.redo());
  assert.equal(history.now.type, "C");
});

test("undo goes on after a reload", () => {
  const before = new History(STATE);
  before.put(changed({ type: "B" }));
  before.put(changed({ type: "C" }));
  before.undo();
  const after = new History(STATE);
  after.restore(JSON.parse(JSON.stringify(before.now)), JSON.parse(JSON.stringify(before.steps())));
  assert.ok(after.redo());
  assert.equal(after.now.type, "C");
  after.undo();
  after.undo();
  assert.deepEqual(after.now, STATE);
});

test("a hundred steps are kept, and of large ones the latest for which a draft has room", () => {
  const history = new History({ n: 0 });
  for (let n = 1; n <= 150; n += 1) history.put({ n });
  assert.equal(history.past.length, 100);
  const large = new History({ text: "" });
  for (const letter of ["a", "b", "c"]) large.put({ text: letter.repeat(100000) });
  const { past } = large.steps();
  assert.equal(past.length, 1);
  assert.equal(past[0][0].after[0], "c");
});
