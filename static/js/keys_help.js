/* The help: every key that does something here, and those that may be another as buttons. */
import { areLettersOn, switchLetters } from "./key_letters.js";
import { bind, bindings, forgetAll, isMovable, keysOf, move, nameOf } from "./key_registry.js";
import { byId, the } from "./the.js";
import { say } from "./words.js";

/** @type {Record<string, string>} */
const CAPS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Enter: "↵", Delete: "Del", Escape: "Esc", Shift: "⇧" };

export function startHelp() {
  if (!document.getElementById("keys-dialog")) return;
  const dialog = byId("keys-dialog", HTMLDialogElement);
  const filter = the(dialog, "[data-keys-filter]", HTMLInputElement);
  const single = the(dialog, "[data-keys-single]", HTMLInputElement);
  const open = () => {
    single.checked = areLettersOn();
    filter.value = "";
    fill(dialog, "");
    dialog.showModal();
  };
  bind({ scope: "global", keys: ["?"], says: "keys.help", run: open, when: () => !dialog.open });
  document.querySelector("[data-keys-help]")?.addEventListener("click", open);
  filter.addEventListener("input", () => fill(dialog, filter.value.trim().toLowerCase()));
  the(dialog, "[data-keys-reset]").addEventListener("click", () => {
    forgetAll();
    fill(dialog, filter.value.trim().toLowerCase());
  });
  single.addEventListener("change", () => switchLetters(single.checked));
}

/** @type {(dialog: HTMLDialogElement, wanted: string) => void} */
function fill(dialog, wanted) {
  const list = the(dialog, "[data-keys-list]");
  list.replaceChildren();
  for (const scope of new Set(bindings.map((binding) => binding.scope))) {
    const lines = bindings.filter((binding) => binding.scope === scope && `${say(binding.says)} ${keysOf(binding).join(" ")}`.toLowerCase().includes(wanted));
    if (!lines.length) continue;
    const title = document.createElement("h3");
    title.textContent = say(`scope.${scope}`);
    list.append(title, ...lines.map((binding) => line(binding, dialog)));
  }
  if (!list.childElementCount) list.textContent = say("keys.none");
}

/** @type {(binding: Binding, dialog: HTMLDialogElement) => HTMLElement} */
function line(binding, dialog) {
  const element = document.createElement("div");
  element.className = "keys-line";
  const words = document.createElement("span");
  words.textContent = say(binding.says);
  element.append(words, ...(isMovable(binding) ? [mover(binding, dialog)] : keysOf(binding).flatMap((key) => key.split(" ")).flatMap(caps)));
  return element;
}

/** @type {(key: string) => HTMLElement[]} */
export function caps(key) {
  return key.split(/(?<=.)\+/).map((part) => {
    const cap = document.createElement("kbd");
    cap.className = "key";
    cap.textContent = CAPS[part] ?? (part.length === 1 ? part.toUpperCase() : part);
    return cap;
  });
}

/** The caps as a button: press it, then the key that it shall be from now on.
   @type {(binding: Binding, dialog: HTMLDialogElement) => HTMLElement} */
function mover(binding, dialog) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-quiet btn-28";
  button.setAttribute("aria-label", say("keys.change", { what: say(binding.says), key: caps(keysOf(binding)[0]).map((cap) => cap.textContent).join(" ") }));
  button.append(...caps(keysOf(binding)[0]));
  button.addEventListener("click", () => {
    button.textContent = say("keys.press");
    /** @type {(said: string) => void} */
    const done = (said) => {
      button.removeEventListener("keydown", take);
      button.removeEventListener("blur", leave);
      the(dialog, "[data-keys-said]").textContent = said;
      button.replaceChildren(...caps(keysOf(binding)[0]));
    };
    const leave = () => done("");
    /** @type {(event: KeyboardEvent) => void} */
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
