/* What stands behind a value of the open SKU, in words: read, edited, confirmed, open, or at odds with the last reading. Touches no page. */
import { aboutOf } from "./bench_state.js";
import { say } from "./words.js";

/** What the last reading says instead of a person's word, until that is said or another word is given.
   @type {(sku: Sku, key: string, meta: Meta) => string | undefined} */
export function readingOf(sku, key, meta) {
  const reading = aboutOf(sku, meta)?.otherwise[key];
  return sku.attributes[key]?.text === reading ? undefined : reading;
}

/** `open`: nobody has decided it yet; `before`: as it was read.
   @type {(sku: Sku, key: string, meta: Meta, how: { open: boolean, before: Value | null | undefined }) => Mark} */
export function markOf(sku, key, meta, { open, before }) {
  const value = sku.attributes[key];
  const about = aboutOf(sku, meta);
  if (open) return { icon: "lock", word: say(about?.evidence[key]?.seen ? "bench.compare" : "bench.not_printed"), tone: "person" };
  if (value?.confirmed) return { icon: "check", word: say("bench.confirmed"), tone: "done" };
  if (isEdited(value, before)) return { icon: "pencil", word: say("bench.edited"), tone: "done" };
  if (readingOf(sku, key, meta)) return { icon: "flag", word: say("bench.conflict"), tone: "fault" };
  return about?.marks[key] ?? { icon: "dash", word: say("bench.absent"), tone: "ink3" };
}

/** The sentence under it; empty where there is nothing to add.
   @type {(sku: Sku, key: string, meta: Meta, how: { open: boolean, before: Value | null | undefined }) => string} */
export function noteOf(sku, key, meta, { open, before }) {
  const reading = readingOf(sku, key, meta);
  if (reading) return say("bench.otherwise", { text: reading });
  if (open) return say(aboutOf(sku, meta)?.evidence[key]?.seen ? "bench.why_compare" : "bench.why_locked");
  return before && isEdited(sku.attributes[key], before) ? say("bench.was", { text: before.text }) : "";
}

/** @type {(value: Value | null | undefined, before: Value | null | undefined) => boolean} */
const isEdited = (value, before) => (value?.text ?? "") !== (before?.text ?? "");
