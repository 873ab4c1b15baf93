/* What others do with the task on the screen: news in any order, and what somebody types seen once and in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import "./stage.mjs";
import { BenchLive } from "../../static/js/bench_live.js";

globalThis.setInterval = () => 0; // nothing is said unasked here

function begun(state = "free", { canTakeOver = false } = {}) {
  const seen = { states: [], slipped: 0, renewed: 0, watched: [], comments: [], answered: [], people: [] };
  const lock = {
    state, detail: {}, tokens: {},
    get isMine() {
      return this.state === "mine";
    },
    set(now, detail = {}) {
      Object.assign(this, { state: now, detail });
      seen.states.push(now);
    },
    slipped: () => (seen.slipped += 1),
    renew: () => (seen.renewed += 1),
  };
  const bench = {
    data: { task: "t1", user: "ann", name: "Ann", can_take_over: canTakeOver }, lock, idle: { check: () => {} },
    commands: { session: "s", task: "t1", connection: null, cut: () => {}, answered: (answer) => seen.answered.push(answer.id) },
    talk: { show: (comments) => seen.comments.push(comments.length) },
    status: { people: (people) => seen.people.push(people.map(({ name }) => name)) },
    watch: (row) => seen.watched.push(row.v),
  };
  const live = new BenchLive(bench);
  return { seen, lock, hear: (...rows) => live.heard({ type: "rows", rows }), live };
}
const task = (v, more = {}) => ({ kind: "task", id: "t1", v, state: "CREATED", holder: "", who: "", since: "", people: [], ...more });
const draft = (v, user = "bob") => ({ kind: "draft", id: 4, v, user, state: {}, page_version: "v1" });

test("older news of the task than what is known is passed over", () => {
  const { seen, hear } = begun("other");
  hear(task(5));
  hear(task(4, { state: "PROCESSING", holder: "bob", who: "Bob" }), task(5, { state: "COMPLETED" }));
  assert.deepEqual(seen.states, ["free"]);
});

test("who holds it is told: another, oneself in another tab, nobody any more", () => {
  const { seen, hear } = begun();
  hear(task(1, { state: "PROCESSING", holder: "bob", who: "Bob" }));
  hear(task(2, { state: "PROCESSING", holder: "ann", who: "Ann" }));
  hear(task(3, { state: "SKIPPED" }));
  hear(task(4, { state: "ESCALATED" }));
  assert.deepEqual(seen.states, ["other", "other_tab", "closed", "escalated"]);
  const lead = begun("other", { canTakeOver: true });
  lead.hear(task(1, { state: "ESCALATED" }));
  assert.deepEqual(lead.seen.states, ["free"]);
});

test("one that is ours and is said to be somebody else's is asked for, else its lease goes on", () => {
  const { seen, hear } = begun("mine");
  hear(task(1, { state: "PROCESSING", holder: "ann" }));
  assert.deepEqual([seen.renewed, seen.slipped], [1, 0]);
  hear(task(2, { state: "PROCESSING", holder: "bob", who: "Bob" }));
  assert.deepEqual([seen.renewed, seen.slipped, seen.states], [1, 1, []]);
});

test("a task that was lost stays lost until its row says who has it", () => {
  const { seen, hear, lock } = begun("lost");
  hear(task(1));
  assert.deepEqual(seen.states, []);
  hear(task(2, { state: "PROCESSING", holder: "bob", who: "Bob", since: "now" }));
  assert.deepEqual([lock.state, lock.detail], ["lost", { by: "Bob", since: "now" }]);
});

test("what somebody else types is shown once for each version, one's own not at all", () => {
  const { seen, hear } = begun("other");
  hear(draft(2), draft(2), draft(1), draft(9, "ann"), draft(3));
  assert.deepEqual(seen.watched, [2, 3]);
});

test("answers go to whoever waits for them, others who are there are named without oneself", () => {
  const { seen, hear, live } = begun();
  live.heard({ type: "answer", answer: { id: "c1", ok: true } });
  live.heard({ type: "answer" });
  hear(task(1, { people: [{ name: "Ann" }, { name: "Bob" }], comments: [{ id: 1 }] }));
  assert.deepEqual([seen.answered, seen.people, seen.comments], [["c1"], [["Bob"]], [1]]);
});

test("a lease that the server says is lost is asked for again", () => {
  const { seen, live } = begun("mine");
  live.heard({ type: "lost" });
  assert.equal(seen.slipped, 1);
});
