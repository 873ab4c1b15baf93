/* Steps of the workbench as differences, small enough to be kept with the draft: undo goes on after a reload. */

const STEPS_KEPT = 100;
const MOST_CHARS = 300000; // a draft holds a megabyte

/** A list is one too, with its places as names.
   @param {unknown} one
   @returns {one is Record<string, unknown>} */
function isObject(one) {
  return typeof one === "object" && one !== null;
}

/** Whatever the order of keys is, which a database does not keep.
   @type {(a: unknown, b: unknown) => boolean} */
export function same(a, b) {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}

/** [{path, before, after}]: where `b` is not `a`. A side that is not there has no key. Lists of other lengths differ as a whole.
   @type {(a: unknown, b: unknown, path?: string[]) => Difference[]} */
export function differences(a, b, path = []) {
  if (same(a, b)) return [];
  const [kind, other] = [a, b].map((one) => (Array.isArray(one) ? `list ${one.length}` : "object"));
  if (!isObject(a) || !isObject(b) || kind !== other) return [{ path, ...(a !== undefined && { before: a }), ...(b !== undefined && { after: b }) }];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => differences(a[key], b[key], [...path, key]));
}

/** `state` with every difference set to its `side`; nothing of `state` itself is changed.
   @type {<State>(state: State, changes: Difference[], side: Side) => State} */
export function applied(state, changes, side) {
  /** @type {unknown} */
  const begun = state;
  return /** @type {typeof state} */ (changes.reduce((now, change) => withPath(now, change.path, change[side]), begun));
}

/** @type {(state: unknown, path: string[], value: unknown) => unknown} */
function withPath(state, [key, ...rest], value) {
  if (key === undefined) return value;
  /** @type {Record<string, unknown>} */
  const copy = Object.assign(Array.isArray(state) ? [] : {}, state);
  const inner = withPath(copy[key], rest, value);
  if (inner === undefined) delete copy[key];
  else copy[key] = inner;
  return copy;
}

export class History {
  /** @param {PageState} state */
  constructor(state) {
    this.now = state;
    /** @type {Difference[][]} */
    this.past = [];
    /** @type {Difference[][]} */
    this.future = [];
    this.label = "";
  }

  /** Changes of one label in a row are one step, as the letters of a word are. Returns whether anything changed.
     @type {(state: PageState, label?: string) => boolean} */
  put(state, label = "") {
    if (same(state, this.now)) return false;
    const goesOn = label !== "" && label === this.label && this.past.length > 0;
    const begun = goesOn ? applied(this.now, this.past[this.past.length - 1], "before") : this.now;
    if (goesOn && same(state, begun)) return this.undo(); // typed back
    if (goesOn) this.past.pop();
    this.past = [...this.past.slice(1 - STEPS_KEPT), differences(begun, state)];
    this.now = state;
    this.future = [];
    this.label = label;
    return true;
  }

  endStep() {
    this.label = "";
  }

  undo() {
    return this.move(this.past, this.future, "before");
  }

  redo() {
    return this.move(this.future, this.past, "after");
  }

  /** @type {(from: Difference[][], to: Difference[][], side: Side) => boolean} */
  move(from, to, side) {
    const step = from.pop();
    if (!step) return false;
    to.push(step);
    this.now = applied(this.now, step, side);
    this.label = "";
    return true;
  }

  /* What a draft keeps: the latest steps, as many as there is room for. */
  steps() {
    let room = MOST_CHARS;
    /** @type {(steps: Difference[][]) => Difference[][]} */
    const latest = (steps) => {
      const kept = [];
      for (const step of [...steps].reverse()) {
        room -= JSON.stringify(step).length;
        if (room < 0) break;
        kept.unshift(step);
      }
      return kept;
    };
    return { past: latest(this.past), future: latest(this.future) };
  }

  /** As a draft left it.
     @type {(state: PageState, steps?: Steps) => void} */
  restore(state, { past = [], future = [] } = {}) {
    this.now = state;
    this.past = past;
    this.future = future;
    this.label = "";
  }
}
