/* One place on a card or in a row of a table shows where the same stands on the others. What is found is always printed there, in
   these words; where two places could be meant, or none, nothing is found. Pure; touches no page. */
import { centre, holds, smallestAt, union } from "./bench_geometry.js";

// In heights of a line: a gap this wide parts two pieces, and a place may differ by this much.
const GAP = 1;
const SLACK = 0.6;
const LEAST_SLACK_PT = 3;
// Boxes share a column of cards, or a band across the page, where this much of the smaller one is in both.
const SHARED = 0.8;
const AS_NEAR_PT = 1;

/** Words that are printed together: all of a table's cell, or a stretch of a line without a wide gap.
   @type {(print: { lines: Line[], tables: Table[] }) => Piece[]} */
export function piecesOf({ lines, tables }) {
  const cells = tables.flatMap((table) => table.cells.map((box) => ({ box, words: /** @type {Word[]} */ ([]) })));
  const pieces = lines.flatMap(({ words }) => {
    const free = [];
    for (const word of words) {
      const cell = smallestAt(cells, centre(word.box), ({ box }) => box);
      if (cell) cell.words.push(word);
      else free.push(word);
    }
    return stretches(free);
  });
  return [...cells.filter(({ words }) => words.length), ...pieces];
}

/** @type {(words: Word[]) => Piece[]} */
function stretches(words) {
  /** @type {Word[][]} */
  const runs = [];
  for (const word of words) {
    const last = runs[runs.length - 1]?.at(-1);
    const isNear = last && word.box[0] - last.box[2] <= GAP * (word.box[3] - word.box[1]);
    if (isNear) runs[runs.length - 1].push(word);
    else runs.push([word]);
  }
  return runs.map((run) => ({ words: run, box: union(run.map(({ box }) => box)) }));
}

/** Row -> what is printed there, of the rows whose SKU has a box and is not rejected. `box`: what was taken for the SKU at `at`.
   @type {(pieces: Piece[], skus: readonly Sku[], at: number, box: Box) => Map<number, Word>} */
export function siblingsOf(pieces, skus, at, box) {
  const home = skus[at]?.box;
  const taken = pieces.flatMap((piece) => {
    const inside = piece.words.map((word) => holds(box, centre(word.box)));
    return inside.includes(true) ? [{ piece, first: inside.indexOf(true), last: inside.lastIndexOf(true) }] : [];
  });
  /** @type {Map<number, Word>} */
  const found = new Map();
  if (!home || !taken.length) return found;
  skus.forEach((sku, row) => {
    if (row === at || !sku.box || sku.rejected) return;
    const [there, others] = [sku.box, skus.flatMap((other) => (other !== sku && other.box && !other.rejected ? [other.box] : []))];
    const parts = taken.map((run) => counterpart(pieces, run, home, there, others));
    const words = parts.flatMap((part) => part ?? []);
    if (parts.every((part) => part?.length)) found.set(row, { text: words.map(({ text }) => text).join(" "), box: union(words.map((word) => word.box)) });
  });
  return found;
}

/** The words at `there` that stand as the taken ones do at `home`, or null.
   @type {(pieces: Piece[], taken: Run, home: Box, there: Box, others: Box[]) => Word[] | null} */
function counterpart(pieces, { piece, first, last }, home, there, others) {
  const slack = Math.max(LEAST_SLACK_PT, SLACK * (piece.words[0].box[3] - piece.words[0].box[1]));
  const isAtHome = holds(home, centre(piece.box));
  const label = textOf(piece.words.slice(0, first));
  const wanted = textOf(piece.words.slice(first, last + 1));
  const offers = pieces.flatMap((other) => {
    const middle = centre(other.box);
    if (other === piece || (isAtHome ? !holds(there, middle) : others.some((box) => holds(box, middle)))) return [];
    const run = sameRun(piece.words, first, last, other.words);
    if (!run || hasFigures(textOf(run)) !== hasFigures(wanted)) return [];
    const [x, y] = [away(piece.box, other.box, home, there, 0), away(piece.box, other.box, home, there, 1)];
    const isLabelled = label !== "" && textOf(other.words.slice(0, first)) === label;
    if (x > slack || (y > slack && !isLabelled)) return [];
    return [{ run, rank: [Number(!isLabelled), Number(shapeOf(textOf(run)) !== shapeOf(wanted))], away: x + y }];
  });
  offers.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.away - b.away);
  const [best, next] = offers;
  const isUnclear = best && next && best.rank.join() === next.rank.join() && next.away - best.away < AS_NEAR_PT;
  return best && !isUnclear ? best.run : null;
}

/** How far `b` stands from where `a` would, along one axis: on the page where both boxes share a column (or a band), else within
   its own box, by its begin, its middle or its end.
   @type {(a: Box, b: Box, home: Box, there: Box, axis: 0 | 1) => number} */
function away(a, b, home, there, axis) {
  const [begin, end] = /** @type {[0 | 1, 2 | 3]} */ ([axis, axis + 2]);
  const common = Math.min(home[end], there[end]) - Math.max(home[begin], there[begin]);
  const isShared = common >= SHARED * Math.min(home[end] - home[begin], there[end] - there[begin]);
  /** @type {(box: Box) => number} */
  const middle = (box) => (box[begin] + box[end]) / 2;
  const onPage = Math.min(Math.abs(a[begin] - b[begin]), Math.abs(a[end] - b[end]), Math.abs(middle(a) - middle(b)));
  const byBegin = Math.abs(a[begin] - home[begin] - (b[begin] - there[begin]));
  const byEnd = Math.abs(home[end] - a[end] - (there[end] - b[end]));
  const byMiddle = Math.abs(middle(a) - middle(home) - (middle(b) - middle(there)));
  return isShared && axis === 0 ? onPage : Math.min(byBegin, byEnd, byMiddle, isShared ? onPage : Infinity);
}

/** Of `other` the words between the same words as those taken of `words`; where those differ, the words at the same places.
   @type {(words: Word[], first: number, last: number, other: Word[]) => Word[] | null} */
function sameRun(words, first, last, other) {
  const [before, after] = [words.slice(0, first), words.slice(last + 1)];
  const inner = other.slice(before.length, other.length - after.length);
  const isBetween = textOf(other.slice(0, before.length)) === textOf(before) && (!after.length || textOf(other.slice(-after.length)) === textOf(after));
  if (isBetween && inner.length) return inner;
  return other.length === words.length ? other.slice(first, last + 1) : null;
}

/** @type {(words: Word[]) => string} */
const textOf = (words) => words.map(({ text }) => text).join(" ");
/** @type {(text: string) => boolean} */
const hasFigures = (text) => /\p{Nd}/u.test(text);
/** Numbers and words, whatever they are: 400x500 is as 60x80, $7.50 as $31.
   @type {(text: string) => string} */
const shapeOf = (text) => text.replace(/\p{Nd}+(?:[.,]\p{Nd}+)*/gu, "9").replace(/\p{L}+/gu, "a");
