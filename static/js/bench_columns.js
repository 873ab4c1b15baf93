/* The page's SKUs as rows and columns: which columns there are, what a cell says, and states with other cells. Touches no page. */
import { aboutOf, withMerged, withNewSku, withSplit } from "./bench_state.js";

/** Of the nth attribute of that name that the category does not know. Keys of attributes hold no space.
   @type {(name: string, nth: number) => string} */
export const ownId = (name, nth) => `own ${nth} ${name}`;

/** @type {(id: string) => { name: string, nth: number } | null} */
export function ownOf(id) {
  const [, nth, name] = /^own (\d+) ([^]*)$/.exec(id) ?? [];
  return name === undefined ? null : { name, nth: Number(nth) };
}

/** Attributes in the category's order, then those of their own in the order in which SKUs say them. `blank`: nobody says anything
   there, neither as it was read nor by now.
   @type {(state: PageState, base: PageState, meta: Meta) => Column[]} */
export function columnsOf(state, base, meta) {
  const skus = [...state.skus, ...base.skus];
  const known = meta.keys.map(({ key, label, required }) => ({ id: key, label, required, own: false, blank: !required && !skus.some((sku) => textAt(sku, key)) }));
  const names = new Set(state.skus.flatMap((sku) => ownIds(sku)));
  return [...known, ...[...names].map((id) => ({ id, label: ownOf(id)?.name || "—", required: false, own: true, blank: false }))];
}

/** @type {(sku: Sku) => string[]} */
function ownIds({ custom }) {
  return custom.flatMap(({ name, text }, n) => (name || text ? [ownId(name, custom.slice(0, n).filter((one) => one.name === name).length)] : []));
}

/** @type {(sku: Sku, id: string) => Value | null} */
export function valueAt(sku, id) {
  const own = ownOf(id);
  return own ? (sku.custom.filter(({ name }) => name === own.name)[own.nth] ?? null) : (sku.attributes[id] ?? null);
}

/** @type {(sku: Sku, id: string) => string} */
export const textAt = (sku, id) => valueAt(sku, id)?.text ?? "";

/** What was read there; null where the SKU is a person's.
   @type {(sku: Sku, id: string, base: PageState) => Value | null} */
export function readAt(sku, id, base) {
  const before = sku.sku_id === null ? undefined : base.skus.find((other) => other.sku_id === sku.sku_id);
  return before ? valueAt(before, id) : null;
}

/** Where the page prints it: as a person showed, else as it was read.
   @type {(sku: Sku, id: string, meta: Meta) => Box | null} */
export function placeAt(sku, id, meta) {
  const about = aboutOf(sku, meta);
  const own = ownOf(id);
  return valueAt(sku, id)?.box ?? (own ? about?.customs?.[own.name] : about?.evidence[id]?.crop) ?? null;
}

/** `value` null: the SKU has none, and an attribute of its own is not there any more.
   @type {(sku: Sku, id: string, value: Value | null) => Sku} */
function withValueAt(sku, id, value) {
  const own = ownOf(id);
  if (!own) return { ...sku, attributes: { ...sku.attributes, [id]: value } };
  const before = valueAt(sku, id);
  const one = value && { name: own.name, ...value };
  if (!before) return one ? { ...sku, custom: [...sku.custom, one] } : sku;
  return { ...sku, custom: sku.custom.flatMap((entry) => (entry !== before ? [entry] : one ? [one] : [])) };
}

/** As typed: a person's word. The line of an attribute of its own stays while it is empty, so that no other moves up into its column.
   @type {(sku: Sku, id: string, text: string) => Sku} */
function withTextAt(sku, id, text) {
  const before = valueAt(sku, id);
  if ((before?.text ?? "") === text) return sku;
  if (ownOf(id)) return withValueAt(sku, id, { text, box: null, confirmed: false });
  return withValueAt(sku, id, text ? { text, box: before?.box ?? null, confirmed: false } : null);
}

