/* Keys of the whole page as they are pressed: scopes, sequences, and the guard for input methods. */
import { isAllowed } from "./key_letters.js";
import { bind, bindings, isMovable, keysOf, nameOf, whenChanged } from "./key_registry.js";
import { caps, startHelp } from "./keys_help.js";

const SEQUENCE_MS = 1200;
const TYPING = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]";
// Letter after g -> what the help says of where it goes.
/** @type {Record<string, string>} */
const PLACES = { u: "keys.go_upload", q: "keys.go_tasks", d: "keys.go_documents", r: "keys.go_results", o: "keys.go_ops", y: "keys.go_quality", s: "keys.go_studies" };
let prefix = "";
/** @type {Timer} */
let prefixTimer = 0;

export function start() {
  document.addEventListener("keydown", onKeydown);
  for (const link of document.querySelectorAll("[data-go]")) {
    const letter = link.dataset.go ?? "";
    bind({ scope: "global", keys: [`g ${letter}`], says: PLACES[letter], run: () => link.click() });
  }
  const documents = document.querySelector("[data-go=d]");
  if (documents) bind({ scope: "global", keys: ["g u"], says: "keys.go_upload", run: () => goUpload(documents) });
  const search = document.querySelector("[data-search]");
  if (search) bind({ scope: "global", keys: ["/"], says: "keys.search", run: () => search.focus() });
  startHelp();
  whenChanged(showOnButtons);
  showOnButtons();
}

/** @type {(documents: HTMLElement) => void} */
function goUpload(documents) {
  const choose = document.querySelector("[data-choose]");
  if (choose) choose.focus();
  else documents.click();
}

/** @type {(event: KeyPress) => void} */
function onKeydown(event) {
  // Enter that confirms a candidate of an input method is not a command; macOS reports it as 229.
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
  if (event.altKey) return;
  const typing = event.target.matches?.(TYPING);
  const inDialog = document.querySelector("dialog[open]") !== null;
  const name = nameOf(event);
  const sequence = prefix && `${prefix} ${name}`;
  forgetPrefix();
  /** @type {(binding: Binding, wanted: string) => boolean} */
  const fits = (binding, wanted) => keysOf(binding).includes(wanted) && (!typing || binding.typing) && (binding.scope === "dialog") === inDialog;
  /** @type {(wanted: string) => Binding | undefined} */
  const find = (wanted) => (isAllowed(wanted) ? bindings.find((binding) => fits(binding, wanted) && binding.when(event)) : undefined);
  const digit = event.shiftKey && /^Digit\d$/.test(event.code) ? `Shift+${event.code.at(-1)}` : ""; // what Shift makes of it depends on the keyboard
  const ended = sequence ? find(sequence) : undefined;
  const found = ended ?? find(name) ?? (digit ? find(digit) : undefined);
  if (found) {
    event.preventDefault();
    found.run(event);
  }
  /** @type {(binding: Binding) => boolean} */
  const begins = (binding) => (binding.scope === "dialog") === inDialog && keysOf(binding).some((key) => key.startsWith(`${name} `));
  if (!typing && !ended && isAllowed(name) && bindings.some(begins)) {
    prefix = name;
    prefixTimer = setTimeout(forgetPrefix, SEQUENCE_MS);
  }
}

function forgetPrefix() {
  clearTimeout(prefixTimer);
  prefix = "";
}

/** Buttons show the key that works: those made for the usual one get the person's own.
   @type {(root?: ParentNode) => void} */
export function showOnButtons(root = document) {
  /** @type {(key: string) => string} */
  const aria = (key) => key.replace("Ctrl+", "Control+");
  for (const element of root.querySelectorAll("[aria-keyshortcuts]")) {
    element.dataset.usualKey ??= element.getAttribute("aria-keyshortcuts") ?? "";
    const binding = bindings.find((known) => isMovable(known) && aria(known.usual[0]) === element.dataset.usualKey);
    const key = binding && keysOf(binding)[0];
    if (!key || aria(key) === element.getAttribute("aria-keyshortcuts")) continue;
    element.setAttribute("aria-keyshortcuts", aria(key));
    const shown = [...element.querySelectorAll("kbd.key")];
    shown[0]?.replaceWith(...caps(key));
    for (const cap of shown.slice(1)) cap.remove();
  }
}
