/* Where keys lead among the tiles of a grid: places are counted from 0, -1 is none. Touches no page. */

/** The place after `from` in a grid of so many `columns`; it ends at the first and the last tile.
   @type {(key: string, from: number, count: number, columns: number) => number} */
export function placeAfter(key, from, count, columns) {
  /** @type {Record<string, number>} */
  const to = { ArrowLeft: from - 1, ArrowRight: from + 1, ArrowUp: from - columns, ArrowDown: from + columns, Home: 0, End: count - 1 };
  return Math.max(0, Math.min(count - 1, to[key] ?? from));
}

/** The next tile that failed, else the next that waits for people, round the end; the last looked at is `from` itself.
   @type {(groups: (string | undefined)[], from: number) => number} */
export function nextProblemAfter(groups, from) {
  const places = groups.map((_, n) => (from + 1 + n) % groups.length);
  return places.find((n) => groups[n] === "failed") ?? places.find((n) => groups[n] === "people") ?? -1;
}
