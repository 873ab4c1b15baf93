/* How fast an upload goes: what is told of it, and how large its parts are. Touches no page. */
import { say } from "./words.js";

const PART_BYTES = { first: 1048576, least: 262144 };
const PART_MS = { quick: 1000, slow: 4000 };
const MB = 1e6;

/** The first part, of `most_bytes` at most.
   @type {(most_bytes: number) => number} */
export const firstPart = (most_bytes) => Math.min(PART_BYTES.first, most_bytes);

/** Parts of a second or so on any line: behind proxies that keep a part back, a cut costs the whole of it. The last part, shorter, tells nothing.
   @type {(part_bytes: number, sent_bytes: number, taken_ms: number, most_bytes: number) => number} */
export function nextPart(part_bytes, sent_bytes, taken_ms, most_bytes) {
  if (sent_bytes < part_bytes) return part_bytes;
  if (taken_ms < PART_MS.quick) return Math.min(part_bytes * 2, most_bytes);
  return taken_ms > PART_MS.slow ? Math.max(part_bytes / 2, PART_BYTES.least) : part_bytes;
}

/** Rate and time left in words, empty where nothing moves. `marks`: [when in ms, bytes sent by then], oldest first.
   @type {(marks: SentMark[], left_bytes: number) => string} */
export function paceOf(marks, left_bytes) {
  const [first, last] = [marks[0], marks[marks.length - 1]];
  const rate = (last[1] - first[1]) / Math.max(1, last[0] - first[0]) * 1000;
  if (marks.length < 2 || rate <= 0) return "";
  const seconds = Math.ceil(left_bytes / rate);
  const eta = seconds < 90 ? say("upload.left_s", { n: seconds }) : say("upload.left_min", { n: Math.round(seconds / 60) });
  return `${say("upload.rate", { rate: (rate / MB).toFixed(1) })}, ${eta}`;
}
