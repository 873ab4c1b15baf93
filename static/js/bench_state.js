/* The page as the workbench edits it: functions from one state to the next. Touches no page. */
import { halves, union } from "./bench_geometry.js";
import { applied, same } from "./bench_history.js";

export { same };

/** @type {(state: PageState, at: number, changes: Partial<Sku>) => PageState} */
const withSku = (state, at, changes) => ({ ...state, skus: state.skus.map((sku, n) => (n === at ? { ...sku, ...changes } : sku)) });

/** @type {(state: PageState, at: number, key: string, value: Value | null) => PageState} */
function withValue(state, at, key, value) {
  return withSku(state, at, { attributes: { ...state.skus[at].attributes, [key]: value } });
}

/** @type {(state: PageState, at: number, key: string) => string} */
export const textOf = (state, at, key) => state.skus[at].attributes[key]?.text ?? "";

/** What is typed is a person's word, so nothing of it needs to be confirmed; an empty text is no value.
   @type {(state: PageState, at: number, key: string, text: string) => PageState} */
export function withText(state, at, key, text) {
  const before = state.skus[at].attributes[key];
  return withValue(state, at, key, text ? { text, box: before?.box ?? null, confirmed: false } : null);
}

/** @type {(state: PageState, at: number, key: string, confirmed?: boolean) => PageState} */
export function withConfirmed(state, at, key, confirmed = true) {
  const value = state.skus[at].attributes[key];
  return value ? withValue(state, at, key, { ...value, confirmed }) : state;
}

/** @type {(state: PageState, at: number, box: Box | null) => PageState} */
export const withBox = (state, at, box) => withSku(state, at, { box });

/** @type {(state: PageState, at: number, custom: Custom[]) => PageState} */
export const withCustom = (state, at, custom) => withSku(state, at, { custom });

/** One picture instead of those bound, or none.
   @type {(state: PageState, at: number, picture: string | null) => PageState} */
export const withPicture = (state, at, picture) => withSku(state, at, { pictures: picture ? [picture] : [] });

/** One more picture after the main one, or one less.
   @type {(state: PageState, at: number, picture: string) => PageState} */
export function withPictureToggled(state, at, picture) {
  const bound = state.skus[at].pictures;
  return withSku(state, at, { pictures: bound.includes(picture) ? bound.filter((id) => id !== picture) : [...bound, picture] });
}

/** @type {(state: PageState, keys: string[], box?: Box | null) => PageState} */
export function withNewSku(state, keys, box = null) {
  const sku = { sku_id: null, rejected: false, attributes: Object.fromEntries(keys.map((key) => [key, null])), custom: [], pictures: [], box };
  return { ...state, skus: [...state.skus, sku] };
}

/** What an alternative tells of and the page does not; nothing once one was taken: the other tells of the same print.
   @type {(state: PageState, alternative: Alternative) => Sku[]} */
export function untaken(state, { skus }) {
  if (state.skus.some(({ offered }) => offered)) return [];
  const names = new Set(state.skus.map(nameOf));
  return skus.filter((sku) => !names.has(nameOf(sku)));
}

/** However it is spaced and written.
   @type {(sku: Sku) => string} */
const nameOf = ({ attributes }) => (attributes.model?.text || attributes.product_name?.text || "").replace(/\s/g, "").toLowerCase();

/** With all that is left of it. A page of which nobody has said that it has products becomes what it is with them.
   @type {(state: PageState, alternative: Alternative) => PageState} */
export function withAlternative(state, alternative) {
  const { page_type, layout_type } = state.skus.length || !["", "D"].includes(state.page_type) ? state : alternative;
  return { ...state, page_type, layout_type, skus: [...state.skus, ...untaken(state, alternative)] };
}

/** @type {(state: PageState, at: number) => PageState} */
export function withCopy(state, at) {
  const { offered: _, ...sku } = structuredClone(state.skus[at]);
  return { ...state, skus: [...state.skus, { ...sku, sku_id: null, rejected: false }] };
}

/** In two along the longer side of its box; the second is new, says the same, and has no picture yet.
   @type {(state: PageState, at: number) => PageState} */
export function withSplit(state, at) {
  const sku = state.skus[at];
  const [first, second] = sku.box ? halves(sku.box) : [null, null];
  const { offered: _, ...said } = structuredClone(sku);
  const copy = { ...said, sku_id: null, pictures: [], box: second };
  return { ...state, skus: [...withBox(state, at, first).skus, copy] };
}

/** `from` becomes part of `at`, which keeps what it says and takes what it lacks; `from` is rejected, or not there any more.
   @type {(state: PageState, at: number, from: number) => PageState} */
export function withMerged(state, at, from) {
  const [into, other] = [state.skus[at], state.skus[from]];
  const attributes = Object.fromEntries(Object.entries({ ...other.attributes, ...into.attributes }).map(([key, value]) => [key, value ?? other.attributes[key] ?? null]));
  const names = new Set(into.custom.map(({ name }) => name));
  const boxes = [into.box, other.box].filter((box) => box !== null);
  const merged = {
    attributes, custom: [...into.custom, ...other.custom.filter(({ name }) => !names.has(name))],
    pictures: [...new Set([...into.pictures, ...other.pictures])], box: boxes.length ? union(boxes) : null,
  };
  return withRejected(withSku(state, at, merged), from);
}

