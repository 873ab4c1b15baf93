/* Where a quote stands, as the server writes it: "page x0 y0 x1 y1" in points, joined by ";". Touches no page. */

/** @typedef {{ page: number, box: Box }} Boxed */

/** What is no such text is no box.
   @type {(text: string) => Boxed[]} */
export function boxesIn(text) {
  return text.split(";").flatMap((one) => {
    const numbers = one.trim().split(" ").map(Number);
    if (numbers.length !== 5 || numbers.some(Number.isNaN)) return [];
    const [page, x0, y0, x1, y1] = numbers;
    return [{ page, box: /** @type {Box} */ ([x0, y0, x1, y1]) }];
  });
}

/** Whether anything differs between what is shown and what is heard: records by id, with what tells their states apart.
   @type {(shown: Record<string, string>, heard: Record<string, string>) => boolean} */
export function differ(shown, heard) {
  const ids = new Set([...Object.keys(shown), ...Object.keys(heard)]);
  return [...ids].some((id) => shown[id] !== heard[id]);
}
