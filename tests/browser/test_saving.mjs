/* What is typed and not yet with the server: never sent twice at once, never lost on the way. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { heard, page, settled, stored } from "./stage.mjs";
import { newestDraft, Saving } from "../../static/js/bench_saving.js";

mock.timers.enable({ apis: ["setTimeout"] });

function begun({ seq = 0 } = {}) {
  const seen = { sent: [], shown: [], stale: 0, checked: [] };
  const commands = {
    task: "t1",
    send: (name, body, options) => new Promise((answer) => void seen.sent.push({ name, body, options, answer })),
  };
  const saving = new Saving({
    commands, user: "ann", seq, pageVersion: "v1", show: (state) => seen.shown.push(state), stale: () => (seen.stale += 1), checked: (found) => seen.checked.push(found),
  });
  return { saving, seen };
}

beforeEach(() => {
  stored.clear();
  stored.isFull = false;
});

test("what is typed is on this device at once and on the server after a pause", async () => {
  const { saving, seen } = begun();
  saving.change({ text: "a" }, 5);
  assert.equal(newestDraft("ann", "t1", null).state.text, "a");
  mock.timers.tick(799);
  assert.equal(seen.sent.length, 0);
  mock.timers.tick(1);
  assert.deepEqual(seen.sent[0].body, { seq: 1, page_version: "v1", state: { text: "a" } });
  assert.equal(seen.sent[0].options.token, 5);
  seen.sent[0].answer({ ok: true, seq: 1 });
  await settled();
  assert.deepEqual(seen.shown, ["typing", "saving", "saved"]);
  assert.equal(newestDraft("ann", "t1", null), null);
});

test("several that wait for an answer send the newest once", async () => {
  const { saving, seen } = begun();
  saving.change({ text: "a" }, 5);
  saving.flush();
  saving.change({ text: "ab" }, 5);
  const waiting = [saving.flush(), saving.flush(), saving.flush()];
  seen.sent[0].answer({ ok: true, seq: 1 });
  await settled();
  assert.deepEqual(seen.sent.map(({ body }) => body.state.text), ["a", "ab"]);
  seen.sent[1].answer({ ok: true, seq: 2 });
  await Promise.all(waiting);
  assert.equal(seen.sent.length, 2);
});

test("what was typed while an answer was on its way is sent after it", async () => {
  const { saving, seen } = begun();
  saving.change({ text: "a" }, 5);
  saving.flush();
  saving.change({ text: "ab" }, 5);
  seen.sent[0].answer({ ok: true, seq: 1 });
  await settled();
  mock.timers.tick(0);
  await settled();
  assert.equal(seen.sent[1].body.state.text, "ab");
  assert.deepEqual(seen.checked, []); // an answer to what is no longer the newest judges nothing
});

test("another tab that was ahead is overtaken", async () => {
  const { saving, seen } = begun();
  saving.change({ text: "a" }, 5);
  saving.flush();
  seen.sent[0].answer({ ok: true, seq: 40 });
  await settled();
  saving.flush();
  await settled();
  assert.equal(seen.sent[1].body.seq, 41);
});

test("an answer that comes after the task was done keeps nothing and fails at nothing", async () => {
  const { saving, seen } = begun();
  saving.change({ text: "a" }, 5);
  const under_way = saving.flush();
  saving.forget();
  seen.sent[0].answer({ ok: true, seq: 40 });
  await under_way;
  mock.timers.tick(10000);
  await settled();
  assert.equal(seen.sent.length, 1);
  assert.equal(newestDraft("ann", "t1", null), null);
});

test("a failure is told and tried again, with what was typed since", async () => {
  const { saving, seen } = begun();
  saving.change({ text: "a" }, 5);
  saving.flush();
  seen.sent[0].answer({ ok: false, code: "offline" });
  await settled();
  assert.equal(seen.shown.at(-1), "offline");
  mock.timers.tick(3000);
  await settled();
  assert.equal(seen.sent[1].body.state.text, "a");
});

test("a lock that is no longer ours is told, and the draft stays on this device", async () => {
  const { saving, seen } = begun();
  saving.change({ text: "a" }, 5);
  saving.flush();
  seen.sent[0].answer({ ok: false, code: "lock_lost", stale: true });
  await settled();
  assert.equal(seen.stale, 1);
  assert.equal(newestDraft("ann", "t1", null).unsent, true);
});

test("a page that is left sends at once, also beside an answer under way", () => {
  const { saving, seen } = begun();
  saving.change({ text: "a" }, 5);
  saving.flush();
  saving.change({ text: "ab" }, 5);
  page.visibilityState = "hidden";
  heard("pagehide");
  page.visibilityState = "visible";
  const mine = seen.sent.filter(({ body }) => body.state.text === "ab");
  assert.equal(mine.length, 1);
  assert.equal(mine[0].options.leaving, true);
});

test("leaving is asked about only where neither server nor device has it", () => {
  const { saving } = begun();
  saving.change({ text: "a" }, 5);
  assert.ok(!saving.isAtRisk());
  stored.isFull = true;
  saving.change({ text: "ab" }, 5);
  assert.ok(saving.isAtRisk());
});

test("the newer of two drafts is taken up, and one that cannot be read is none", () => {
  stored.setItem("draft ann t1", JSON.stringify({ seq: 4, state: "here" }));
  assert.deepEqual(newestDraft("ann", "t1", { seq: 3 }), { seq: 4, state: "here", unsent: true });
  assert.deepEqual(newestDraft("ann", "t1", { seq: 4 }), { seq: 4 });
  stored.setItem("draft ann t1", "{");
  assert.equal(newestDraft("ann", "t1", null), null);
});