/** A SKU that was read is kept and marked; one that a person added is simply not there any more.
   @type {(state: PageState, at: number) => PageState} */
export function withRejected(state, at) {
  const sku = state.skus[at];
  if (sku.sku_id === null) return { ...state, skus: state.skus.filter((_, n) => n !== at) };
  return withSku(state, at, { rejected: !sku.rejected });
}

/** A picture drawn by hand, of the SKU that is open.
   @type {(state: PageState, at: number, box: Box) => PageState} */
export function withDrawn(state, at, box) {
  const id = newName(state);
  const next = { ...state, drawn: [...state.drawn, { id, box }] };
  return at < 0 ? next : withPictureToggled(next, at, id);
}

/** @type {(state: PageState) => string} */
const newName = (state) => `new-${1 + Math.max(0, ...state.drawn.map(({ id }) => Number(id.slice(4))))}`;

/** One that was drawn is moved; one that was read gives way to a drawn one, and is decoration from then on.
   @type {(state: PageState, id: string, box: Box) => PageState} */
export function withPictureBox(state, id, box) {
  if (state.drawn.some((one) => one.id === id)) return { ...state, drawn: state.drawn.map((one) => (one.id === id ? { ...one, box } : one)) };
  const name = newName(state);
  const skus = state.skus.map((sku) => ({ ...sku, pictures: sku.pictures.map((picture) => (picture === id ? name : picture)) }));
  return { ...state, skus, drawn: [...state.drawn, { id: name, box }], roles: { ...state.roles, [id]: "DECORATION" } };
}

/** @type {(state: PageState, id: string) => PageState} */
export function withoutDrawn(state, id) {
  const skus = state.skus.map((sku) => ({ ...sku, pictures: sku.pictures.filter((picture) => picture !== id) }));
  const roles = Object.fromEntries(Object.entries(state.roles).filter(([name]) => name !== id));
  return { ...state, skus, roles, drawn: state.drawn.filter((one) => one.id !== id) };
}

/** Pictures that were read and those that were drawn, as {image_id, name, box, role, url}; without an address where it is not stored yet.
   @type {(state: PageState, meta: Meta) => Picture[]} */
export function picturesOf(state, meta) {
  const drawn = state.drawn.map(({ id, box }, n) => ({ image_id: id, name: `P${meta.images.length + n + 1}`, box, role: "PRODUCT_MAIN", url: "" }));
  return [...meta.images, ...drawn];
}

/** @type {(state: PageState, block: string, role: string, before: string | undefined) => PageState} */
export const withTextRole = (state, block, role, before) => ({ ...state, texts: without(state.texts, block, role === before ? undefined : role) });

/** @type {(map: Record<string, string>, key: string, value: string | undefined) => Record<string, string>} */
function without(map, key, value) {
  const rest = Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
  return value === undefined ? rest : { ...rest, [key]: value };
}

/** @type {(state: PageState, table: string) => PageState} */
export function withSeparate(state, table) {
  const has = state.separate.includes(table);
  return { ...state, separate: has ? state.separate.filter((one) => one !== table) : [...state.separate, table] };
}

/** @type {(state: PageState, changes: Partial<PageState>) => PageState} */
export const withPage = (state, changes) => ({ ...state, ...changes });

/** @type {(state: PageState) => PageState} */
export function withoutProducts(state) {
  const skus = state.skus.filter((sku) => sku.sku_id !== null).map((sku) => ({ ...sku, rejected: true }));
  return { ...state, page_type: "D", skus };
}

/** Only what differs from the picture's role on the page is said.
   @type {(state: PageState, picture: string, role: string, before: string | undefined) => PageState} */
export const withRole = (state, picture, role, before) => ({ ...state, roles: without(state.roles, picture, role === before ? undefined : role) });

/** SKUs that may be accepted together: sure enough, and nothing of them left to decide.
   @type {(state: PageState, base: PageState, meta: Meta) => number[]} */
export function acceptable(state, base, meta) {
  const open = new Set(openValues(state, base, meta).map(([at]) => at));
  /** @type {(sku: Sku) => boolean} */
  const isSure = (sku) => (aboutOf(sku, meta)?.confidence ?? 0) >= meta.accept_from;
  return state.skus.flatMap((sku, at) => (!sku.rejected && !sku.accepted && !open.has(at) && isSure(sku) ? [at] : []));
}

/** A person has looked at these SKUs and finds them right, with the attributes of their own.
   @type {(state: PageState, places: number[]) => PageState} */
export function withAccepted(state, places) {
  /** @type {(sku: Sku) => Sku} */
  const accept = (sku) => ({ ...sku, accepted: true, custom: sku.custom.map((one) => ({ ...one, confirmed: true })) });
  return { ...state, skus: state.skus.map((sku, at) => (places.includes(at) ? accept(sku) : sku)) };
}

