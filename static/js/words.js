/* The page's sentences for scripts, translated by the server. */
const block = document.getElementById("words");
const WORDS = block ? JSON.parse(block.textContent) : {};

export function say(id, values = {}) {
  return (WORDS[id] ?? id).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
