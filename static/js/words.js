/* The page's sentences for scripts, translated by the server. */

const block = document.getElementById("words");
/** @type {Record<string, string>} */
const WORDS = block ? JSON.parse(block.textContent) : {};

/** @type {(id: string, values?: Record<string, string | number | undefined>) => string} */
export function say(id, values = {}) {
  return (WORDS[id] ?? id).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
