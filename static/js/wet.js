/* Wet ink: what a live event changed is tinted, and dries. All of it dries at the same few ticks: beside 2000 tiles a frame costs
   tens of milliseconds, and an animation asks for sixty of them a second. */

const TICK_MS = 300;
const TICKS = 7; // where motion is reduced the mark stays for 2 s
const TINTS = 4; // for 1.2 s
/** @type {Map<HTMLElement, number>} */
const drying = new Map(); // how many ticks an element has left
let clock = 0;

/** @type {(element: HTMLElement) => void} */
export function wet(element) {
  drying.set(element, TICKS);
  show(element, TICKS);
  clock ||= setInterval(dry, TICK_MS);
}

function dry() {
  for (const [element, before] of drying) {
    const left = before - 1;
    if (left) drying.set(element, left);
    else drying.delete(element);
    show(element, left);
  }
  if (drying.size) return;
  clearInterval(clock);
  clock = 0;
}

/** @type {(element: HTMLElement, left: number) => void} */
function show(element, left) {
  const tint = String(Math.max(0, left - TICKS + TINTS));
  if (!left) delete element.dataset.wet;
  else if (element.dataset.wet !== tint) element.dataset.wet = tint;
}
