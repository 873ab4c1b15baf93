/* One correction teaches the page: what is found for the others is printed where it is said to be, or is not found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { piecesOf, siblingsOf } from "../../static/js/bench_siblings.js";

const LINE_PT = 10;
const LETTER_PT = 5;

/* A line whose words stand one letter apart; a run of blanks is as wide as it is long. */
function line(x, y, text) {
  const words = [...text.matchAll(/\S+/g)].map((found) => ({ text: found[0], box: [x + found.index * LETTER_PT, y, x + (found.index + found[0].length) * LETTER_PT, y + LINE_PT] }));
  return { text, box: [x, y, x + text.length * LETTER_PT, y + LINE_PT], words };
}

const sku = (box, more = {}) => ({ sku_id: String(box), rejected: false, attributes: {}, custom: [], pictures: [], box, ...more });
const boxOf = (found, text) => found.flatMap(({ words }) => words).find((word) => word.text === text).box;
const said = (map) => Object.fromEntries([...map].map(([row, { text }]) => [row, text]));
const find = (lines, skus, at, text, tables = []) => said(siblingsOf(piecesOf({ lines, tables }), skus, at, boxOf(lines, text)));

const ROWS = [["M-1", "Oak chair", "40x50"], ["M-2", "Pine", "60x80"], ["M-3", "Long oak bench", "120x45"]];
const row = (cells, n) => cells.map((text, c) => line(20 + c * 150, 100 + n * 20, text));
const TABLE = ROWS.flatMap(row);
const ROW_SKUS = ROWS.map((_, n) => sku([20, 98 + n * 20, 400, 112 + n * 20]));

test("the same column of a table without lines, whatever stands in it", () => {
  assert.deepEqual(find(TABLE, ROW_SKUS, 0, "40x50"), { 1: "60x80", 2: "120x45" });
});

test("cells of a ruled table hold all their words, also where they wrap", () => {
  const cells = ROWS.flatMap((_, n) => [0, 1, 2].map((c) => [15 + c * 150, 95 + n * 30, 165 + c * 150, 125 + n * 30]));
  const lines = [line(20, 100, "M-1"), line(170, 100, "Oak"), line(320, 100, "40x50"), line(20, 130, "M-2"), line(170, 128, "Pine bench"), line(170, 138, "for two"), line(320, 130, "60x80")];
  const skus = [sku([15, 95, 465, 125]), sku([15, 125, 465, 155])];
  assert.deepEqual(find(lines, skus, 0, "Oak", [{ id: "G1", box: [15, 95, 465, 185], cells }]), { 1: "Pine bench for two" });
});

test("in rows above each other the column on the page counts, not the distance to a narrower row's end", () => {
  const lines = [line(20, 100, "M-1"), line(320, 100, "40x50"), line(20, 120, "M-2"), line(170, 120, "12x20")];
  assert.deepEqual(find(lines, [sku([20, 98, 400, 112]), sku([20, 118, 250, 132])], 0, "40x50"), {});
});

test("what is aligned at the right or in the middle is the same column", () => {
  const lines = [line(20, 100, "M-1"), line(390 - 25, 100, "7.50 "), line(20, 120, "M-2"), line(390 - 35, 120, "117.50 ")];
  assert.deepEqual(find(lines, [sku([20, 98, 400, 112]), sku([20, 118, 400, 132])], 0, "7.50"), { 1: "117.50" });
});

const card = (x, y, texts) => texts.map((text, n) => line(x, y + n * 12, text));
const CARDS = [card(20, 100, ["M-1", "Oak chair", "Size: 40x50", "$7.50"]), card(220, 100, ["M-2", "Pine", "Size: 60x80", "$9"]), card(20, 300, ["M-3", "Long oak bench", "for three", "Size: 120x45", "$31"])];
const CARD_SKUS = [sku([20, 20, 180, 150]), sku([220, 20, 380, 150]), sku([20, 220, 180, 362])];

test("the same line of each card, with what stands before it as a label", () => {
  assert.deepEqual(find(CARDS.flat(), CARD_SKUS, 0, "40x50"), { 1: "60x80", 2: "120x45" }, "where a name wraps, the label tells the line");
});

test("the last line of a card is the last one where another card has more lines", () => {
  assert.deepEqual(find(CARDS.flat(), CARD_SKUS, 0, "$7.50"), { 1: "$9", 2: "$31" });
});

test("figures are not offered for words, nor words for figures", () => {
  const lines = [...card(20, 100, ["M-1", "7.50"]), ...card(220, 100, ["M-2", "on request"])];
  assert.deepEqual(find(lines, [sku([20, 90, 180, 130]), sku([220, 90, 380, 130])], 0, "7.50"), {});
});

test("nothing printed there, nothing found; rejected SKUs and those without a box are not asked", () => {
  const lines = [...card(20, 100, ["M-1", "7.50"]), ...card(220, 100, ["M-2"]), ...card(20, 300, ["M-3", "9.50"])];
  const boxes = [[20, 90, 180, 130], [220, 90, 380, 130], [20, 290, 180, 330]];
  assert.deepEqual(find(lines, boxes.map((box) => sku(box)), 0, "7.50"), { 2: "9.50" });
  assert.deepEqual(find(lines, [sku(boxes[0]), sku(boxes[1]), sku(boxes[2], { rejected: true })], 0, "7.50"), {});
  assert.deepEqual(find(lines, [sku(boxes[0]), sku(boxes[1]), sku(null)], 0, "7.50"), {});
  assert.deepEqual(find(lines, [sku(null), sku(boxes[1]), sku(boxes[2])], 0, "7.50"), {}, "and none without a box of its own");
});

test("where two places could be meant, none is", () => {
  const home = [line(60, 100, "7.50")];
  const there = [line(60, 298, "8.50"), line(60, 302, "9.50")];
  assert.deepEqual(find([...home, ...there], [sku([20, 90, 180, 130]), sku([20, 290, 180, 330])], 0, "7.50"), {});
});

test("of a cell with several words the one at the same place, or none where there are more", () => {
  const lines = [line(20, 100, "Oak 40x50"), line(20, 120, "Pine 60x80"), line(20, 140, "Old oak 12x20")];
  const skus = lines.map(({ box }) => sku([15, box[1] - 2, 200, box[3] + 2]));
  assert.deepEqual(find(lines, skus, 0, "40x50"), { 1: "60x80" });
});

test("every word that is found is printed at its box", () => {
  const pieces = piecesOf({ lines: CARDS.flat(), tables: [] });
  const words = pieces.flatMap((piece) => piece.words);
  for (const { text, box } of siblingsOf(pieces, CARD_SKUS, 0, boxOf(CARDS.flat(), "40x50")).values()) {
    assert.ok(words.some((word) => word.text === text && word.box.join() === box.join()));
  }
});

test("it is the same each time, whatever was asked before", () => {
  const ask = () => JSON.stringify([...siblingsOf(piecesOf({ lines: CARDS.flat(), tables: [] }), CARD_SKUS, 0, boxOf(CARDS.flat(), "$7.50"))]);
  assert.equal(ask(), ask());
});
