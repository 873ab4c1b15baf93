/* Focus is never lost: where its element is taken away, hidden or switched off, it goes to what took its place, or to the part around it. */

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const SWITCHES = ["disabled", "hidden", "open"];
/** @type {[element: Element, place: number][]} */
let trail = []; // the focused element and what it stood in, with each one's place among its siblings, from inside out
let looking = 0;

export function start() {
  document.addEventListener("focusin", (event) => (trail = trailOf(event.target)));
  document.addEventListener("focusout", (event) => queueMicrotask(() => leave(event.target)));
  const observer = new MutationObserver(() => (looking ||= requestAnimationFrame(look)));
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: SWITCHES });
}

/** @type {(element: Element) => [element: Element, place: number][]} */
function trailOf(element) {
  /** @type {[Element, number][]} */
  const found = [];
  for (let at = /** @type {Element | null} */ (element); at && at !== document.body; at = at.parentElement) found.push([at, at.parentElement ? [...at.parentElement.children].indexOf(at) : -1]);
  return found;
}

// A person who presses beside everything has left by their own wish.
/** @type {(element: Element) => void} */
function leave(element) {
  if (trail[0]?.[0] === element && canHold(element)) trail = [];
}

function look() {
  looking = 0;
  const now = document.activeElement;
  if (!trail.length || (now && now !== document.body && isUsable(now))) return; // one that was just hidden is left by the browser a frame later
  const standing = trail.findIndex(([element]) => element.isConnected);
  const place = successor(standing) ?? trail.slice(Math.max(standing, 0)).map(([element]) => element).find(canHold) ?? document.getElementById("main");
  if (place instanceof HTMLElement || place instanceof SVGElement) place.focus({ preventScroll: true });
}

/** What stands where the element stood, in the innermost part of the page that is still there.
   @type {(standing: number) => Element | undefined} */
function successor(standing) {
  if (standing < 1) return undefined;
  /** @type {Element | undefined} */
  let at = trail[standing][0];
  for (const [, n] of trail.slice(0, standing).reverse()) at = at?.children[n];
  return at && at.tagName === trail[0][0].tagName && canHold(at) ? at : undefined;
}

/** @type {(element: Element) => boolean} */
const isUsable = (element) => element.isConnected && !("disabled" in element && element.disabled) && element.checkVisibility({ visibilityProperty: true });
/** @type {(element: Element) => boolean} */
const canHold = (element) => element.matches(FOCUSABLE) && isUsable(element);
