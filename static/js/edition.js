/* Keys of an edition's changes: x takes the row in or leaves it out, Shift+A approves. */
import { bind } from "./key_registry.js";

/** @type {(table: HTMLTableElement) => void} */
export function start(table) {
  const toggle = () => table.querySelector("tr.at [data-toggle]");
  const approve = () => document.querySelector("[data-approve]:not(:disabled)");
  bind({ scope: "list", keys: ["x"], says: "keys.in_or_out", run: () => toggle()?.click(), when: () => toggle() !== null });
  bind({ scope: "list", keys: ["Shift+A"], says: "keys.approve", run: () => approve()?.click(), when: () => approve() !== null });
}
