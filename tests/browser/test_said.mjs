/* Sentences at the fields: of a refused submit, and of what was typed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Said } from "../../static/js/bench_said.js";

const at = (row, key, words) => new Map([[row, new Map([[key, words]])]]);
function said() {
  const one = new Said();
  one.refused = at(0, "price", "no price");
  one.doubted = at(0, "size", "no size");
  return one;
}

test("a value that is being typed is not judged before it is left", () => {
  assert.deepEqual([...said().of(0, null)], [["size", "no size"], ["price", "no price"]]);
  assert.deepEqual([...said().of(0, "0 size").keys()], ["price"]);
  assert.deepEqual([...said().of(1, null)], []);
});

test("what was said of a cell goes with what that said, and all of it where rows have moved", () => {
  const one = said();
  one.forget([[0, "price"], [1, "size"]]);
  assert.deepEqual([...one.of(0, null).keys()], ["size"]);
  one.forget(null);
  assert.deepEqual([...one.of(0, null)], []);
});
