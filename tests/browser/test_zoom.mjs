/* A page seen closer: the point under the hand stays, nothing beyond the sheet is shown, and there is a closest. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { centred, within, zoomed } from "../../static/js/zoom.js";

const SHEET = [600, 800];
const WHOLE = [0, 0, 600, 800];

test("what stands at the point stays there", () => {
  const [x, y, width, height] = zoomed(WHOLE, 2, [150, 200], SHEET);
  assert.deepEqual([x, y, width, height], [75, 100, 300, 400]);
  assert.equal((150 - x) / width, 150 / 600);
});

test("nothing beyond the sheet is shown, and out goes as far as all of it", () => {
  assert.deepEqual(zoomed([300, 400, 300, 400], 0.5, [450, 600], SHEET), WHOLE);
  assert.deepEqual(within([-5, 790, 300, 400], SHEET), [0, 400, 300, 400]);
  assert.deepEqual(centred([0, 0, 300, 400], [590, 10], SHEET), [300, 0, 300, 400]);
});

test("eight times is the closest", () => {
  let view = WHOLE;
  for (let n = 0; n < 20; n += 1) view = zoomed(view, 1.5, [300, 400], SHEET);
  assert.equal(view[2], 600 / 8);
});
