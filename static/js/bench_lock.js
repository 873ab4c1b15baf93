/* Who holds the task: taken, renewed, handed back, lost. The server's row decides; this only asks and tells. */
import { drop, keep, kept } from "./keeping.js";

const RENEW_MS = 20000;
const HELD = "held-task";

/** How a task stands that a page shows; null where this tab holds it and has yet to say so.
   @type {(task: Pick<BenchData, "holder" | "status" | "can_take_over">, session: string) => [state: LockState, detail?: LockDetail] | null} */
export function standingOf({ holder, status, can_take_over: canTakeOver }, session) {
  if (holder && !holder.me) return ["other", { by: holder.name, since: holder.since }];
  if (holder && holder.tab !== session) return ["other_tab"];
  if (["COMPLETED", "SKIPPED"].includes(status)) return ["closed"];
  if (status === "ESCALATED" && !canTakeOver) return ["escalated"];
  return holder ? null : ["free"];
}

export class Lock {
  /** `changed(state, detail)`: free, mine, other, other_tab, escalated, closed or lost.
     @param {Commands} commands
     @param {(state: LockState, detail: LockDetail) => void} changed */
  constructor(commands, changed) {
    this.commands = commands;
    this.changed = changed;
    /** @type {LockState} */
    this.state = "free";
    /** @type {LockDetail} */
    this.detail = {};
    this.me = ""; // how this person is called
    this.ending = false;
    this.regaining = false;
    setInterval(() => this.renew(), RENEW_MS);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.renew());
    document.addEventListener("session:renewed", () => this.renew());
    addEventListener("online", () => this.renew());
    addEventListener("pagehide", () => this.leave());
  }

  get isMine() {
    return this.state === "mine";
  }

  claim() {
    return this.take("claim");
  }

  takeOver() {
    return this.take("take_over");
  }

  /** @type {(name: string) => Promise<Answer>} */
  async take(name) {
    const answer = await this.commands.send(name);
    if (answer.code === "task_not_held") return this.take("claim");
    if (answer.ok) this.won(answer);
    else this.refused(answer);
    return answer;
  }

  /** @type {(answer: Answer, held?: LockState) => void} */
  refused(answer, held = "other") {
    if (answer.code === "task_held") this.set(answer.by === this.me ? "other_tab" : held, answer);
    else if (answer.code === "task_closed") this.set("closed", answer);
    else if (answer.code === "task_escalated") this.set("escalated", answer);
    else if (answer.code === "task_not_found") this.set("lost");
  }

  /** @type {(answer: { token?: number }) => void} */
  won({ token = 0 }) {
    this.commands.token = token;
    this.set("mine");
  }

  /** Taken for this tab on the page before; whether it still is, the answer says.
     @type {(holder: Holder) => void} */
  resume(holder) {
    this.won(holder);
    this.renew();
  }

  /* What the answer to the server's ping says; without a socket the same is asked by POST. */
  get tokens() {
    return this.isMine ? { [this.commands.task ?? ""]: this.commands.token } : {};
  }

  async renew() {
    if (!this.isMine || this.commands.connection?.pong()) return;
    const answer = await this.commands.send("renew");
    if (answer.lost) this.slipped();
  }

  /** What `command` does to the task, submitted, skipped, sent or handed back, is no loss: news of it may come before its answer.
     @type {(command: () => Promise<Answer>) => Promise<Answer>} */
  async end(command) {
    this.ending = true;
    const answer = await command();
    this.ending = false;
    if (!answer.ok) this.renew(); // what was passed over meanwhile is asked for
    return answer;
  }

  /* A lease that ran out while nobody took the task, as in a laptop's sleep, is taken up again; else it is lost. */
  async slipped() {
    if (!this.isMine || this.regaining || this.ending) return;
    this.regaining = true;
    const answer = await this.commands.send("claim");
    this.regaining = false;
    if (!this.isMine) return;
    if (answer.ok) this.commands.token = answer.token ?? 0;
    else this.refused(answer, "lost");
  }

  async release() {
    const answer = await this.end(() => this.commands.send("release"));
    if (answer.ok) this.set("free");
    return answer;
  }

  /* Submitted, skipped, handed back: there is nothing to give up any more. */
  done() {
    this.state = "closed";
  }

  /* The tab shows another page or is closed: others need not wait. A page that is only loaded again takes it up again. */
  leave() {
    drop(HELD, "sessionStorage");
    if (!this.isMine) return;
    keep(HELD, this.commands.task ?? "", "sessionStorage");
    this.commands.send("release", {}, { leaving: true });
  }

  get isReload() {
    return performance.getEntriesByType("navigation").some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === "reload");
  }

  get wasHeldBeforeReload() {
    return this.isReload && kept(HELD, "sessionStorage") === this.commands.task;
  }

  /** @type {(state: LockState, detail?: LockDetail) => void} */
  set(state, detail = {}) {
    this.state = state;
    this.detail = detail;
    this.changed(state, detail);
  }
}
