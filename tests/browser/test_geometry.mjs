/* Boxes under a hand: whatever is done to them, they stay on the page and keep their corners in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { between, halves, HANDLES, isLarge, LEAST_PT, movedBy, resizedBy, smallestAt, tagPlace, union, withSide } from "../../static/js/bench_geometry.js";

const PAGE = { width_pt: 595, height_pt: 842 };
const BOX = [100, 200, 300, 260];

/* The same numbers in every run. */
function* chances(seed = 7) {
  for (let now = seed; ; ) {
    now = (now * 48271) % 2147483647;
    yield now / 2147483647;
  }
}

test("a box that was drawn upwards and off the page has its corners in order and ends at the edge", () => {
  assert.deepEqual(between([300.04, 900], [-20, 100], PAGE), [0, 100, 300, 842]);
});

test("a box is large from the least size on", () => {
  assert.ok(isLarge([0, 0, LEAST_PT, LEAST_PT]));
  assert.ok(!isLarge([0, 0, LEAST_PT, LEAST_PT - 0.1]));
});

test("a box that is moved keeps its size at the edge", () => {
  assert.deepEqual(movedBy(BOX, 1000, -1000, PAGE), [395, 0, 595, 60]);
});

test("only the edges of the handle follow", () => {
  assert.deepEqual(resizedBy(BOX, "ne", 10, 20, PAGE), [100, 220, 310, 260]);
  assert.deepEqual(resizedBy(BOX, "w", 10, 20, PAGE), [110, 200, 300, 260]);
});

test("an edge stops before the one opposite", () => {
  assert.deepEqual(resizedBy(BOX, "w", 500, 0, PAGE), [300 - LEAST_PT, 200, 300, 260]);
  assert.deepEqual(resizedBy(BOX, "n", 0, 500, PAGE), [100, 260 - LEAST_PT, 300, 260]);
});

test("a box narrower than the least size is not pushed off the page", () => {
  assert.deepEqual(resizedBy([0, 0, 2, 3], "nw", -1, -1, PAGE), [0, 0, 2, 3]);
});

test("no move and no handle takes a box off its page", () => {
  const chance = chances();
  const upTo = (most) => Math.round(chance.next().value * most);
  for (let n = 0; n < 2000; n += 1) {
    const [x, y] = [upTo(590), upTo(830)];
    const box = [x, y, Math.min(595, x + 1 + upTo(200)), Math.min(842, y + 1 + upTo(200))];
    const [dx, dy] = [upTo(1200) - 600, upTo(1200) - 600];
    for (const [x0, y0, x1, y1] of [movedBy(box, dx, dy, PAGE), ...HANDLES.map((handle) => resizedBy(box, handle, dx, dy, PAGE))]) {
      assert.ok(x0 >= 0 && y0 >= 0 && x1 <= 595 && y1 <= 842 && x0 <= x1 && y0 <= y1, `${box} by ${dx} ${dy}: ${[x0, y0, x1, y1]}`);
    }
  }
});

test("a typed side moves or widens the box", () => {
  assert.deepEqual(withSide(BOX, "x", 90, PAGE), [90, 200, 290, 260]);
  assert.deepEqual(withSide(BOX, "y", 800, PAGE), [100, 782, 300, 842]);
  assert.deepEqual(withSide(BOX, "width", 50, PAGE), [100, 200, 150, 260]);
  assert.deepEqual(withSide(BOX, "height", 1, PAGE), [100, 200, 300, 200 + LEAST_PT]);
});

test("halves lie along the longer side and make up the whole", () => {
  assert.deepEqual(halves(BOX), [[100, 200, 200, 260], [200, 200, 300, 260]]);
  assert.deepEqual(halves([0, 0, 10, 20]), [[0, 0, 10, 10], [0, 10, 10, 20]]);
  assert.deepEqual(union(halves(BOX)), BOX);
});

test("the smallest box around a point is the one that is meant", () => {
  const items = [[0, 0, 100, 100], [40, 40, 60, 60], [0, 0, 50, 50]];
  const at = (point) => smallestAt(items, point, (box) => box);
  assert.equal(at([45, 45]), items[1]);
  assert.equal(at([10, 10]), items[2]);
  assert.equal(at([200, 10]), undefined);
});

test("a tag stands beside its box, where print is, on the other side, and inside only as the last resort", () => {
  const placed = (words, tags = []) => tagPlace(BOX, 24, 17, { words, tags }, PAGE);
  const [right, left] = [[302, 200, 340, 217], [60, 200, 98, 217]];
  assert.deepEqual(placed([]).box, [302, 200, 326, 217]);
  assert.deepEqual(placed([right]).box, [74, 200, 98, 217]);
  assert.deepEqual(placed([right, left]).box, [276, 181, 300, 198]);
  const around = [[0, 0, 595, 199], [0, 261, 595, 842], [301, 200, 595, 260], [0, 200, 99, 260]];
  assert.deepEqual(placed(around).box, [276, 200, 300, 217]);
  assert.deepEqual(placed([], [[302, 212, 326, 229]]).box, [74, 200, 98, 217], "another tag is kept clear of");
  assert.deepEqual(placed([left, [200, 170, 300, 199], [200, 261, 300, 280], [100, 170, 130, 199], [100, 261, 130, 290], BOX], [[302, 212, 326, 229]]).box, [302, 200, 326, 217], "rather than words");
});

test("a tag beside its box may touch a letter rather than stand where it seems to be the neighbour's", () => {
  const touched = { words: [[302, 200, 306, 205], [60, 200, 98, 217]], tags: [] };
  assert.deepEqual(tagPlace(BOX, 24, 17, touched, PAGE).box, [302, 200, 326, 217]);
});

test("a tag never leaves the page", () => {
  const random = chances(11);
  for (let n = 0; n < 500; n++) {
    const [x, y, w, h] = [random.next().value * 595, random.next().value * 842, random.next().value * 595, random.next().value * 842];
    const { box } = tagPlace(between([x, y], [w, h], PAGE), 24, 17, { words: [], tags: [] }, PAGE);
    assert.ok(box[0] >= 0 && box[1] >= 0 && box[2] <= 595 && box[3] <= 842, `${box}`);
  }
});
