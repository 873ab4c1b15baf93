/* The list of tasks while others work on it: rows change where they stand, new ones wait behind a pill, keys take one. */
import { Commands, tabSession } from "./bench_commands.js";
import { pill } from "./fresh_rows.js";
import { bind } from "./key_registry.js";
import { applyFigures, applyRow } from "./patch.js";
import { the } from "./the.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";
import { workConnection } from "./work_socket.js";

const NO_TASK = "00000000-0000-0000-0000-000000000000";

/** @type {(root: HTMLElement) => Promise<void>} */
export async function start(root) {
  const queue = new Queue(root, await tabSession());
  queue.connection.start();
  bind({ scope: "list", keys: ["n"], says: "keys.take_next", run: () => queue.takeNext() });
  bind({ scope: "list", keys: ["c"], says: "keys.take", run: () => queue.take(), when: () => queue.row !== null });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-take-next]")) return;
    event.preventDefault();
    queue.takeNext();
  });
  root.dataset.ready = "true";
}

class Queue {
  /** @param {HTMLElement} root
     @param {string} session */
  constructor(root, session) {
    this.root = root;
    this.begun = Date.parse(root.dataset.queueAt ?? "");
    this.busy = false;
    /** @type {Set<string>} */
    this.unseen = new Set();
    this.commands = new Commands(root.dataset.commandUrl ?? "", session);
    this.connection = workConnection({
      session, tasks: [...root.querySelectorAll("tr[data-key]")].map((row) => row.dataset.key ?? ""),
      heard: (message) => this.heard(message), cut: () => this.commands.cut(),
    });
    this.commands.connection = this.connection;
  }

  get row() {
    return this.root.querySelector("tr.at");
  }

  /** @type {(message: Message) => void} */
  heard(message) {
    if (message.type === "answer" && message.answer) return this.commands.answered(message.answer);
    for (const row of /** @type {TaskRow[]} */ (message.rows ?? [])) {
      if (!applyRow(row)) this.overlook(row);
      else this.setDue(row);
    }
    if (message.figures) applyFigures(message.figures);
  }

  /** A task that was opened after this list was made, and that somebody may still take.
     @type {(row: TaskRow) => void} */
  overlook(row) {
    if (this.root.querySelector(`[data-row="task:${row.id}"]`)) return;
    const isNew = Date.parse(row.created_at) > this.begun && row.state === "CREATED";
    if (isNew === this.unseen.has(row.id)) return;
    if (isNew) this.unseen.add(row.id);
    else this.unseen.delete(row.id);
    pill(the(this.root, "[data-queue-list]"), this.unseen.size);
  }

  /** The clock of a task stands while somebody has it.
     @type {(row: TaskRow) => void} */
  setDue(row) {
    const due = this.root.querySelector(`[data-row="task:${row.id}"] .due`);
    if (!due) return;
    due.dataset.due = row.due_at;
    due.toggleAttribute("data-still", row.still);
  }

  take() {
    this.go("claim", { task: this.row?.dataset.key });
  }

  takeNext() {
    this.go("next");
  }

  /** @type {(name: string, which?: { task?: string }) => Promise<void>} */
  async go(name, which = {}) {
    if (this.busy) return;
    this.busy = true;
    const answer = await this.commands.send(name, {}, which);
    this.busy = false;
    const task = answer.task ?? which.task;
    if (answer.ok && task) location.assign(`${(this.root.dataset.taskUrl ?? "").replace(NO_TASK, task)}?claim=1`);
    else if (answer.ok) toast(say("queue.nothing_free"), "done");
    else if (answer.code === "offline") toast(say("bench.offline_command"), "fault");
    else if (answer.code !== "signin") toast(answer.message ?? say("request.failed"), "person");
  }
}
