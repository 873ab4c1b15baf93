/* What this browser keeps for the product. It may be full, forbidden or private: then nothing breaks, and it is told once. */
import { toast } from "./toasts.js";
import { say } from "./words.js";

let isTold = false;

/** @type {(kind: "localStorage" | "sessionStorage", use: (box: Storage) => string | null | void) => string | null | undefined} */
function within(kind, use) {
  try {
    return use(globalThis[kind]) ?? null;
  } catch {
    return undefined; // full, or not allowed
  }
}

/** @type {(key: string, kind?: "localStorage" | "sessionStorage") => string | null} */
export const kept = (key, kind = "localStorage") => within(kind, (box) => box.getItem(key)) ?? null;

/** Whether it is kept; where it is not, the person is told, once a page.
   @type {(key: string, text: string, kind?: "localStorage" | "sessionStorage") => boolean} */
export function keep(key, text, kind = "localStorage") {
  const isKept = within(kind, (box) => box.setItem(key, text)) !== undefined;
  if (!isKept && !isTold) {
    isTold = true;
    toast(say("keeping.not"), "person");
  }
  return isKept;
}

/** @type {(key: string, kind?: "localStorage" | "sessionStorage") => void} */
export const drop = (key, kind = "localStorage") => void within(kind, (box) => box.removeItem(key));

/* Whether something of the size of a draft can be kept at all. */
export function canKeep() {
  const probe = "probe";
  const isKept = within("localStorage", (box) => box.setItem(probe, "x".repeat(4096))) !== undefined;
  drop(probe);
  return isKept;
}
