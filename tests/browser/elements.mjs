/* Elements as far as modules that show something ask for them: each selector finds one of its own, but for those that `lacks` names. */
import { page } from "./stage.mjs";

export class FakeElement extends EventTarget {
  dataset = {};
  style = {};
  attributes = new Map();
  classes = new Set();
  children = [];
  found = new Map();
  lists = new Map();
  lacks = new Set();
  textContent = "";
  hidden = false;
  disabled = false;
  open = false;
  value = "";
  isFocused = false;
  classList = {
    add: (name) => this.classes.add(name),
    remove: (name) => this.classes.delete(name),
    contains: (name) => this.classes.has(name),
    toggle: (name, on = !this.classes.has(name)) => (on ? this.classes.add(name) : this.classes.delete(name)),
    [Symbol.iterator]: () => [...this.classes][Symbol.iterator](),
  };

  querySelector(selector) {
    if (this.lacks.has(selector)) return null;
    if (!this.found.has(selector)) this.found.set(selector, new FakeElement());
    return this.found.get(selector);
  }

  querySelectorAll(selector) {
    return this.lists.get(selector) ?? [];
  }

  closest() {
    return null;
  }

  contains(other) {
    return other === this || this.children.includes(other);
  }

  matches() {
    return false;
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  toggleAttribute(name, on) {
    if (on) this.attributes.set(name, "");
    else this.attributes.delete(name);
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  remove() {
    this.isRemoved = true;
  }

  focus() {
    this.isFocused = true;
  }
}

for (const kind of ["HTMLElement", "HTMLButtonElement", "HTMLInputElement", "HTMLDialogElement", "HTMLFormElement", "HTMLSelectElement", "SVGElement"]) globalThis[kind] = FakeElement;
page.createElement = () => new FakeElement();
page.createElementNS = () => new FakeElement();
page.body = new FakeElement();
