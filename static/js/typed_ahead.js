/* Keys that are pressed while what was sent is on its way wait, and are pressed where that leads: whoever types fast decides on
   the next field, and nothing twice on this one. */

// Of a key that a control takes: what the browser would do, as far as it can be done for it.
/** @type {(control: Element | null, key: string, back: boolean) => boolean} */
function type(control, key, back) {
  if (key === "Tab") return step(control, back);
  if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) return true;
  if (key === "Enter") control.form?.requestSubmit();
  else if (key === "Backspace") return erase(control);
  else if (key.length === 1) put(control, key);
  else return false;
  return true;
}

/** Inside its form, beyond which nobody types without looking.
   @type {(control: Element | null, back: boolean) => boolean} */
function step(control, back) {
  const form = control?.closest("form");
  if (!form) return false;
  const reached = [...form.elements].filter((one) => one instanceof HTMLElement && one.tabIndex >= 0 && one.checkVisibility());
  const next = reached[reached.indexOf(/** @type {Element} */ (control)) + (back ? -1 : 1)];
  if (next instanceof HTMLElement) next.focus();
  if (next instanceof HTMLInputElement) next.select();
  return next !== undefined;
}

/** @type {(control: HTMLInputElement | HTMLTextAreaElement) => boolean} */
function erase(control) {
  const { selectionStart: start, selectionEnd: end } = control;
  if (start !== null && start === end) control.setSelectionRange(Math.max(0, start - 1), start);
  put(control, "");
  return true;
}

/** @type {(control: HTMLInputElement | HTMLTextAreaElement, text: string) => void} */
function put(control, text) {
  const { value, selectionStart, selectionEnd } = control;
  control.setRangeText(text, selectionStart ?? value.length, selectionEnd ?? value.length, "end");
  control.dispatchEvent(new InputEvent("input", { bubbles: true, data: text, inputType: "insertText" }));
}

export class TypedAhead {
  constructor() {
    /** @type {{ key: string, shiftKey: boolean }[] | null} */
    this.waiting = null;
  }

  start() {
    window.addEventListener("keydown", (event) => this.keep(event), true); // before every other one
  }

  /** What was sent is on its way: keys wait. */
  hold() {
    this.waiting ??= [];
  }

  /** It was refused or is lost: what was typed for the next field is not for this one. */
  drop() {
    this.waiting = null;
  }

  /** It has arrived, and the focus is where it leads. A key that sends something lets the others wait again; one that cannot be
     made for the person ends it. */
  release() {
    const keys = this.waiting ?? [];
    this.waiting = null;
    for (const [n, { key, shiftKey }] of keys.entries()) {
      const control = document.activeElement;
      const pressed = new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true });
      if ((control ?? document.body).dispatchEvent(pressed) && !type(control, key, shiftKey)) return;
      if (this.waiting) {
        this.waiting = [...keys.slice(n + 1)];
        return;
      }
    }
  }

  /** @type {(event: KeyboardEvent) => void} */
  keep(event) {
    const isMeant = event.isTrusted && !event.isComposing && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!this.waiting || !isMeant || event.key === "Shift") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) this.waiting.push({ key: event.key, shiftKey: event.shiftKey });
  }
}
