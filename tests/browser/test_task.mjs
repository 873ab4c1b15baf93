/* What is done with a task as a whole, and what is made of the server's word: nothing is submitted twice, nothing typed is left behind. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { pageOf, sku, value } from "./workbench.mjs";
import { FakeElement } from "./elements.mjs";
import { Task } from "../../static/js/bench_task.js";

let seen;
let bench;
let task;
let answers;
globalThis.location = { assign: (address) => seen.left.push(address) };

beforeEach(() => {
  seen = { sent: [], left: [], kept: 0, busy: [], said: [], problems: null, gone: [], slipped: 0, forgot: 0 };
  answers = [];
  const commands = { send: (name, body, envelope = {}) => (seen.sent.push({ name, body, ...envelope }), Promise.resolve(answers.shift() ?? { ok: true })) };
  const lock = { isMine: true, end: (command) => command(), done: () => {}, slipped: () => (seen.slipped += 1), release: () => Promise.resolve(answers.shift() ?? { ok: true }) };
  bench = {
    root: Object.assign(new FakeElement(), { dataset: { taskUrl: "/tasks/00000000-0000-0000-0000-000000000000/", listUrl: "/tasks/" } }),
    lock, commands, busy: false, state: pageOf(sku("a", { price: value(" 10 ") })), data: { page: { version: "v1" } },
    talk: { flush: () => Promise.resolve((seen.kept += 1)) }, saving: { flush: () => Promise.resolve((seen.kept += 1)), forget: () => (seen.forgot += 1) },
    status: { show: (state) => seen.said.push(state) },
    setBusy: (busy) => seen.busy.push(busy), left: () => [], goTo: (open) => seen.gone.push(open), show: (part) => seen.gone.push(part),
    showProblems: (atFields, others) => (seen.problems = { atFields, others }),
  };
  task = new Task(bench);
});

test("what is submitted is trimmed, after all that was typed and said is with the server", async () => {
  answers = [{ ok: true, next: "t2" }];
  await task.submit();
  const [{ name, body, onward }] = seen.sent;
  assert.deepEqual([name, body.skus[0].attributes.price.text, body.page_version, onward], ["submit", "10", "v1", true]);
  assert.deepEqual([seen.kept, seen.forgot, seen.left], [2, 1, ["/tasks/t2/?claim=1"]]);
});

test("the same content that found no answer goes with the same id, another content with another", async () => {
  answers = [{ ok: false, code: "offline" }, { ok: false, code: "offline" }, { ok: false, code: "failed" }, { ok: false, code: "failed" }];
  await task.submit();
  await task.submit();
  bench.state = pageOf(sku("a", { price: value("11") }));
  await task.submit();
  await task.submit();
  const ids = seen.sent.map(({ id }) => id);
  assert.equal(ids[0], ids[1]);
  assert.equal(new Set(ids).size, 3, "an answer, of whatever kind, ends it");
  assert.deepEqual(seen.busy, [true, false, true, false, true, false, true, false]);
});

test("with a value that is left, or without the page's kind, nothing is sent and one is led there", async () => {
  bench.left = () => [[0, "price"]];
  await task.submit();
  bench.left = () => [];
  bench.state = { ...bench.state, page_type: "" };
  await task.submit();
  assert.deepEqual([seen.sent, seen.gone], [[], [[0, "price"], "page"]]);
});

test("what the server finds wrong is shown at its fields, a page that is another since is said", async () => {
  answers = [{ ok: false, code: "invalid", problems: [{ path: "skus[0].attributes.price", message: "no price" }] }, { ok: false, code: "page_changed" }];
  await task.submit();
  assert.equal(seen.problems.atFields.get(0).get("price"), "no price");
  await task.submit();
  assert.deepEqual(seen.said, ["changed"]);
});

test("a lock that is lost is asked for, a task that is not ours is left alone", async () => {
  answers = [{ ok: false, code: "lock_lost" }];
  await task.sendBack("why");
  assert.equal(seen.slipped, 1);
  bench.lock.isMine = false;
  await task.submit();
  await task.release();
  await task.sendBack("why");
  assert.equal(seen.sent.length, 1);
});

test("a task that is handed back leads to the list, one that nobody worked on can be taken again", async () => {
  await task.release();
  assert.deepEqual(seen.left, ["/tasks/"]);
  await task.idle();
  assert.deepEqual([seen.said, bench.root.querySelector("[data-form]").isFocused, seen.left.length], [["idle"], true, 1]);
});
