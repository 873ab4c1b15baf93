/* Whose the task is, by what the server answers: a lease that ran out is taken up again, one that was taken is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { heard, settled } from "./stage.mjs";
import { Lock, standingOf } from "../../static/js/bench_lock.js";

globalThis.setInterval = () => 0; // renewing is called by hand here

/* `answers`: name of a command -> what the server says to it. */
function begun(answers, { mine = false } = {}) {
  const sent = [];
  const commands = { task: "t1", token: 0, connection: null, send: (name, _body, options) => (sent.push([name, options?.leaving ?? false]), Promise.resolve(answers[name] ?? { ok: false, code: "offline" })) };
  const told = [];
  const lock = new Lock(commands, (state) => told.push(state));
  lock.me = "Ann";
  if (mine) lock.won({ token: 3 });
  return { lock, commands, sent, told };
}

test("who takes a task has its token", async () => {
  const { lock, commands, told } = begun({ claim: { ok: true, token: 8 } });
  await lock.claim();
  assert.deepEqual([lock.isMine, commands.token, told], [true, 8, ["mine"]]);
  assert.deepEqual(lock.tokens, { t1: 8 });
});

test("a refusal says who has it: another, or oneself in another tab", async () => {
  for (const [by, state] of [["Bob", "other"], ["Ann", "other_tab"]]) {
    const { lock } = begun({ claim: { ok: false, code: "task_held", by } });
    await lock.claim();
    assert.equal(lock.state, state);
  }
});

test("who takes over what nobody holds by now simply takes it", async () => {
  const { lock, sent } = begun({ take_over: { ok: false, code: "task_not_held" }, claim: { ok: true, token: 2 } });
  await lock.takeOver();
  assert.deepEqual(sent.map(([name]) => name), ["take_over", "claim"]);
  assert.ok(lock.isMine);
});

test("a lease that ran out is taken up again with a new token, without a word", async () => {
  const { lock, commands, told } = begun({ renew: { ok: true, lost: true }, claim: { ok: true, token: 9 } }, { mine: true });
  await lock.renew();
  await settled();
  assert.deepEqual([lock.isMine, commands.token, told], [true, 9, ["mine"]]);
});

test("one that somebody else took meanwhile is lost", async () => {
  const { lock } = begun({ claim: { ok: false, code: "task_held", by: "Bob" } }, { mine: true });
  await lock.slipped();
  assert.equal(lock.state, "lost");
});

test("no answer is no loss: it stays ours until the server says otherwise", async () => {
  const { lock } = begun({}, { mine: true });
  await lock.slipped();
  assert.ok(lock.isMine);
});

test("what one's own command does is no loss, and where it was refused that is asked for", async () => {
  const { lock, sent } = begun({ renew: { ok: true } }, { mine: true });
  await lock.end(async () => {
    await lock.slipped(); // news before the answer
    return { ok: false, code: "invalid" };
  });
  await settled();
  assert.deepEqual(sent.map(([name]) => name), ["renew"]);
  assert.ok(lock.isMine);
});

test("a tab that goes away gives back what it holds, and only that", () => {
  const { sent } = begun({}, { mine: true });
  const other = begun({});
  heard("pagehide");
  assert.deepEqual(sent, [["release", true]]);
  assert.deepEqual(other.sent, []);
});

test("a page says how its task stands, and nothing where this tab holds it", () => {
  const stands = (holder, status = "PROCESSING", more = {}) => standingOf({ holder, status, can_take_over: false, ...more }, "s1");
  const mine = { name: "Ann", since: "now", me: true, tab: "s1" };
  assert.deepEqual(stands({ ...mine, name: "Bob", me: false }), ["other", { by: "Bob", since: "now" }]);
  assert.deepEqual(stands({ ...mine, tab: "s2" }), ["other_tab"]);
  assert.equal(stands(mine), null);
  assert.deepEqual(["COMPLETED", "SKIPPED", "ESCALATED", "CREATED"].map((status) => stands(null, status)[0]), ["closed", "closed", "escalated", "free"]);
  assert.deepEqual(stands(null, "ESCALATED", { can_take_over: true }), ["free"]);
});
