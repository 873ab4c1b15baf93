/* What is selected in the workbench's table: as in a spreadsheet, and never outside of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as ranges from "../../static/js/bench_ranges.js";

const SIZE = { rows: 5, cols: 4 };
const DOWN = [1, 0];
const RIGHT = [0, 1];
const at = (row, col) => ({ row, col });

test("an arrow moves the cell in hand and stops at the edges", () => {
  assert.deepEqual(ranges.movedBy(ranges.one(1, 1), DOWN, SIZE), ranges.one(2, 1));
  assert.deepEqual(ranges.movedBy(ranges.one(4, 3), DOWN, SIZE), ranges.one(4, 3));
  assert.deepEqual(ranges.movedBy(ranges.one(0, 0), [-7, -1], SIZE), ranges.one(0, 0));
});

test("with Shift the anchor stays, without it the selection is one cell again", () => {
  const range = ranges.movedBy(ranges.movedBy(ranges.one(1, 1), DOWN, SIZE, true), RIGHT, SIZE, true);
  assert.deepEqual(range, { anchor: at(1, 1), head: at(2, 2) });
  assert.deepEqual(ranges.rectangle(range), { top: 1, left: 1, bottom: 2, right: 2 });
  assert.deepEqual(ranges.cellsOf(range), [at(1, 1), at(1, 2), at(2, 1), at(2, 2)]);
  assert.ok(!ranges.isSingle(range));
  assert.ok(ranges.isSingle(ranges.movedBy(range, DOWN, SIZE)));
  const back = ranges.movedBy(ranges.movedBy(ranges.one(2, 2), [-1, 0], SIZE, true), [0, -1], SIZE, true);
  assert.deepEqual(ranges.rectangle(back), { top: 1, left: 1, bottom: 2, right: 2 });
});

test("Ctrl with an arrow goes as far as cells are filled, else to the next that is", () => {
  const filled = new Set([0, 1, 4]);
  const jump = (row, way = DOWN) => ranges.jumped(ranges.one(row, 0), way, SIZE, (cell) => filled.has(cell.row)).head.row;
  assert.equal(jump(0), 1);
  assert.equal(jump(1), 4);
  assert.equal(jump(2), 4);
  assert.equal(jump(4), 4);
  assert.equal(jump(4, [-1, 0]), 1);
  assert.equal(jump(3, [-1, 0]), 1);
  assert.deepEqual(ranges.jumped(ranges.one(2, 1), RIGHT, SIZE, () => false).head, at(2, 3));
  assert.deepEqual(ranges.jumped(ranges.one(2, 1), RIGHT, SIZE, () => true, true), { anchor: at(2, 1), head: at(2, 3) });
});

test("Tab goes on in the next row and out of the table at its ends", () => {
  assert.deepEqual(ranges.stepped(ranges.one(0, 3), 1, SIZE), ranges.one(1, 0));
  assert.deepEqual(ranges.stepped(ranges.one(1, 0), -1, SIZE), ranges.one(0, 3));
  assert.equal(ranges.stepped(ranges.one(4, 3), 1, SIZE), null);
  assert.equal(ranges.stepped(ranges.one(0, 0), -1, SIZE), null);
});

test("whole rows, columns and everything", () => {
  assert.deepEqual(ranges.rectangle(ranges.wholeRows(1, 2, SIZE)), { top: 1, left: 0, bottom: 2, right: 3 });
  assert.equal(ranges.wholeRows(1, 2, SIZE).head.col, 0);
  assert.deepEqual(ranges.rectangle(ranges.wholeColumns(2, 2, SIZE)), { top: 0, left: 2, bottom: 4, right: 2 });
  assert.equal(ranges.cellsOf(ranges.everything(SIZE)).length, 20);
});

test("a table that has become smaller holds what is selected", () => {
  assert.deepEqual(ranges.within({ anchor: at(1, 1), head: at(9, 9) }, SIZE), { anchor: at(1, 1), head: at(4, 3) });
  assert.deepEqual(ranges.within(ranges.one(3, 3), { rows: 0, cols: 0 }), ranges.one(0, 0));
});
