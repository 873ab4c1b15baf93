/* The page as the workbench edits it: functions from one state to the next, and the history of them. Touches no page. */
const STEPS_KEPT = 200;

/* Whatever the order of keys is, which a database does not keep. */
export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}

export class History {
  constructor(state) {
    this.now = state;
    this.past = [];
    this.future = [];
    this.label = "";
  }

  /* Changes of one label in a row are one step, as the letters of a word are. Returns whether anything changed. */
  put(state, label = "") {
    if (same(state, this.now)) return false;
    if (label && label === this.label && same(state, this.past.at(-1))) return this.undo(); // typed back
    if (!label || label !== this.label) this.past = [...this.past.slice(-STEPS_KEPT), this.now];
    this.now = state;
    this.future = [];
    this.label = label;
    return true;
  }

  endStep() {
    this.label = "";
  }

  undo() {
    return this.move(this.past, this.future);
  }

  redo() {
    return this.move(this.future, this.past);
  }

  move(from, to) {
    if (!from.length) return false;
    to.push(this.now);
    this.now = from.pop();
    this.label = "";
    return true;
  }
}

const withSku = (state, at, changes) => ({ ...state, skus: state.skus.map((sku, n) => (n === at ? { ...sku, ...changes } : sku)) });

function withValue(state, at, key, value) {
  return withSku(state, at, { attributes: { ...state.skus[at].attributes, [key]: value } });
}

export const textOf = (state, at, key) => state.skus[at].attributes[key]?.text ?? "";

/* What is typed is a person's word, so nothing of it needs to be confirmed; an empty text is no value. */
export function withText(state, at, key, text) {
  const before = state.skus[at].attributes[key];
  return withValue(state, at, key, text ? { text, box: before?.box ?? null, confirmed: false } : null);
}

export function withConfirmed(state, at, key, confirmed = true) {
  const value = state.skus[at].attributes[key];
  return value ? withValue(state, at, key, { ...value, confirmed }) : state;
}

export const withCustom = (state, at, custom) => withSku(state, at, { custom });

/* One picture instead of those bound, or none. */
export const withPicture = (state, at, picture) => withSku(state, at, { pictures: picture ? [picture] : [] });

/* One more picture after the main one, or one less. */
export function withPictureToggled(state, at, picture) {
  const bound = state.skus[at].pictures;
  return withSku(state, at, { pictures: bound.includes(picture) ? bound.filter((id) => id !== picture) : [...bound, picture] });
}

export function withNewSku(state, keys) {
  const sku = { sku_id: null, rejected: false, attributes: Object.fromEntries(keys.map((key) => [key, null])), custom: [], pictures: [], box: null };
  return { ...state, skus: [...state.skus, sku] };
}

export function withCopy(state, at) {
  const sku = structuredClone(state.skus[at]);
  return { ...state, skus: [...state.skus, { ...sku, sku_id: null, rejected: false }] };
}

/* A SKU that was read is kept and marked; one that a person added is simply not there any more. */
export function withRejected(state, at) {
  const sku = state.skus[at];
  if (sku.sku_id === null) return { ...state, skus: state.skus.filter((_, n) => n !== at) };
  return withSku(state, at, { rejected: !sku.rejected });
}

export const withPage = (state, changes) => ({ ...state, ...changes });

export function withoutProducts(state) {
  const skus = state.skus.filter((sku) => sku.sku_id !== null).map((sku) => ({ ...sku, rejected: true }));
  return { ...state, page_type: "D", skus };
}

/* Only what differs from the picture's role on the page is said. */
export function withRole(state, picture, role, before) {
  const roles = Object.fromEntries(Object.entries(state.roles).filter(([id]) => id !== picture));
  return { ...state, roles: role === before ? roles : { ...roles, [picture]: role } };
}

/* Values that do not stand on the page and that nobody has confirmed, changed or emptied, as [SKU, key] (LX-UNLOCK). */
export function openValues(state, base, meta) {
  return state.skus.flatMap((sku, at) => (sku.rejected ? [] : lockedKeys(sku, meta).filter((key) => isLocked(sku, base, key)).map((key) => [at, key])));
}

export const lockedKeys = (sku, meta) => meta.skus[sku.sku_id]?.locked ?? [];

function isLocked(sku, base, key) {
  const value = sku.attributes[key];
  const before = base.skus.find((other) => other.sku_id === sku.sku_id)?.attributes[key];
  return Boolean(value) && !value.confirmed && value.text === before?.text;
}

/* Places in `skus`: the one that the task is about, what is open, the rest, what was rejected. */
export function inOrder(state, meta) {
  const rank = (sku) => {
    const about = meta.skus[sku.sku_id];
    if (sku.rejected) return 3;
    if (about?.subject) return 0;
    return about?.locked.length || about?.blockers.length ? 1 : 2;
  };
  return state.skus.map((sku, at) => [rank(sku), at]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, at]) => at);
}

/* As it is submitted: without blanks around what was typed and without lines that were left empty. */
export function trimmed(state) {
  const attribute = ([key, value]) => [key, value?.text.trim() ? { ...value, text: value.text.trim() } : null];
  const lines = (custom) => custom.map(({ name, text }) => ({ name: name.trim(), text: text.trim() })).filter(({ name, text }) => name || text);
  const skus = state.skus.map((sku) => ({ ...sku, attributes: Object.fromEntries(Object.entries(sku.attributes).map(attribute)), custom: lines(sku.custom) }));
  return { ...state, skus };
}

/* A draft fits while the page still has the SKUs that it was begun with. */
export function fits(draft, base) {
  const ids = (state) => state.skus.map((sku) => sku.sku_id).filter(Boolean).sort();
  return Array.isArray(draft?.skus) && same(ids(draft), ids(base));
}
