/* What others do with the task while it is on the screen: who is there, who took it, and what its holder types. */
import { workConnection } from "./work_socket.js";

// Without a socket the tab says by itself that it is there.
const PRESENT_MS = 10000;

export class BenchLive {
  /** `bench`: whose lock follows the task's row, and which shows what somebody else types.
     @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
    this.version = 0;
    /** @type {Map<number, number>} */
    this.drafts = new Map(); // draft -> its newest version
    const { commands, lock } = bench;
    this.connection = workConnection({
      session: commands.session, tasks: [bench.data.task], alone: true, cut: () => commands.cut(),
      heard: (message) => this.heard(message), pong: () => ({ at: commands.task, locks: lock.tokens }),
    });
    commands.connection = this.connection;
    setInterval(() => this.connection.isOpen || commands.send("presence"), PRESENT_MS);
  }

  /** @type {(message: Message) => void} */
  heard(message) {
    this.bench.idle.check(); // timers of a hidden tab hardly run, what it hears does
    if (message.type === "answer" && message.answer) this.bench.commands.answered(message.answer);
    else if (message.type === "lost") this.bench.lock.slipped();
    for (const row of /** @type {(TaskRow | DraftRow)[]} */ (message.rows ?? [])) {
      if (row.kind === "draft") this.typed(row);
      else if (row.v > this.version) this.taskChanged(row);
    }
  }

  /** @type {(row: TaskRow) => void} */
  taskChanged(row) {
    const { bench } = this;
    const { lock } = bench;
    this.version = row.v;
    if (row.comments) bench.talk.show(row.comments);
    bench.status.people(row.people.filter(({ name }) => name !== bench.data.name));
    if (lock.isMine) {
      if (row.state !== "PROCESSING" || row.holder !== bench.data.user) lock.slipped();
      else lock.renew();
    } else if (lock.state !== "lost" || row.state === "PROCESSING") this.follow(row);
  }

  /** Somebody took it, or gave it back, while it was only looked at.
     @type {(row: TaskRow) => void} */
  follow({ state, holder, who, since }) {
    const { lock, data } = this.bench;
    if (lock.state === "lost") return lock.set("lost", holder === data.user ? {} : { by: who, since });
    if (state === "COMPLETED" || state === "SKIPPED") return this.changed("closed");
    if (state !== "PROCESSING") return this.changed(state === "ESCALATED" && !data.can_take_over ? "escalated" : "free");
    if (holder !== data.user) this.changed("other", { by: who, since });
    else this.changed("other_tab");
  }

  /** @type {(state: LockState, detail?: LockDetail) => void} */
  changed(state, detail = {}) {
    const { lock } = this.bench;
    if (lock.state !== state || lock.detail.by !== detail.by) lock.set(state, detail);
  }

  /** @type {(row: DraftRow) => void} */
  typed(row) {
    if (row.user === this.bench.data.user || row.v <= (this.drafts.get(row.id) ?? 0)) return;
    this.drafts.set(row.id, row.v);
    this.bench.watch(row);
  }
}
