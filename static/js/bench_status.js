/* What the workbench says of itself: who holds the task, how far typing is kept, what went wrong. */
import { showPeople } from "./avatars.js";
import { clock } from "./clock.js";
import { setIcon } from "./icons.js";
import { the } from "./the.js";
import { say } from "./words.js";

// state of the lock -> tone, icon, sentence, button. What is not here shows no banner.
/** @type {Record<string, [tone: string, icon: string, words: string, button: string] | undefined>} */
const BANNERS = {
  free: ["acc", "unlock", "bench.free", "take"],
  other: ["person", "lock", "bench.held", "take_over"],
  other_tab: ["person", "lock", "bench.other_tab", "take_over"],
  escalated: ["person", "raise", "bench.escalated", "list"],
  closed: ["acc", "check", "bench.closed", "list"],
  lost: ["fault", "unlock", "bench.lost", "take"],
  taken: ["fault", "person", "bench.taken", "take_over"],
  idle: ["person", "clock", "bench.idled", "take"],
  changed: ["fault", "warning", "bench.changed", "reload"],
};
/** @type {Partial<Record<LockState, [icon: string, words: string]>>} */
const BADGES = { mine: ["lock", "bench.mine"], lost: ["unlock", "bench.badge_lost"], free: ["unlock", "bench.badge_free"], other: ["lock", "bench.badge_held"], other_tab: ["lock", "bench.badge_other_tab"] };
/** @type {Record<SavingState, [icon: string, words: string, tone: string]>} */
const SAVING = {
  saved: ["check", "bench.saved", "ink2"], typing: ["dot", "bench.unsaved", "ink2"], saving: ["busy", "bench.saving", "ink2"],
  offline: ["offline", "bench.offline", "fault"], signin: ["lock", "bench.signin", "fault"], failed: ["flag", "bench.not_saved", "fault"],
  unkept: ["warning", "bench.unkept", "fault"],
};

export class Status {
  /** @param {HTMLElement} root
     @param {boolean} canTakeOver */
  constructor(root, canTakeOver) {
    this.root = root;
    this.canTakeOver = canTakeOver;
    this.banner = the(root, "[data-bench-banner]");
    this.badge = the(document, "[data-lock-badge]");
    this.saved = the(document, "[data-save-state]");
  }

  /** @type {(state: LockState, detail?: LockDetail) => void} */
  lock(state, detail = {}) {
    const [icon, words] = BADGES[state] ?? ["lock", ""];
    const values = { name: detail.by ?? "", since: clock(detail.since) };
    this.badge.dataset.state = state;
    this.badge.hidden = !words;
    setIcon(the(this.badge, "svg"), icon);
    the(this.badge, "[data-words]").textContent = words && say(words, values);
    this.show(state === "lost" && detail.by ? "taken" : state, values);
  }

  /** Who else has the task open.
     @type {(people: Person[]) => void} */
  people(people) {
    showPeople(the(document, "[data-bench-people]"), people);
  }

  /** The banner of that state, none where it has none.
     @type {(state: LockState | "taken" | "idle" | "changed", values?: Record<string, string>) => void} */
  show(state, values = {}) {
    const banner = BANNERS[state];
    this.banner.hidden = !banner;
    if (!banner) return;
    const [tone, icon, words, button] = banner;
    this.banner.className = `bench-banner bench-banner-${tone}`;
    setIcon(the(this.banner, "svg"), icon);
    the(this.banner, "[data-words]").textContent = say(words, values);
    for (const one of this.banner.querySelectorAll("[data-act]")) {
      one.hidden = one.dataset.act !== button || (["other", "taken"].includes(state) && !this.canTakeOver);
    }
  }

  /** `detail`: when it was kept, or what the server says to it.
     @type {(state: SavingState, detail?: Date | string) => void} */
  saving(state, detail) {
    const [icon, words, tone] = SAVING[state];
    const time = detail instanceof Date ? clock(detail) : "";
    this.saved.className = `bench-saved tone-${tone}`;
    this.saved.dataset.state = state;
    setIcon(the(this.saved, "svg"), icon);
    the(this.saved, "[data-words]").textContent = say(words, { time });
  }

  /** @type {(sentences: string[]) => void} */
  problems(sentences) {
    const list = the(this.root, "[data-problems]");
    list.hidden = !sentences.length;
    the(list, "ul").replaceChildren(...sentences.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
  }
}
