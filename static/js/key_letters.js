/* Single-letter keys, which a person may switch off in the help (WCAG 2.1.4); named keys and the help itself stay. */
import { keep, kept } from "./keeping.js";

const STORED = "single-letter-keys";
const NAMED = /^(Ctrl\+|Arrow|Enter|Escape|Home|End|Page|Delete|Backspace|Tab|F\d)/;

export const areLettersOn = () => kept(STORED) !== "off";

/** @type {(on: boolean) => void} */
export const switchLetters = (on) => void keep(STORED, on ? "on" : "off");

/** @type {(key: string) => boolean} */
export const isAllowed = (key) => NAMED.test(key) || key === "?" || areLettersOn();
