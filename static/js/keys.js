/* One registry of keys for the whole page: scopes, sequences, the guard for input methods, and the help dialog. */
import { say } from "./words.js";

const STORED = "single-letter-keys";
const SEQUENCE_MS = 1200;
const TYPING = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]";
const ARROWS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
const bindings = [];
let prefix = "";
let prefixTimer = 0;

/* keys: names as printed by event.key, "Shift+E", "Ctrl+Shift+Z" (the command key of a Mac is Ctrl) and "g q" allowed; `says` is a word id for the help.
   A binding whose `when` is false leaves the key to the browser. Two bindings of one key in one scope are a mistake. */
export function bind({ scope, keys, says, run, when = () => true, typing = false }) {
  for (const key of keys) {
    if (bindings.some((other) => other.scope === scope && other.keys.includes(key))) {
      throw new Error(`key ${key} is bound twice in ${scope}`);
    }
  }
  bindings.push({ scope, keys, says, run, when, typing });
}

export function registered() {
  return bindings.map(({ scope, keys, says }) => ({ scope, keys, says }));
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
  const wanted = prefix ? `${prefix} ${name}` : name;
  forgetPrefix();
  const fits = (b) => b.keys.includes(wanted) && (!typing || b.typing) && (b.scope === "dialog") === inDialog;
  const found = allowed(wanted) ? bindings.find((b) => fits(b) && b.when(event)) : undefined;
  if (found) {
    event.preventDefault();
    found.run(event);
  } else if (!typing && allowed(name) && bindings.some((b) => b.keys.some((key) => key.startsWith(`${name} `)))) {
    prefix = name;
    prefixTimer = setTimeout(forgetPrefix, SEQUENCE_MS);
  }
}

function nameOf(event) {
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
  return named || wanted === "?" || localStorage.getItem(STORED) !== "off";
}

function startHelp() {
  const dialog = document.getElementById("keys-dialog");
  if (!dialog) return;
  const filter = dialog.querySelector("[data-keys-filter]");
  const single = dialog.querySelector("[data-keys-single]");
  const open = () => {
    single.checked = localStorage.getItem(STORED) !== "off";
    filter.value = "";
    fill(dialog, "");
    dialog.showModal();
  };
  bind({ scope: "global", keys: ["?"], says: "keys.help", run: open, when: () => !dialog.open });
  document.querySelector("[data-keys-help]")?.addEventListener("click", open);
  filter.addEventListener("input", () => fill(dialog, filter.value.trim().toLowerCase()));
  single.addEventListener("change", () => localStorage.setItem(STORED, single.checked ? "on" : "off"));
}

function fill(dialog, wanted) {
  const list = dialog.querySelector("[data-keys-list]");
  list.replaceChildren();
  for (const scope of new Set(bindings.map((b) => b.scope))) {
    const lines = bindings.filter((b) => b.scope === scope && `${say(b.says)} ${b.keys.join(" ")}`.toLowerCase().includes(wanted));
    if (!lines.length) continue;
    const title = document.createElement("h3");
    title.textContent = say(`scope.${scope}`);
    list.append(title, ...lines.map(line));
  }
  if (!list.childElementCount) list.textContent = say("keys.none");
}

function line(binding) {
  const element = document.createElement("div");
  element.className = "keys-line";
  const words = document.createElement("span");
  words.textContent = say(binding.says);
  const caps = binding.keys.flatMap((key) => key.split(" ")).map((key) => {
    const cap = document.createElement("kbd");
    cap.className = "key";
    cap.textContent = ARROWS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
    return cap;
  });
  element.append(words, ...caps);
  return element;
}
