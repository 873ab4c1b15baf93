/* Where one looks at the page: how large, and which part of it the view shows. Places in the view are pixels, on the page points. Pure. */
import { centre, clamp } from "./bench_geometry.js";

const ZOOM = { least: 0.2, most: 8 };
const MARGIN_PX = 12;
const READABLE_PX = 9;
const CLOSE_PX = 14; // of print that is gone close to

/** Around a place of the view, its middle if none is given.
   @type {(sight: Sight, factor: number, at?: Point) => Sight} */
export function zoomedBy(sight, factor, [px, py] = [sight.width / 2, sight.height / 2]) {
  const zoom = clamp(sight.zoom * factor, ZOOM.least, ZOOM.most);
  return { ...sight, zoom, x: px - ((px - sight.x) * zoom) / sight.zoom, y: py - ((py - sight.y) * zoom) / sight.zoom };
}

/** @type {(sight: Sight, page: PageSize) => Sight} */
export const onWidth = (sight, page) => ({ ...sight, zoom: (sight.width - 2 * MARGIN_PX) / (page.width_pt || 1), x: MARGIN_PX, y: MARGIN_PX });

/** Large enough for letters `height_pt` points high to be read; where that takes more than there was, from the beginning of `box` on.
   @type {(sight: Sight, height_pt: number, box?: Box | null) => Sight} */
export function readable(sight, height_pt, box = null) {
  const high = height_pt * sight.zoom;
  if (!sight.width || !high || high >= READABLE_PX) return sight;
  const zoom = clamp((READABLE_PX / high) * sight.zoom, ZOOM.least, ZOOM.most);
  return box ? { ...sight, zoom, x: MARGIN_PX - box[0] * zoom, y: sight.height / 4 - box[1] * zoom } : zoomedBy(sight, READABLE_PX / high, [0, 0]);
}

/** @type {(sight: Sight, page: PageSize) => Sight} */
export function onPage(sight, page) {
  const [wide, high] = [(sight.width - 2 * MARGIN_PX) / (page.width_pt || 1), (sight.height - 2 * MARGIN_PX) / (page.height_pt || 1)];
  return { ...sight, zoom: Math.min(wide, high) };
}

/** Close to a box, which keeps some of what is around it. A row as wide as the page would not come any closer: its letters, `height_pt`
   points high, are made large enough then, from its beginning on.
   @type {(sight: Sight, box: Box, height_pt?: number) => Sight} */
export function onBox(sight, box, height_pt = 0) {
  const fitting = Math.min(sight.width / (box[2] - box[0]), sight.height / (box[3] - box[1])) * 0.8;
  const zoom = clamp(Math.max(fitting, height_pt ? CLOSE_PX / height_pt : 0), ZOOM.least, ZOOM.most / 2);
  const close = centredOn({ ...sight, zoom }, box);
  return { ...close, x: Math.max(close.x, MARGIN_PX - box[0] * zoom), y: Math.max(close.y, MARGIN_PX - box[1] * zoom) };
}

/** @type {(sight: Sight, box: Box) => Sight} */
export function centredOn(sight, box) {
  const [x, y] = centre(box);
  return { ...sight, x: sight.width / 2 - x * sight.zoom, y: sight.height / 2 - y * sight.zoom };
}

/** Where the page cannot be lost: a sheet smaller than the view stands in its middle, a larger one never leaves it.
   @type {(sight: Sight, page: PageSize) => Sight} */
export function inReach(sight, page) {
  return { ...sight, x: within(sight.x, sight.width, page.width_pt * sight.zoom), y: within(sight.y, sight.height, page.height_pt * sight.zoom) };
}

/** @type {(at: number, view: number, sheet: number) => number} */
function within(at, view, sheet) {
  if (sheet + 2 * MARGIN_PX <= view) return (view - sheet) / 2;
  return Math.min(MARGIN_PX, Math.max(view - sheet - MARGIN_PX, at));
}

/** @type {(sight: Sight, box: Box) => boolean} */
export function isSeen({ x, y, zoom, width, height }, [x0, y0, x1, y1]) {
  return x + x0 * zoom >= 0 && y + y0 * zoom >= 0 && x + x1 * zoom <= width && y + y1 * zoom <= height;
}

/** The place on the page under one of the view.
   @type {(sight: Sight, at: Point) => Point} */
export const pointAt = ({ x, y, zoom }, [px, py]) => [(px - x) / zoom, (py - y) / zoom];

/** The place in the view over one of the page.
   @type {(sight: Sight, point: Point) => Point} */
export const placeOf = ({ x, y, zoom }, [left, top]) => [x + left * zoom, y + top * zoom];

/** What the view shows of the page.
   @type {(sight: Sight, page: PageSize) => Box} */
export function shownOf({ x, y, zoom, width, height }, page) {
  const across = [-x / zoom, (width - x) / zoom].map((side) => clamp(side, 0, page.width_pt));
  const down = [-y / zoom, (height - y) / zoom].map((side) => clamp(side, 0, page.height_pt));
  return [across[0], down[0], across[1], down[1]];
}

/** Two corners around the middle of what is seen, a third as wide and high.
   @type {(sight: Sight) => [Point, Point]} */
export function middleOf(sight) {
  const [x, y] = pointAt(sight, [sight.width / 2, sight.height / 2]);
  const [w, h] = [sight.width / 6 / sight.zoom, sight.height / 6 / sight.zoom];
  return [[x - w, y - h], [x + w, y + h]];
}