/** @type {(state: PageState, change: (sku: Sku, row: number) => Sku) => PageState} */
function eachSku(state, change) {
  const skus = state.skus.map((sku, row) => (sku.rejected ? sku : change(sku, row)));
  return skus.every((sku, row) => sku === state.skus[row]) ? state : { ...state, skus };
}

/** Many cells at once; rejected SKUs stay as they are, and so does a cell that says the same already. What is said of rows after
   the last adds SKUs.
   @type {(state: PageState, patches: readonly Patch[], keys?: string[]) => PageState} */
export function withTexts(before, patches, keys = []) {
  const last = Math.max(-1, ...patches.map(([row, , text]) => (text ? row : -1)));
  let state = before;
  while (state.skus.length <= last) state = withNewSku(state, keys);
  /** @type {Map<number, Patch[]>} */
  const rows = new Map();
  for (const patch of patches) rows.set(patch[0], [...(rows.get(patch[0]) ?? []), patch]);
  return eachSku(state, (sku, row) => (rows.get(row) ?? []).reduce((now, [, id, text]) => withTextAt(now, id, text), sku));
}

/** A person stands by what these cells say.
   @type {(state: PageState, cells: readonly (readonly [row: number, id: string])[]) => PageState} */
export function withStoodBy(state, cells) {
  return cells.reduce((now, [at, id]) => {
    const value = now.skus[at] && valueAt(now.skus[at], id);
    return value?.text ? eachSku(now, (sku, row) => (row === at ? withValueAt(sku, id, { ...value, confirmed: true }) : sku)) : now;
  }, state);
}

/** What was taken from the print into one cell. The same words that a person is asked about are confirmed by it.
   @type {(state: PageState, base: PageState, meta: Meta, at: number, id: string, found: Word) => PageState} */
export function withPrinted(state, base, meta, at, id, { text, box }) {
  const before = readAt(state.skus[at], id, base);
  const isAsked = (aboutOf(state.skus[at], meta)?.locked ?? []).includes(id) && before?.text === text;
  return eachSku(state, (sku, row) => (row === at ? withValueAt(sku, id, { text, box, confirmed: isAsked }) : sku));
}

/** "This column is that one": each SKU's value goes there with its place, and what stood there comes here, so that nothing is lost.
   @type {(state: PageState, meta: Meta, from: string, to: string) => PageState} */
export function withMeaning(state, meta, from, to) {
  if (from === to) return state;
  return eachSku(state, (sku) => {
    const [here, there] = [from, to].map((id) => (textAt(sku, id) ? { text: textAt(sku, id), box: placeAt(sku, id, meta), confirmed: false } : null));
    return here || there ? withValueAt(withValueAt(sku, from, there), to, here) : sku;
  });
}

/** The rows become the first of them that is not rejected; `at` is where that one stands then, `count` how many became part of it.
   @type {(state: PageState, rows: readonly number[]) => { state: PageState, at: number, count: number }} */
export function withRowsMerged(state, rows) {
  const [into, ...others] = rows.filter((row) => !state.skus[row]?.rejected);
  let now = state;
  let gone = 0; // added ones are not there any more, and those after them move up
  for (const row of others) {
    const before = now.skus.length;
    now = withMerged(now, into, row - gone);
    gone += before - now.skus.length;
  }
  return { state: now, at: into ?? -1, count: others.length };
}

/** In two; the second stands under the first.
   @type {(state: PageState, at: number) => PageState} */
export function withRowSplit(state, at) {
  const { skus, ...page } = withSplit(state, at);
  return { ...page, skus: [...skus.slice(0, at + 1), ...skus.slice(-1), ...skus.slice(at + 1, -1)] };
}

/** Whether a person has given this cell another value than the reading, or stands by it.
   @type {(sku: Sku, base: PageState, id: string) => boolean} */
export function isPersons(sku, base, id) {
  const value = valueAt(sku, id);
  return Boolean(sku.accepted || value?.confirmed) || (value?.text ?? "") !== (readAt(sku, id, base)?.text ?? "");
}
