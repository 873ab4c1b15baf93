/* What the workbench says of itself: who holds the task, how far typing is kept, what went wrong. */
import { showPeople } from "./avatars.js";
import { setIcon } from "./icons.js";
import { say } from "./words.js";

// state of the lock -> tone, icon, sentence, button. What is not here shows no banner.
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
const BADGES = { mine: ["lock", "bench.mine"], lost: ["unlock", "bench.badge_lost"], free: ["unlock", "bench.badge_free"], other: ["lock", "bench.badge_held"], other_tab: ["lock", "bench.badge_other_tab"] };
const SAVING = {
  saved: ["check", "bench.saved", "ink2"], typing: ["dot", "bench.unsaved", "ink2"], saving: ["busy", "bench.saving", "ink2"],
  offline: ["offline", "bench.offline", "fault"], signin: ["lock", "bench.signin", "fault"], failed: ["flag", "bench.not_saved", "fault"],
};

export class Status {
  constructor(root, canTakeOver) {
    Object.assign(this, { root, canTakeOver });
    this.banner = root.querySelector("[data-bench-banner]");
    this.badge = document.querySelector("[data-lock-badge]");
    this.saved = document.querySelector("[data-save-state]");
  }

  lock(state, detail = {}) {
    const [icon, words] = BADGES[state] ?? ["lock", ""];
    const values = { name: detail.by ?? "", since: clock(detail.since) };
    this.badge.dataset.state = state;
    this.badge.hidden = !words;
    setIcon(this.badge.querySelector("svg"), icon);
    this.badge.querySelector("[data-words]").textContent = words && say(words, values);
    this.show(state === "lost" && detail.by ? "taken" : state, values);
  }

  /* Who else has the task open. */
  people(people) {
    showPeople(document.querySelector("[data-bench-people]"), people);
  }

  show(state, values = {}) {
    const [tone, icon, words, button] = BANNERS[state] ?? [];
    this.banner.hidden = !words;
    if (!words) return;
    this.banner.className = `bench-banner bench-banner-${tone}`;
    setIcon(this.banner.querySelector("svg"), icon);
    this.banner.querySelector("[data-words]").textContent = say(words, values);
    for (const one of this.banner.querySelectorAll("[data-act]")) {
      one.hidden = one.dataset.act !== button || (["other", "taken"].includes(state) && !this.canTakeOver);
    }
  }

  saving(state, detail) {
    const [icon, words, tone] = SAVING[state];
    const time = detail instanceof Date ? clock(detail) : "";
    this.saved.className = `bench-saved tone-${tone}`;
    this.saved.dataset.state = state;
    setIcon(this.saved.querySelector("svg"), icon);
    this.saved.querySelector("[data-words]").textContent = say(words, { time });
  }

  problems(sentences) {
    const list = this.root.querySelector("[data-problems]");
    list.hidden = !sentences.length;
    list.querySelector("ul").replaceChildren(...sentences.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
  }
}

function clock(moment) {
  const at = moment ? new Date(moment) : null;
  return at && !Number.isNaN(at.getTime()) ? at.toLocaleTimeString(document.documentElement.lang, { hour12: false }) : "";
}
