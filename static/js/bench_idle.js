/* Nobody at the keys: warned in time, one key goes on, else the task is handed back with its draft (TA-IDLE). */
import { the } from "./the.js";
import { say } from "./words.js";

const CHECK_MS = 1000;
const WARNED_S = 60;
const SIGNS = ["pointerdown", "pointermove", "wheel", "input"];

export class Idle {
  /** `limit_s` without input, then `ended()`; only while `isOn()`.
     @param {HTMLDialogElement} dialog
     @param {number} limit_s
     @param {{ isOn: () => boolean, ended: () => unknown }} when */
  constructor(dialog, limit_s, { isOn, ended }) {
    this.dialog = dialog;
    this.limit_s = limit_s;
    this.isOn = isOn;
    this.ended = ended;
    this.seenAt = Date.now();
  }

  start() {
    this.seenAt = Date.now();
    for (const sign of SIGNS) addEventListener(sign, () => this.sign(), { capture: true, passive: true });
    addEventListener("keydown", (event) => this.key(event), { capture: true });
    setInterval(() => this.check(), CHECK_MS);
  }

  /** The key that goes on does nothing else.
     @type {(event: KeyboardEvent) => void} */
  key(event) {
    if (this.dialog.open) event.preventDefault();
    this.sign();
  }

  sign() {
    this.seenAt = Date.now();
    if (this.dialog.open) this.dialog.close();
  }

  check() {
    if (!this.isOn()) return this.sign();
    const left_s = Math.ceil(this.limit_s - (Date.now() - this.seenAt) / 1000);
    if (left_s > Math.min(WARNED_S, this.limit_s / 2)) return;
    if (left_s <= 0) {
      this.sign();
      this.ended();
      return;
    }
    the(this.dialog, "[data-idle-words]").textContent = say("bench.idle", { n: left_s });
    if (!this.dialog.open) this.dialog.showModal();
  }
}
