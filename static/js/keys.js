/* One registry of keys for the whole page: scopes, sequences, the guard for input methods, and the help dialog. */
import { say } from "./words.js";

const STORED = { single: "single-letter-keys", own: "own-keys" };
const SEQUENCE_MS = 1200;
const TYPING = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]";
const CAPS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Enter: "↵", Delete: "Del", Escape: "Esc" };
// What browsers keep for themselves, and keys that mean the same everywhere.
const RESERVED = ["Ctrl+W", "Ctrl+T", "Ctrl+N", "Ctrl+R", "Ctrl+L", "Ctrl+Q", "Ctrl+P", "Ctrl+F", "Ctrl+C", "Ctrl+V", "Ctrl+X", "Ctrl+A"];
const FIXED = /^(Enter|Escape|Tab|Arrow.*|Ctrl\+Shift\+Arrow.*|\?|[0-9]| )$/;
const bindings = [];
let own = readOwn();
let prefix = "";
let prefixTimer = 0;

/* keys: names as printed by event.key, "Shift+E", "Ctrl+Shift+Z" (the command key of a Mac is Ctrl) and "g q" allowed; `says` is a word id for the help.
   A binding whose `when` is false leaves the key to the browser. Two bindings of one key in one scope are a mistake, as is one of a scope and everywhere. */
export function bind({ scope, keys, says, run, when = () => true, typing = false }) {
  for (const key of keys) {
    const other = ownerOf(key, scope);
    if (other?.usual.includes(key)) throw new Error(`key ${key} is bound twice in ${scope}`);
    if (other) forget(other); // chosen where this binding was not there to object
  }
  const binding = { scope, usual: keys, says, run, when, typing };
  if (keysOf(binding).some((key) => ownerOf(key, scope))) forget(binding);
  bindings.push(binding);
}

const meets = (a, b) => a === b || [a, b].includes("global");
const ownerOf = (key, scope, except = null) => bindings.find((other) => other !== except && meets(other.scope, scope) && keysOf(other).includes(key));
const nameIn = ({ scope, says }) => `${scope} ${says}`;
const keysOf = (binding) => (own[nameIn(binding)] ? [own[nameIn(binding)]] : binding.usual);

export function registered() {
  return bindings.map((b) => ({ scope: b.scope, keys: keysOf(b), says: b.says }));
}

function readOwn() {
  try {
    return JSON.parse(localStorage.getItem(STORED.own)) ?? {};
  } catch {
    return {};
  }
}

function keepOwn() {
  localStorage.setItem(STORED.own, JSON.stringify(own));
  showOnButtons();
}

function forget(binding) {
  delete own[nameIn(binding)];
  keepOwn();
}

// One key that no browser owns and that is not the same everywhere can be another.
const isMovable = ({ usual }) => usual.length === 1 && !usual[0].includes(" ") && !FIXED.test(usual[0]);

/* Gives that binding another key, or says in a sentence why not. */
function move(binding, key) {
  const other = ownerOf(key, binding.scope, binding);
  if (FIXED.test(key) || RESERVED.includes(key)) return say("keys.reserved", { key });
  if (other) return say("keys.taken", { key, what: say(other.says) });
  if (bindings.some((b) => keysOf(b).some((one) => one.startsWith(`${key} `)))) return say("keys.taken", { key, what: say("keys.begins_others") });
  own[nameIn(binding)] = key;
  keepOwn();
  return "";
}

export function start() {
  document.addEventListener("keydown", onKeydown);
  for (const link of document.querySelectorAll("[data-go]")) {
    const says = { u: "keys.go_upload", q: "keys.go_tasks", d: "keys.go_documents", r: "keys.go_results", o: "keys.go_ops", y: "keys.go_quality" };
    bind({ scope: "global", keys: [`g ${link.dataset.go}`], says: says[link.dataset.go], run: () => link.click() });
  }
  const documents = document.querySelector("[data-go=d]");
  if (documents) bind({ scope: "global", keys: ["g u"], says: "keys.go_upload", run: () => goUpload(documents) });
  const search = document.querySelector("[data-search]");
  if (search) bind({ scope: "global", keys: ["/"], says: "keys.search", run: () => search.focus() });
  startHelp();
  showOnButtons();
}

function goUpload(documents) {
  const choose = document.querySelector("[data-choose]");
  if (choose) choose.focus();
  else documents.click();
}

function onKeydown(event) {
  // Enter that confirms a candidate of an input method is not a command; macOS reports it as 229.
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
  if (event.altKey) return;
  const typing = event.target.matches?.(TYPING);
  const inDialog = document.querySelector("dialog[open]") !== null;
  const name = nameOf(event);
  const sequence = prefix && `${prefix} ${name}`;
  forgetPrefix();
  const fits = (b, wanted) => keysOf(b).includes(wanted) && (!typing || b.typing) && (b.scope === "dialog") === inDialog;
  const find = (wanted) => (allowed(wanted) ? bindings.find((b) => fits(b, wanted) && b.when(event)) : undefined);
  const digit = event.shiftKey && /^Digit\d$/.test(event.code) ? `Shift+${event.code.at(-1)}` : ""; // what Shift makes of it depends on the keyboard
  const ended = sequence && find(sequence);
  const found = ended || find(name) || (digit && find(digit));
  if (found) {
    event.preventDefault();
    found.run(event);
  }
  const begins = (b) => (b.scope === "dialog") === inDialog && keysOf(b).some((key) => key.startsWith(`${name} `));
  if (!typing && !ended && allowed(name) && bindings.some(begins)) {
    prefix = name;
    prefixTimer = setTimeout(forgetPrefix, SEQUENCE_MS);
  }
}

