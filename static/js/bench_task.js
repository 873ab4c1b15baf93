/* What is done with the task as a whole: taken, handed back, skipped, submitted; and what the server says to that. */
import { newId } from "./bench_commands.js";
import { same, trimmed } from "./bench_state.js";
import { byId, the } from "./the.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

const NO_TASK = "00000000-0000-0000-0000-000000000000";
// What the banner, or the dialog to sign in, says already.
const TOLD = ["task_held", "task_closed", "task_escalated", "signin"];

export class Task {
  /** `bench`: whose state is submitted, and which shows what was wrong with it.
     @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
    this.lock = bench.lock;
    this.commands = bench.commands;
    this.root = bench.root;
    /** @type {{ id: string, body: object } | null} */
    this.submission = null;
  }

  /** @type {(name: "claim" | "take_over") => Promise<void>} */
  async take(name) {
    const answer = await (name === "take_over" ? this.lock.takeOver() : this.lock.claim());
    this.refused(answer);
  }

  /** @type {(answer: Answer) => void} */
  refused(answer) {
    if (answer.ok || TOLD.includes(answer.code ?? "")) return;
    if (answer.code === "lock_lost") return void this.lock.slipped();
    if (answer.code === "offline") return toast(say("bench.offline_command"), "fault");
    toast(answer.message ?? `${say("request.failed")} ${answer.request ?? ""}`, "fault");
  }

  async release() {
    if (!this.lock.isMine) return;
    await this.keep();
    const answer = await this.lock.release();
    if (answer.ok) this.leave();
    else this.refused(answer);
  }

  /* Nobody was at the keys for too long. */
  async idle() {
    await this.keep();
    const answer = await this.lock.release();
    if (!answer.ok) return this.refused(answer);
    this.bench.status.show("idle");
    the(this.root, "[data-form]").focus({ preventScroll: true }); // so that its key takes it again
  }

  /** @type {(reason: string) => Promise<void>} */
  async skip(reason) {
    byId("skip-dialog", HTMLDialogElement).close();
    await this.end("skip", reason);
  }

  /** To its author, with the reason.
     @type {(reason: string) => Promise<void>} */
  sendBack(reason) {
    return this.end("reject", reason);
  }

  /** @type {(name: string, reason: string) => Promise<void>} */
  async end(name, reason) {
    if (!this.lock.isMine) return;
    await this.keep();
    const answer = await this.lock.end(() => this.commands.send(name, { reason }, { onward: true }));
    if (answer.ok) this.leave(answer.next);
    else this.refused(answer);
  }

  /** One's own decision of a while ago, instead of the task on the screen.
     @type {(task: string) => Promise<void>} */
  async reopen(task) {
    await this.keep();
    const answer = await this.commands.send("reopen", {}, { task, token: 0 });
    if (!answer.ok) return this.refused(answer);
    location.assign(this.addressOf(task));
  }

  /* What was typed and said is with the server. */
  async keep() {
    await this.bench.talk.flush();
    await this.bench.saving.flush();
  }

  async submit() {
    if (!this.lock.isMine || this.bench.busy || !this.isReady()) return;
    this.bench.setBusy(true);
    await this.keep();
    const body = { ...trimmed(this.bench.state), page_version: this.bench.data.page.version };
    // The same content has the same id, so that an answer that was lost on the way is given again.
    const { id } = (this.submission = this.submission && same(this.submission.body, body) ? this.submission : { id: newId(), body });
    const answer = await this.lock.end(() => this.commands.send("submit", body, { id, onward: true }));
    if (answer.ok) {
      this.bench.saving.forget();
      return this.leave(answer.next);
    }
    this.bench.setBusy(false);
    if (answer.code !== "offline") this.submission = null;
    if (answer.code === "invalid") this.showProblems(answer.problems ?? []);
    else if (answer.code === "page_changed") this.bench.status.show("changed");
    else this.refused(answer);
  }

  isReady() {
    const left = this.bench.left();
    if (left.length) {
      toast(say("bench.still_open", { n: left.length }), "person");
      this.bench.goTo(left[0]);
    } else if (!this.bench.state.page_type) {
      toast(say("bench.no_page_type"), "person");
      this.bench.show("page");
    }
    return !left.length && Boolean(this.bench.state.page_type);
  }

  /** @type {(problems: Problem[]) => void} */
  showProblems(problems) {
    const { atFields, others } = placed(problems);
    this.bench.showProblems(atFields, others);
  }

  /** @type {(task: string) => string} */
  addressOf(task) {
    return `${(this.root.dataset.taskUrl ?? "").replace(NO_TASK, task)}?claim=1`;
  }

  /** To the next task, which is taken already, or to the list.
     @type {(next?: string | null) => void} */
  leave(next = null) {
    this.lock.done();
    location.assign(next ? this.addressOf(next) : (this.root.dataset.listUrl ?? ""));
  }
}

/** `path`: skus[0].attributes.price, or whatever part of that is meant; `atFields`: SKU -> key -> sentence.
   @type {(problems: Problem[]) => { atFields: Problems, others: string[] }} */
export function placed(problems) {
  /** @type {Problems} */
  const atFields = new Map();
  /** @type {string[]} */
  const others = [];
  for (const { path, message } of problems) {
    const [place, at, what, key] = path.match(/[^.[\]]+/g) ?? [];
    const n = Number(at);
    if (place === "skus" && what === "attributes" && key) atFields.set(n, (atFields.get(n) ?? new Map()).set(key, message));
    else others.push(place === "skus" ? `S${n + 1}: ${message}` : message);
  }
  return { atFields, others };
}