/** Values that do not stand on the page and that nobody has confirmed, changed or emptied, as [SKU, key] (LX-UNLOCK).
   @type {(state: PageState, base: PageState, meta: Meta) => OpenValue[]} */
export function openValues(state, base, meta) {
  return state.skus.flatMap((sku, at) => (sku.rejected ? [] : lockedKeys(sku, meta).filter((key) => isLocked(sku, base, key)).map((key) => [at, key])));
}

/** @type {(sku: Sku, meta: Meta) => string[]} */
export const lockedKeys = (sku, meta) => aboutOf(sku, meta)?.locked ?? [];

/** What is only shown of a SKU; nothing of one that a person added.
   @type {(sku: Sku, meta: Meta) => SkuMeta | undefined} */
export const aboutOf = (sku, meta) => (sku.sku_id === null ? undefined : meta.skus[sku.sku_id]);

/** @type {(sku: Sku, base: PageState, key: string) => boolean} */
function isLocked(sku, base, key) {
  const value = sku.attributes[key];
  const before = base.skus.find((other) => other.sku_id === sku.sku_id)?.attributes[key];
  return value ? !value.confirmed && value.text === before?.text : false;
}

/** Places in `skus`: the one that the task is about, what is open, the rest, what was rejected.
   @type {(state: PageState, meta: Meta) => number[]} */
export function inOrder(state, meta) {
  /** @type {(sku: Sku) => number} */
  const rank = (sku) => {
    const about = aboutOf(sku, meta);
    if (sku.rejected) return 4;
    if (sku.accepted) return 3;
    if (about?.subject) return 0;
    return about?.locked.length || about?.blockers.length ? 1 : 2;
  };
  return state.skus.map((sku, at) => [rank(sku), at]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, at]) => at);
}

/** The SKU that is open after a change: the one at the same place, or the last; where none was, the first that there is. -1 is none.
   @type {(at: number, state: PageState, meta: Meta) => number} */
export function stillOpen(at, state, meta) {
  return at < 0 ? (inOrder(state, meta)[0] ?? -1) : Math.min(at, state.skus.length - 1);
}

/** As it is submitted: without blanks around what was typed and without lines that were left empty.
   @type {(state: PageState) => PageState} */
export function trimmed(state) {
  /** @type {(entry: [string, Value | null]) => [string, Value | null]} */
  const attribute = ([key, value]) => [key, value?.text.trim() ? { ...value, text: value.text.trim() } : null];
  /** @type {(custom: Custom[]) => Custom[]} */
  const lines = (custom) => custom.map((one) => ({ ...one, name: one.name.trim(), text: one.text.trim() })).filter(({ name, text }) => name || text);
  const skus = state.skus.map(({ accepted: _, ...sku }) => ({ ...sku, attributes: Object.fromEntries(Object.entries(sku.attributes).map(attribute)), custom: lines(sku.custom) }));
  return { ...state, skus };
}

/** A draft fits while the page still has the SKUs that it was begun with.
   @type {(draft: Partial<DraftState> | undefined, base: PageState) => boolean} */
export function fits(draft, base) {
  /** @type {(state: { skus: Sku[] }) => string[]} */
  const ids = (state) => state.skus.map((sku) => sku.sku_id).filter((id) => id !== null).sort();
  const skus = draft?.skus;
  return Array.isArray(skus) && same(ids({ skus }), ids(base));
}

/** What a draft's person had changed or added, and a page that is another since does not say: [{sku_id, key, mine}] and [{sku}].
   What they had not touched is the page's own affair.
   @type {(draft: DraftState, base: PageState) => LeftLine[]} */
export function leftOver({ steps, left = [], ...draft }, base) {
  const begun = (steps?.past ?? []).reduceRight((state, step) => applied(state, step, "before"), draft);
  /** @type {(sku: Sku) => Sku | undefined} */
  const was = (sku) => find(begun, sku.sku_id);
  const read = draft.skus.flatMap((sku) => (sku.sku_id === null ? [] : [{ ...sku, sku_id: sku.sku_id }]));
  const here = read.filter((sku) => find(base, sku.sku_id));
  const values = here.flatMap((sku) => Object.keys(sku.attributes).filter((key) => said(sku, key) !== said(was(sku), key)).map((key) => ({ sku_id: sku.sku_id, key, mine: said(sku, key) })));
  const gone = read.filter((sku) => !find(base, sku.sku_id) && !same(sku, was(sku)));
  const added = draft.skus.filter(({ sku_id: id }) => id === null);
  return [...left, ...values, ...[...gone, ...added].map((sku) => ({ sku: { ...sku, sku_id: null } }))];
}

/** Those of these lines that the page does not say by now.
   @type {(lines: LeftLine[], state: PageState) => LeftLine[]} */
export function stillLeft(lines, state) {
  return lines.filter(({ sku, sku_id: id, key, mine }) => sku || (find(state, id) && said(find(state, id), key) !== mine));
}

/** @type {(state: PageState, id: string | null | undefined) => Sku | undefined} */
const find = (state, id) => state.skus.find((sku) => sku.sku_id === id);
/** @type {(sku: Sku | undefined, key: string) => string} */
const said = (sku, key) => sku?.attributes[key]?.text ?? "";
