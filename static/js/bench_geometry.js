/* Boxes [x0, y0, x1, y1] in points: moved, resized, asked what they hold. Pure; touches no page. */

export const LEAST_PT = 4;
/** @type {readonly Handle[]} */
export const HANDLES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];

/** @type {(value: number, least: number, most: number) => number} */
export const clamp = (value, least, most) => Math.min(most, Math.max(least, value));
/** @type {(box: Box, point: Point) => boolean} */
export const holds = ([x0, y0, x1, y1], [x, y]) => x >= x0 && x <= x1 && y >= y0 && y <= y1;
/** @type {(a: Box, b: Box) => boolean} */
export const isInside = (a, b) => a[0] >= b[0] - 1 && a[1] >= b[1] - 1 && a[2] <= b[2] + 1 && a[3] <= b[3] + 1;
/** @type {(box: Box) => Box} */
const round = ([x0, y0, x1, y1]) => [tenth(x0), tenth(y0), tenth(x1), tenth(y1)];
/** @type {(side: number) => number} */
const tenth = (side) => Math.round(side * 10) / 10;

/** With its corners in order and on the page.
   @type {(from: Point, to: Point, page: PageSize) => Box} */
export function between([x0, y0], [x1, y1], page) {
  const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)].map((x) => clamp(x, 0, page.width_pt));
  const [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)].map((y) => clamp(y, 0, page.height_pt));
  return round([left, top, right, bottom]);
}

/** @type {(box: Box) => boolean} */
export const isLarge = ([x0, y0, x1, y1]) => x1 - x0 >= LEAST_PT && y1 - y0 >= LEAST_PT;

/** As large as it was, and not further than the page's edge.
   @type {(box: Box, dx: number, dy: number, page: PageSize) => Box} */
export function movedBy([x0, y0, x1, y1], dx, dy, page) {
  const right = clamp(dx, -x0, Math.max(-x0, page.width_pt - x1));
  const down = clamp(dy, -y0, Math.max(-y0, page.height_pt - y1));
  return round([x0 + right, y0 + down, x1 + right, y1 + down]);
}

/** Only the edges that `handle` names (n, ne, ...) follow; an edge stops before the one opposite.
   @type {(box: Box, handle: Handle, dx: number, dy: number, page: PageSize) => Box} */
export function resizedBy([x0, y0, x1, y1], handle, dx, dy, page) {
  const [left, top, right, bottom] = ["w", "n", "e", "s"].map((edge) => handle.includes(edge));
  return round([
    left ? clamp(x0 + dx, 0, Math.max(0, x1 - LEAST_PT)) : x0,
    top ? clamp(y0 + dy, 0, Math.max(0, y1 - LEAST_PT)) : y0,
    right ? clamp(x1 + dx, x0 + LEAST_PT, page.width_pt) : x1,
    bottom ? clamp(y1 + dy, y0 + LEAST_PT, page.height_pt) : y1,
  ]);
}

/** `side`: x, y, width or height of the box, as typed.
   @type {(box: Box, side: string, value: number, page: PageSize) => Box} */
export function withSide([x0, y0, x1, y1], side, value, page) {
  if (side === "x") return movedBy([x0, y0, x1, y1], value - x0, 0, page);
  if (side === "y") return movedBy([x0, y0, x1, y1], 0, value - y0, page);
  if (side === "width") return resizedBy([x0, y0, x1, y1], "e", value - (x1 - x0), 0, page);
  return resizedBy([x0, y0, x1, y1], "s", 0, value - (y1 - y0), page);
}

/** @type {(boxes: Box[]) => Box} */
export function union(boxes) {
  /** @type {(n: 0 | 1 | 2 | 3, pick: (...sides: number[]) => number) => number} */
  const sides = (n, pick) => pick(...boxes.map((box) => box[n]));
  return [sides(0, Math.min), sides(1, Math.min), sides(2, Math.max), sides(3, Math.max)];
}

/** Two halves along the longer side.
   @type {(box: Box) => [Box, Box]} */
export function halves([x0, y0, x1, y1]) {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x1 - x0 > y1 - y0 ? [round([x0, y0, x, y1]), round([x, y0, x1, y1])] : [round([x0, y0, x1, y]), round([x0, y, x1, y1])];
}

/** @type {(box: Box) => Point} */
export const centre = ([x0, y0, x1, y1]) => [(x0 + x1) / 2, (y0 + y1) / 2];
/** @type {(box: Box) => number} */
const area = ([x0, y0, x1, y1]) => (x1 - x0) * (y1 - y0);

/** The smallest of `items` whose box (as `boxOf` gives it) lies around the point.
   @type {<Item>(items: Item[], point: Point, boxOf: (item: Item) => Box) => Item | undefined} */
export function smallestAt(items, point, boxOf) {
  return items.filter((item) => holds(boxOf(item), point)).sort((a, b) => area(boxOf(a)) - area(boxOf(b)))[0];
}

/** @type {(a: Box, b: Box) => number} */
const shared = (a, b) => Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

const GAP_PT = 2;

const TAG_COUNTS = 0.3; // a tag that is partly hidden is still found, a letter is not
const LETTER_PT2 = 40; // a place above or below its box, where it seems to be the neighbour's, must save more than a letter

/** Where a tag `width` by `height` points large covers least of the words, and of other tags: beside its box, above or below it, and
   inside only where all of that is worse. Never off the page.
   @type {(box: Box, width: number, height: number, taken: { words: Box[], tags: Box[] }, page: PageSize) => TagPlace & { box: Box }} */
export function tagPlace([x0, y0, x1, y1], width, height, { words, tags }, page) {
  /** @type {(at: Point, end: boolean, above: boolean) => TagPlace & { box: Box }} */
  const place = ([x, y], end, above) => {
    const [left, top] = [end ? x - width : x, above ? y - height : y];
    return { at: [x, y], end, above, box: [left, top, left + width, top + height] };
  };
  const [left, right, over, under] = [x0 - GAP_PT, x1 + GAP_PT, y0 - GAP_PT, y1 + GAP_PT];
  const beside = [place([right, y0], false, false), place([left, y0], true, false)];
  const above = [place([x1, over], true, true), place([x0, over], false, true)];
  const below = [place([x1, under], true, false), place([x0, under], false, false)];
  const inside = [place([x1, y0], true, false), place([x0, y0], false, false), place([x1, y1], true, true), place([x0, y1], false, true)];
  const groups = [beside, [...above, ...below], inside];
  const fitting = groups.flatMap((places, n) => places.filter(({ box }) => isInside(box, [0, 0, page.width_pt, page.height_pt])).map((one) => ({ one, penalty: n * LETTER_PT2 })));
  /** @type {(box: Box, others: Box[]) => number} */
  const covered = (box, others) => others.reduce((sum, other) => sum + shared(box, other), 0);
  return fitting.map(({ one, penalty }) => ({ one, cost: penalty + covered(one.box, words) + TAG_COUNTS * covered(one.box, tags) })).sort((a, b) => a.cost - b.cost)[0]?.one ?? inside[0];
}
