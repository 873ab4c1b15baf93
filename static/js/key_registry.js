/* What each key does, in which scope, under the person's own keys where they chose some. Touches no page. */
import { keep, kept } from "./keeping.js";
import { say } from "./words.js";

const STORED = "own-keys";
// What browsers keep for themselves, and keys that mean the same everywhere.
const RESERVED = ["Ctrl+W", "Ctrl+T", "Ctrl+N", "Ctrl+R", "Ctrl+L", "Ctrl+Q", "Ctrl+P", "Ctrl+F", "Ctrl+C", "Ctrl+V", "Ctrl+X", "Ctrl+A"];
const FIXED = /^(Enter|Escape|Tab|Arrow.*|Ctrl\+Shift\+Arrow.*|\?|[0-9]| )$/;
/** @type {Binding[]} */
export const bindings = [];
let own = readOwn();
/** @type {() => void} */
let changed = () => {};

/** keys: names as printed by event.key, "Shift+E", "Ctrl+Shift+Z" (the command key of a Mac is Ctrl) and "g q" allowed; `says` is a word id for the help.
   A binding whose `when` is false leaves the key to the browser. Two bindings of one key in one scope are a mistake, as is one of a scope and everywhere.
   @type {(use: KeyUse) => void} */
export function bind({ scope, keys, says, run, when = () => true, typing = false }) {
  for (const key of keys) {
    const other = ownerOf(key, scope);
    if (other?.usual.includes(key)) throw new Error(`key ${key} is bound twice in ${scope}`);
    if (other) forget(other); // chosen where this binding was not there to object
  }
  const binding = { scope, usual: keys, says, run, when, typing };
  if (keysOf(binding).some((key) => ownerOf(key, scope))) forget(binding);
  bindings.push(binding);
  if (own[nameIn(binding)]) changed(); // chosen on an earlier page
}

/** @type {(a: string, b: string) => boolean} */
const meets = (a, b) => a === b || [a, b].includes("global");
/** @type {(key: string, scope: string, except?: Binding | null) => Binding | undefined} */
const ownerOf = (key, scope, except = null) => bindings.find((other) => other !== except && meets(other.scope, scope) && keysOf(other).includes(key));
/** @type {(binding: Binding) => string} */
const nameIn = ({ scope, says }) => `${scope} ${says}`;
/** @type {(binding: Binding) => readonly string[]} */
export const keysOf = (binding) => (own[nameIn(binding)] ? [own[nameIn(binding)]] : binding.usual);

export function registered() {
  return bindings.map((binding) => ({ scope: binding.scope, keys: keysOf(binding), says: binding.says }));
}

/** Told whenever a person's own keys are others.
   @type {(run: () => void) => void} */
export function whenChanged(run) {
  changed = run;
}

/** @type {() => Record<string, string>} */
function readOwn() {
  try {
    return JSON.parse(kept(STORED) ?? "null") ?? {};
  } catch {
    return {};
  }
}

function keepOwn() {
  keep(STORED, JSON.stringify(own));
  changed();
}

/** @type {(binding: Binding) => void} */
function forget(binding) {
  delete own[nameIn(binding)];
  keepOwn();
}

export function forgetAll() {
  own = {};
  keepOwn();
}

/** One key that no browser owns and that is not the same everywhere can be another.
   @type {(binding: Binding) => boolean} */
export const isMovable = ({ usual }) => usual.length === 1 && !usual[0].includes(" ") && !FIXED.test(usual[0]);

/** Gives that binding another key, or says in a sentence why not.
   @type {(binding: Binding, key: string) => string} */
export function move(binding, key) {
  const other = ownerOf(key, binding.scope, binding);
  if (FIXED.test(key) || RESERVED.includes(key)) return say("keys.reserved", { key });
  if (other) return say("keys.taken", { key, what: say(other.says) });
  if (bindings.some((known) => keysOf(known).some((one) => one.startsWith(`${key} `)))) return say("keys.taken", { key, what: say("keys.begins_others") });
  own[nameIn(binding)] = key;
  keepOwn();
  return "";
}

/** @type {(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey">) => string} */
export function nameOf(event) {
  const chord = event.ctrlKey || event.metaKey;
  if (chord) return `Ctrl+${event.shiftKey ? "Shift+" : ""}${event.key.length === 1 ? event.key.toUpperCase() : event.key}`;
  const letter = event.key.length === 1 && event.key.toLowerCase() !== event.key.toUpperCase();
  if (letter) return event.shiftKey ? `Shift+${event.key.toUpperCase()}` : event.key.toLowerCase();
  return event.key;
}