export function nameOf(event) {
  const chord = event.ctrlKey || event.metaKey;
  if (chord) return `Ctrl+${event.shiftKey ? "Shift+" : ""}${event.key.length === 1 ? event.key.toUpperCase() : event.key}`;
  const letter = event.key.length === 1 && event.key.toLowerCase() !== event.key.toUpperCase();
  if (letter) return event.shiftKey ? `Shift+${event.key.toUpperCase()}` : event.key.toLowerCase();
  return event.key;
}

function forgetPrefix() {
  clearTimeout(prefixTimer);
  prefix = "";
}

// Single-letter keys can be switched off in the help (WCAG 2.1.4); named keys and the help itself stay.
function allowed(wanted) {
  const named = /^(Ctrl\+|Arrow|Enter|Escape|Home|End|Page|Delete)/.test(wanted);
  return named || wanted === "?" || localStorage.getItem(STORED.single) !== "off";
}

function startHelp() {
  const dialog = document.getElementById("keys-dialog");
  if (!dialog) return;
  const filter = dialog.querySelector("[data-keys-filter]");
  const single = dialog.querySelector("[data-keys-single]");
  const open = () => {
    single.checked = localStorage.getItem(STORED.single) !== "off";
    filter.value = "";
    fill(dialog, "");
    dialog.showModal();
  };
  bind({ scope: "global", keys: ["?"], says: "keys.help", run: open, when: () => !dialog.open });
  document.querySelector("[data-keys-help]")?.addEventListener("click", open);
  filter.addEventListener("input", () => fill(dialog, filter.value.trim().toLowerCase()));
  dialog.querySelector("[data-keys-reset]").addEventListener("click", () => {
    own = {};
    keepOwn();
    fill(dialog, filter.value.trim().toLowerCase());
  });
  single.addEventListener("change", () => localStorage.setItem(STORED.single, single.checked ? "on" : "off"));
}

function fill(dialog, wanted) {
  const list = dialog.querySelector("[data-keys-list]");
  list.replaceChildren();
  for (const scope of new Set(bindings.map((b) => b.scope))) {
    const lines = bindings.filter((b) => b.scope === scope && `${say(b.says)} ${keysOf(b).join(" ")}`.toLowerCase().includes(wanted));
    if (!lines.length) continue;
    const title = document.createElement("h3");
    title.textContent = say(`scope.${scope}`);
    list.append(title, ...lines.map((binding) => line(binding, dialog)));
  }
  if (!list.childElementCount) list.textContent = say("keys.none");
}

function line(binding, dialog) {
  const element = document.createElement("div");
  element.className = "keys-line";
  const words = document.createElement("span");
  words.textContent = say(binding.says);
  element.append(words, ...(isMovable(binding) ? [mover(binding, dialog)] : keysOf(binding).flatMap((key) => key.split(" ")).flatMap(caps)));
  return element;
}

function caps(key) {
  return key.split(/(?<=.)\+/).map((part) => {
    const cap = document.createElement("kbd");
    cap.className = "key";
    cap.textContent = CAPS[part] ?? (part === "Shift" ? "⇧" : part.length === 1 ? part.toUpperCase() : part);
    return cap;
  });
}

/* The caps as a button: press it, then the key that it shall be from now on. */
function mover(binding, dialog) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-quiet btn-28";
  button.setAttribute("aria-label", say("keys.change", { what: say(binding.says), key: caps(keysOf(binding)[0]).map((cap) => cap.textContent).join(" ") }));
  button.append(...caps(keysOf(binding)[0]));
  button.addEventListener("click", () => {
    button.textContent = say("keys.press");
    const done = (said) => {
      button.removeEventListener("keydown", take);
      button.removeEventListener("blur", leave);
      dialog.querySelector("[data-keys-said]").textContent = said;
      button.replaceChildren(...caps(keysOf(binding)[0]));
    };
    const leave = () => done("");
    const take = (event) => {
      if (event.isComposing || ["Shift", "Control", "Meta", "Alt"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      done(event.key === "Escape" ? "" : move(binding, nameOf(event)));
    };
    button.addEventListener("keydown", take);
    button.addEventListener("blur", leave);
  });
  return button;
}

/* Buttons show the key that works: those made for the usual one get the person's own. */
export function showOnButtons(root = document) {
  const aria = (key) => key.replace("Ctrl+", "Control+");
  for (const element of root.querySelectorAll("[aria-keyshortcuts]")) {
    element.dataset.usualKey ??= element.getAttribute("aria-keyshortcuts");
    const binding = bindings.find((b) => isMovable(b) && aria(b.usual[0]) === element.dataset.usualKey);
    const key = binding && keysOf(binding)[0];
    if (!key || aria(key) === element.getAttribute("aria-keyshortcuts")) continue;
    element.setAttribute("aria-keyshortcuts", aria(key));
    const shown = [...element.querySelectorAll("kbd.key")];
    shown[0]?.replaceWith(...caps(key));
    for (const cap of shown.slice(1)) cap.remove();
  }
}
