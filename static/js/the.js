/* The element that a template promises: where it is missing, or another kind, that is said at once and by name. */

/** @type {(root: ParentNode, selector: string, kind?: HtmlKind<Element>) => Element} */
function find(root, selector, kind = Element) {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new TypeError(`${selector} is ${found ? `a ${found.tagName}` : "not there"}`);
  return found;
}

export const the = /** @type {FindsOne} */ (find);
