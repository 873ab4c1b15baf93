/* Who holds the task: taken, renewed, handed back, lost. The server's row decides; this only asks and tells. */
const RENEW_MS = 20000;

export class Lock {
  /* `changed(state, detail)`: free, mine, other, other_tab, escalated, closed or lost. */
  constructor(commands, changed) {
    Object.assign(this, { commands, changed, state: "free", renewing: 0 });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.renew());
    addEventListener("online", () => this.renew());
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

  async take(name) {
    const answer = await this.commands.send(name);
    if (answer.code === "task_not_held") return this.take("claim");
    if (answer.ok) {
      this.commands.token = answer.token;
      clearInterval(this.renewing);
      this.renewing = setInterval(() => this.renew(), RENEW_MS);
      this.set("mine");
    } else if (answer.code === "task_held") {
      this.set(answer.by === this.me ? "other_tab" : "other", answer);
    } else if (answer.code === "task_closed" || answer.code === "task_escalated") {
      this.set(answer.code.slice("task_".length), answer);
    }
    return answer;
  }

  async renew() {
    if (!this.isMine) return;
    const answer = await this.commands.send("renew");
    if (answer.lost && this.isMine) this.lose();
  }

  lose() {
    if (!this.isMine) return;
    clearInterval(this.renewing);
    this.set("lost");
  }

  async release() {
    const answer = await this.commands.send("release");
    if (answer.ok) {
      clearInterval(this.renewing);
      this.set("free");
    }
    return answer;
  }

  set(state, detail = {}) {
    this.state = state;
    this.changed(state, detail);
  }
}
