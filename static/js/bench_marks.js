/* What stands behind a value of a SKU, in words: read, edited, confirmed, open, or at odds with the last reading. `id`: of an attribute of
   the category, or of one of its own (bench_columns.js). Touches no page. */
import { ownOf, textAt, valueAt } from "./bench_columns.js";
import { aboutOf } from "./bench_state.js";
import { say } from "./words.js";

/** What the last reading says instead of a person's word, until that is said or another word is given.
   @type {(sku: Sku, id: string, meta: Meta) => string | undefined} */
export function readingOf(sku, id, meta) {
  const reading = aboutOf(sku, meta)?.otherwise[id];
  return textAt(sku, id) === reading ? undefined : reading;
}

/** `open`: nobody has decided it yet; `before`: as it was read.
   @type {(sku: Sku, id: string, meta: Meta, how: { open: boolean, before: Value | null | undefined }) => Mark} */
export function markOf(sku, id, meta, { open, before }) {
  const value = valueAt(sku, id);
  const about = aboutOf(sku, meta);
  if (open) return { icon: "lock", word: say(about?.evidence[id]?.seen ? "bench.compare" : "bench.not_printed"), tone: "person" };
  if (value?.confirmed) return { icon: "check", word: say("bench.confirmed"), tone: "done" };
  if (isEdited(value, before)) return { icon: "pencil", word: say("bench.edited"), tone: "done" };
  if (readingOf(sku, id, meta)) return { icon: "flag", word: say("bench.conflict"), tone: "fault" };
  if (ownOf(id) && value?.text) return { icon: "person", word: say("bench.to_check"), tone: "person" };
  return about?.marks[id] ?? { icon: "dash", word: say("bench.absent"), tone: "ink3" };
}

/** The sentence under it; empty where there is nothing to add.
   @type {(sku: Sku, id: string, meta: Meta, how: { open: boolean, before: Value | null | undefined }) => string} */
export function noteOf(sku, id, meta, { open, before }) {
  const reading = readingOf(sku, id, meta);
  if (reading) return say("bench.otherwise", { text: reading });
  if (open) return say(aboutOf(sku, meta)?.evidence[id]?.seen ? "bench.why_compare" : "bench.why_locked");
  return before?.text && isEdited(valueAt(sku, id), before) ? say("bench.was", { text: before.text }) : "";
}

/** @type {(value: Value | null | undefined, before: Value | null | undefined) => boolean} */
export const isEdited = (value, before) => (value?.text ?? "") !== (before?.text ?? "");
