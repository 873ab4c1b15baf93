/* The element that a template promises: where it is missing, or another kind, that is said at once and by name. */

/** @type {(found: Element | null, kind: HtmlKind<Element>, name: string) => Element} */
function promised(found, kind, name) {
  if (found instanceof kind) return found;
  throw new TypeError(found ? `${name} is no ${kind.name}` : `${name} is not there`);
}

/** @type {(root: ParentNode, selector: string, kind?: HtmlKind<Element>) => Element} */
const find = (root, selector, kind = Element) => promised(root.querySelector(selector), kind, selector);

/** @type {(id: string, kind?: HtmlKind<Element>) => Element} */
const findById = (id, kind = Element) => promised(document.getElementById(id), kind, `#${id}`);

/** @type {(root: ParentNode, selector: string, kind: HtmlKind<Element>) => Element[]} */
const findAll = (root, selector, kind) => [...root.querySelectorAll(selector)].map((found) => promised(found, kind, selector));

export const the = /** @type {FindsOne} */ (find);
export const byId = /** @type {FindsById} */ (findById);
export const all = /** @type {FindsAll} */ (findAll);

/** A copy of what this template of the page holds.
   @type {(id: string) => HTMLElement} */
export function clone(id) {
  return /** @type {HTMLElement} */ (the(byId(id, HTMLTemplateElement).content, "*").cloneNode(true));
}
