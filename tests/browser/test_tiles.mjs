/* Arrow keys among tiles: by one, by a row, to the ends, and never out of the grid. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { nextProblemAfter, placeAfter } from "../../static/js/tile_steps.js";

test("arrows go by one tile and by a row of them, and stop at the ends", () => {
  const to = (key, from) => placeAfter(key, from, 10, 4);
  assert.deepEqual(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].map((key) => to(key, 5)), [4, 6, 1, 9, 0, 9]);
  assert.deepEqual([to("ArrowLeft", 0), to("ArrowUp", 2), to("ArrowRight", 9), to("ArrowDown", 8)], [0, 0, 9, 9]);
  assert.equal(to("x", 3), 3);
});

test("the next problem is what failed, round the end, and only then what waits for people", () => {
  const groups = ["failed", "people", "ok", "people", "failed", undefined];
  assert.deepEqual([-1, 0, 3, 4, 5].map((from) => nextProblemAfter(groups, from)), [0, 4, 4, 0, 0]);
  assert.equal(nextProblemAfter(["people", "ok", "people"], 0), 2);
  assert.equal(nextProblemAfter(["failed", "ok"], 0), 0, "the only one is itself");
  assert.equal(nextProblemAfter(["ok", "ok"], 1), -1);
  assert.equal(nextProblemAfter([], -1), -1);
});
