/* Commands: by the socket, else by POST with the same id; an answer finds whoever waits for it. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { settled } from "./stage.mjs";
import { Commands, newId } from "../../static/js/bench_commands.js";

mock.timers.enable({ apis: ["setTimeout"] });
let posted = [];
let answer = () => Promise.reject(new TypeError("network"));
globalThis.fetch = (address, options) => {
  posted.push({ address, options, body: JSON.parse(options.body) });
  return answer();
};
const json = (body) => Promise.resolve({ status: 200, headers: new Headers({ "Content-Type": "application/json" }), json: () => Promise.resolve(body) });

function socket() {
  const sent = [];
  return { sent, dropped: 0, send: (text) => Boolean(sent.push(JSON.parse(text))), drop() { this.dropped += 1; } };
}

beforeEach(() => {
  posted = [];
  answer = () => json({ ok: true });
});

test("an id is as the server writes one", () => {
  assert.match(newId(), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.notEqual(newId(), newId());
});

test("two commands over the socket get their own answers, in whatever order", async () => {
  const commands = new Commands("/commands/", "s", "t");
  commands.connection = socket();
  const [first, second] = [commands.send("draft"), commands.send("renew")];
  await settled();
  const [one, two] = commands.connection.sent;
  commands.answered({ id: two.id, ok: true, n: 2 });
  commands.answered({ id: one.id, ok: true, n: 1 });
  assert.equal((await first).n, 1);
  assert.equal((await second).n, 2);
  assert.equal(commands.waiting.size, 0);
  assert.deepEqual(posted, []);
});

test("what a cut socket took along goes by POST with the same id", async () => {
  const commands = new Commands("/commands/", "s", "t");
  commands.connection = socket();
  const sent = commands.send("submit", { a: 1 });
  await settled();
  commands.cut();
  assert.deepEqual(await sent, { ok: true });
  assert.equal(posted[0].body.id, commands.connection.sent[0].id);
  assert.deepEqual(posted[0].body.body, { a: 1 });
});

test("a socket that does not answer is dropped", async () => {
  const commands = new Commands("/commands/", "s", "t");
  commands.connection = socket();
  commands.send("draft");
  await settled();
  mock.timers.tick(7999);
  assert.equal(commands.connection.dropped, 0);
  mock.timers.tick(1);
  assert.equal(commands.connection.dropped, 1);
});

test("where nothing answers, it says which way", async () => {
  const commands = new Commands("/commands/", "s", "t");
  answer = () => Promise.reject(new TypeError("network"));
  assert.equal((await commands.send("draft")).code, "offline");
  answer = () => Promise.resolve({ status: 401, headers: new Headers() });
  assert.equal((await commands.send("draft")).code, "signin");
  answer = () => Promise.resolve({ status: 500, headers: new Headers({ "Content-Type": "text/html", "X-Request-Id": "r1" }) });
  assert.deepEqual(await commands.send("draft"), { ok: false, code: "failed", request: "r1" });
});

test("a page that is left posts, and asks to outlive it as far as browsers carry: bytes are counted, not characters", async () => {
  const commands = new Commands("/commands/", "s", "t");
  commands.connection = socket();
  const keepalive = async (text) => {
    await commands.send("draft", { text }, { leaving: true });
    return posted.at(-1).options.keepalive;
  };
  assert.equal(await keepalive("a".repeat(50000)), true);
  assert.equal(await keepalive("a".repeat(70000)), false);
  assert.equal(await keepalive("价".repeat(30000)), false);
  assert.deepEqual(commands.connection.sent, []);
});
