/* Where one looks: whatever is zoomed and moved, the page stays in reach, and what was under the pointer stays under it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as sights from "../../static/js/bench_sight.js";

const PAGE = { width_pt: 600, height_pt: 800 };
const SIGHT = { x: 12, y: 12, zoom: 1, width: 500, height: 400 };
const near = (a, b) => assert.ok(a.every((side, n) => Math.abs(side - b[n]) < 1e-9), `${a} is not ${b}`);

test("the point under the pointer stays there while it is zoomed, up to the most and down to the least", () => {
  for (const factor of [1.25, 0.8, 100, 0.001]) {
    const zoomed = sights.zoomedBy(SIGHT, factor, [130, 70]);
    near(sights.pointAt(zoomed, [130, 70]), sights.pointAt(SIGHT, [130, 70]));
    assert.ok(zoomed.zoom >= 0.2 && zoomed.zoom <= 8);
  }
  near(sights.pointAt(sights.zoomedBy(SIGHT, 2), [250, 200]), sights.pointAt(SIGHT, [250, 200]));
});

test("a place of the view and a point of the page are each other's", () => {
  const sight = { ...SIGHT, x: -70, y: 31, zoom: 1.7 };
  near(sights.placeOf(sight, sights.pointAt(sight, [123, 45])), [123, 45]);
});

test("as wide as the view, with its margin, and as a whole", () => {
  assert.deepEqual(sights.onWidth(SIGHT, PAGE), { ...SIGHT, zoom: 476 / 600 });
  assert.equal(sights.onPage(SIGHT, PAGE).zoom, 376 / 800);
});

test("a small page stands in the middle, a large one never leaves the view", () => {
  const small = sights.inReach({ ...SIGHT, zoom: 0.4, x: 900, y: -900 }, PAGE);
  assert.deepEqual([small.x, small.y], [(500 - 240) / 2, (400 - 320) / 2]);
  const [right, left] = [9999, -9999].map((x) => sights.inReach({ ...SIGHT, zoom: 2, x }, PAGE).x);
  assert.deepEqual([right, left], [12, 500 - 1200 - 12]);
});

test("a box is seen only as a whole, and is in the middle once it is gone to", () => {
  const box = [400, 300, 600, 350];
  assert.ok(!sights.isSeen(SIGHT, box));
  assert.ok(sights.isSeen(SIGHT, [0, 0, 100, 100]));
  assert.ok(!sights.isSeen({ ...SIGHT, x: -1 }, [0, 0, 100, 100]));
  const gone = sights.centredOn(SIGHT, box);
  assert.ok(sights.isSeen(gone, box));
  assert.deepEqual(sights.placeOf(gone, [500, 325]), [250, 200]);
});

test("a box that is zoomed to fills most of the view, and a tiny one is not blown up beyond half of the most", () => {
  assert.equal(sights.onBox(SIGHT, [0, 0, 200, 100]).zoom, 2);
  assert.equal(sights.onBox(SIGHT, [0, 0, 1, 1]).zoom, 4);
});

test("a row as wide as the page comes close enough to be read, from its beginning on", () => {
  const [row, high] = [[50, 300, 550, 312], 8];
  const close = sights.onBox(SIGHT, row, high);
  assert.equal(close.zoom, 14 / 8);
  assert.equal(sights.placeOf(close, [50, 306])[0], 12);
  near([sights.placeOf(close, [50, 306])[1]], [200]);
  assert.equal(sights.onBox(SIGHT, row).zoom, 0.8, "no nearer than it fits where nothing is printed");
});

test("small print is made readable from the first row on, and what can be read stays", () => {
  const opened = sights.readable({ ...SIGHT, zoom: 0.5 }, 8, [50, 300, 550, 312]);
  assert.equal(opened.zoom * 8, 9);
  near(sights.placeOf(opened, [50, 300]), [12, 100]);
  assert.equal(sights.readable(SIGHT, 9, [50, 300, 550, 312]), SIGHT);
});

test("what is shown of the page ends at its edges", () => {
  assert.deepEqual(sights.shownOf(SIGHT, PAGE), [0, 0, 488, 388]);
  assert.deepEqual(sights.shownOf({ ...SIGHT, x: -400, y: -700 }, PAGE), [400, 700, 600, 800]);
});

test("a box of one's own begins in the middle of what is seen", () => {
  const [[x0, y0], [x1, y1]] = sights.middleOf(SIGHT);
  near(sights.placeOf(SIGHT, [(x0 + x1) / 2, (y0 + y1) / 2]), [250, 200]);
  near([x1 - x0, y1 - y0], [500 / 3, 400 / 3]);
});

test("small letters are made large enough to be read, around the corner; large ones stay", () => {
  const sight = { x: 12, y: 12, zoom: 0.5, width: 400, height: 300 };
  const next = sights.readable(sight, 6);
  assert.equal(next.zoom, 1.5);
  assert.deepEqual([next.x, next.y], [36, 36]);
  assert.equal(sights.readable(sight, 30), sight);
  assert.equal(sights.readable(sight, 0), sight, "nothing is printed");
});
