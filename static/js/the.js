/* The element that a template promises: where it is missing, or another kind, that is said at once and by name. */
// @ts-check

/** @type {(root: ParentNode, selector: string, kind?: HtmlKind<Element>) => Element} */
function find(root, selector, kind = Element) {
  const found = root.querySelector(selector);
  if (found instanceof kind) return found;
  throw new TypeError(found ? `${selector} is no ${kind.name}` : `${selector} is not there`);
}

export const the = /** @type {FindsOne} */ (find);
