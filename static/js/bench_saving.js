/* Keeps what is typed: on this device at once, on the server at every pause, and says how far that is (X-DRAFT). */
import { drop, keep, kept as keptText } from "./keeping.js";

const PAUSE_MS = 800;
// Who types without a pause is not kept waiting for one: at most two seconds of typing may be lost with the machine.
const LONGEST_MS = 1000;
const AGAIN_MS = 3000;

export class Saving {
  /** `show(state, at)`: saved, typing, saving, offline, signin, failed, or unkept where this device has no copy; `stale()`: the lock is not ours any more;
     `checked(problems)`: what the server says to the newest of what was typed.
     @param {{ commands: Pick<Commands, "send" | "task">, user: string, seq: number, pageVersion: string, show: (state: SavingState, detail?: Date | string) => void, stale: () => void, checked: (problems: Problem[]) => void }} parts */
  constructor({ commands, user, seq, pageVersion, show, stale, checked }) {
    this.commands = commands;
    this.seq = seq;
    this.pageVersion = pageVersion;
    this.show = show;
    this.stale = stale;
    this.checked = checked;
    this.key = localKey(user, commands.task);
    /** @type {(Draft & { token: number }) | null} */
    this.waiting = null;
    /** @type {Promise<Answer> | null} */
    this.sending = null;
    this.keptHere = false;
    /** @type {number | null} */
    this.changedAt = null; // the first change that has not been sent
    /** @type {Timer} */
    this.timer = 0;
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.flush({ leaving: true }));
    addEventListener("pagehide", () => this.flush({ leaving: true }));
    addEventListener("online", () => this.flush());
    document.addEventListener("session:renewed", () => this.flush());
    addEventListener("beforeunload", (event) => this.isAtRisk() && event.preventDefault());
  }

  /** @type {(state: DraftState, token: number) => void} */
  change(state, token) {
    this.seq += 1;
    this.changedAt ??= performance.now();
    this.waiting = { seq: this.seq, page_version: this.pageVersion, state, token };
    this.keptHere = keepHere(this.key, this.waiting);
    this.show(this.keptHere ? "typing" : "unkept");
    this.later(Math.min(PAUSE_MS, Math.max(0, this.changedAt + LONGEST_MS - performance.now())));
  }

  /** Sends what waits, one at a time; resolves when nothing is under way.
     @type {(how?: { leaving?: boolean }) => Promise<void>} */
  async flush({ leaving = false } = {}) {
    clearTimeout(this.timer);
    while (this.sending) {
      if (leaving) break;
      await this.sending; // another that waited may have begun meanwhile
    }
    if (!this.waiting) return;
    const { token, ...draft } = this.waiting;
    this.changedAt = null;
    this.show("saving");
    this.sending = this.commands.send("draft", draft, { token, leaving });
    const answer = await this.sending;
    this.sending = null;
    this.acknowledge(draft, answer);
  }

  /** @type {(draft: Draft, answer: Answer) => void} */
  acknowledge(draft, answer) {
    if (!answer.ok) {
      const failing = answer.code === "offline" || answer.code === "signin" ? answer.code : "failed";
      this.show(this.keptHere ? failing : "unkept", answer.message);
      this.later(AGAIN_MS);
    } else if (answer.seq !== undefined && answer.seq > draft.seq && !answer.stale && this.waiting) {
      this.seq = answer.seq; // another tab was ahead; what is typed here, under the lock, is the newer
      this.change(this.waiting.state, this.waiting.token);
    } else if (this.waiting?.seq === draft.seq) {
      this.waiting = null;
      drop(this.key);
      this.show("saved", new Date());
    } else if (this.waiting) this.later(0);
    if (answer.ok && draft.seq === this.seq) this.checked(answer.problems ?? []);
    if (answer.stale) this.stale();
  }

  /** @type {(wait_ms: number) => void} */
  later(wait_ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), wait_ms);
  }

  /* The task is done: nothing of it is kept. */
  forget() {
    clearTimeout(this.timer);
    this.waiting = null;
    drop(this.key);
  }

  // Asked only where neither the server nor this device has it.
  isAtRisk() {
    return this.waiting !== null && !this.keptHere;
  }
}

/** @type {(user: string, task: string | undefined) => string} */
const localKey = (user, task) => `draft ${user} ${task}`;

/** @type {(key: string, draft: KeptDraft) => boolean} */
const keepHere = (key, draft) => keep(key, JSON.stringify(draft));

/** The newer of what this device and the server keep; `unsent` where the server does not have it yet.
   @type {(user: string, task: string, kept: Draft | null) => KeptDraft | null} */
export function newestDraft(user, task, kept) {
  const here = keptHere(localKey(user, task));
  if (here && here.seq > (kept?.seq ?? 0)) return { ...here, unsent: true };
  return kept;
}

/** @type {(key: string) => KeptDraft | null} */
function keptHere(key) {
  try {
    return JSON.parse(keptText(key) ?? "null");
  } catch {
    return null; // not readable
  }
}
