/* Focus is never lost: where its element is taken away, hidden or switched off, it goes to what took its place, or to the part around it. */
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const SWITCHES = ["disabled", "hidden", "open"];
let trail = []; // the focused element and what it stood in: [element, its place among its siblings], from inside out
let looking = 0;

export function start() {
  document.addEventListener("focusin", (event) => (trail = trailOf(event.target)));
  document.addEventListener("focusout", (event) => queueMicrotask(() => leave(event.target)));
  const observer = new MutationObserver(() => (looking ||= requestAnimationFrame(look)));
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: SWITCHES });
}

function trailOf(element) {
  const found = [];
  for (let at = element; at && at !== document.body; at = at.parentElement) found.push([at, at.parentElement ? [...at.parentElement.children].indexOf(at) : -1]);
  return found;
}

// A person who presses beside everything has left by their own wish.
function leave(element) {
  if (trail[0]?.[0] === element && canHold(element)) trail = [];
}

function look() {
  looking = 0;
  const now = document.activeElement;
  if (!trail.length || (now !== document.body && isUsable(now))) return; // one that was just hidden is left by the browser a frame later
  const standing = trail.findIndex(([element]) => element.isConnected);
  const place = successor(standing) ?? trail.slice(Math.max(standing, 0)).map(([element]) => element).find(canHold) ?? document.getElementById("main");
  place?.focus({ preventScroll: true });
}

/* What stands where the element stood, in the innermost part of the page that is still there. */
function successor(standing) {
  if (standing < 1) return undefined;
  let at = trail[standing][0];
  for (const [, n] of trail.slice(0, standing).reverse()) at = at?.children[n];
  return at && at.tagName === trail[0][0].tagName && canHold(at) ? at : undefined;
}

const isUsable = (element) => element.isConnected && !element.disabled && element.checkVisibility({ visibilityProperty: true });
const canHold = (element) => element.matches(FOCUSABLE) && isUsable(element);
