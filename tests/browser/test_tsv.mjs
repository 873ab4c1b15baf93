/* What spreadsheets copy comes in as it was there, and goes out so that they read it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { filledDown, formatCells, parseCells, pasted } from "../../static/js/bench_tsv.js";

const at = (top, left, bottom = top, right = left) => ({ top, left, bottom, right });

test("lines and tabs part cells; the last line end is no row", () => {
  assert.deepEqual(parseCells("a\tb\r\nc\td\r\n"), [["a", "b"], ["c", "d"]]);
  assert.deepEqual(parseCells("\t\n"), [["", ""]]);
  assert.deepEqual(parseCells("a\n\nb"), [["a"], [""], ["b"]]);
  assert.deepEqual(parseCells(""), [[""]]);
});

test("a cell in quotation marks may hold tabs, line ends and marks", () => {
  assert.deepEqual(parseCells('"two\nlines"\t"a ""b"""\tplain'), [["two lines", 'a "b"', "plain"]]);
  assert.deepEqual(parseCells('"with\ttab"\n'), [["with\ttab"]]);
});

test("marks of inches are letters", () => {
  assert.deepEqual(parseCells('12"\t3/4" x 1"'), [['12"', '3/4" x 1"']]);
  assert.deepEqual(parseCells('"oak" chair\tb'), [['"oak" chair', "b"]]);
  assert.deepEqual(parseCells('"open\tb'), [['"open', "b"]]);
});

test("what goes out comes back the same", () => {
  const cells = [["a", 'b "c"', ""], ["橡木", "1\t2", "x"]];
  assert.deepEqual(parseCells(formatCells(cells)), cells);
});

test("a block is pasted from the corner on, and one cell over the whole selection", () => {
  const block = [["a", "b"], ["c", "d"]];
  assert.deepEqual(pasted(at(1, 1), block).map(({ row, col, text }) => `${row}${col}${text}`), ["11a", "12b", "21c", "22d"]);
  assert.deepEqual(pasted(at(0, 0, 2, 0), [["x"]]).map(({ row, col, text }) => `${row}${col}${text}`), ["00x", "10x", "20x"]);
  assert.deepEqual(pasted(at(0, 0, 3, 1), [["x", "y"], ["p", "q"]]).length, 8);
  assert.deepEqual(pasted(at(0, 0, 2, 0), [["x"], ["y"]]).map(({ row, text }) => `${row}${text}`), ["0x", "1y"], "no multiple");
});

test("rows of different lengths leave what they do not name", () => {
  assert.deepEqual(pasted(at(0, 0), [["a", "b"], ["c"]]).map(({ row, col }) => `${row}${col}`), ["00", "01", "10"]);
});

test("the first row is filled into the others, a single row takes the one above", () => {
  const textOf = ({ row, col }) => `${row}${col}`;
  assert.deepEqual(filledDown(at(1, 0, 3, 1), textOf).map(({ row, col, text }) => `${row}${col}=${text}`), ["20=10", "21=11", "30=10", "31=11"]);
  assert.deepEqual(filledDown(at(2, 1), textOf), [{ row: 2, col: 1, text: "11" }]);
  assert.deepEqual(filledDown(at(0, 0), textOf), []);
});
