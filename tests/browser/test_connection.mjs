/* A socket that is cut, silent, refused or full: how long it waits, what it asks meanwhile, when it stops. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { settled } from "./stage.mjs";
import { Connection } from "../../static/js/live_connection.js";

let now = 0;
let chance = 1;
mock.method(performance, "now", () => now);
mock.method(Math, "random", () => chance);
const opened = [];
let answers = [];
const asked = [];

globalThis.WebSocket = class extends EventTarget {
  static OPEN = 1;
  readyState = 0;
  sent = [];

  constructor(address) {
    super();
    this.address = String(address);
    opened.push(this);
  }

  send(text) {
    this.sent.push(text);
  }

  close() {
    this.readyState = 3;
  }

  opens() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  says(message) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }

  ends(code = 1006) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
};
globalThis.fetch = (address) => {
  asked.push(address);
  return Promise.resolve(answers.shift() ?? { ok: false, status: 503 });
};

function begun(seen = { heard: [], cut: 0 }) {
  opened.length = 0;
  asked.length = 0;
  const connection = new Connection({ socketUrl: "/ws/x/", syncUrl: "/sync/", heard: (message, afterBreak) => seen.heard.push([message.n, afterBreak]), cut: () => (seen.cut += 1) });
  connection.open();
  return { connection, seen };
}

const pass = (ms) => {
  now += ms;
  mock.timers.tick(ms);
};

beforeEach(() => {
  mock.timers.reset(); // of connections of before
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  chance = 1;
  answers = [];
});

test("the address is the page's own, secure, and says the language", () => {
  begun();
  assert.equal(opened[0].address, "wss://catalogue.test/ws/x/?language=en");
});

test("waits twice as long at each failure, five seconds at most, and briefly again once it was open", () => {
  begun();
  for (const wait of [500, 1000, 2000, 4000, 5000, 5000]) {
    opened.at(-1).ends();
    const before = opened.length;
    pass(wait - 1);
    assert.equal(opened.length, before, `before ${wait}`);
    pass(1);
    assert.equal(opened.length, before + 1, `after ${wait}`);
  }
  opened.at(-1).opens();
  opened.at(-1).ends();
  const before = opened.length;
  pass(500);
  assert.equal(opened.length, before + 1);
});

test("not all come back at one moment: chance takes away up to half of the wait", () => {
  begun();
  chance = 0;
  opened[0].ends();
  pass(249);
  assert.equal(opened.length, 1);
  pass(1);
  assert.equal(opened.length, 2);
});

test("a message that is missing is asked for, and what is heard after a cut is told as such", () => {
  const { seen } = begun();
  opened[0].opens();
  opened[0].says({ seq: 1, n: 1 });
  opened[0].says({ seq: 3, n: 3 });
  assert.deepEqual(opened[0].sent, ['{"type":"sync"}']);
  opened[0].ends();
  pass(500);
  opened[1].opens();
  opened[1].says({ seq: 1, n: 4 });
  assert.deepEqual(opened[1].sent, []);
  assert.deepEqual(seen.heard, [[1, false], [3, false], [4, true]]);
  assert.equal(seen.cut, 1);
});

test("a socket that is silent for longer than the beats is dropped, and what it says later is not heard", () => {
  const { connection, seen } = begun();
  opened[0].opens();
  now += 20001;
  connection.watch();
  assert.equal(connection.socket, null);
  opened[0].says({ n: 9 });
  assert.deepEqual(seen.heard, []);
  assert.equal(seen.cut, 1);
});

test("whoever is signed out or has no right stops trying; signing in again goes on", () => {
  for (const code of [4401, 4403]) {
    const { connection } = begun();
    opened[0].ends(code);
    pass(60000);
    assert.equal(opened.length, 1, String(code));
    connection.resume();
    assert.equal(opened.length, 2);
  }
});

test("where there is no room the page asks, and tries the socket again after half a minute and not before", async () => {
  const { connection, seen } = begun();
  opened[0].ends(4429);
  answers = [{ ok: true, status: 200, json: () => Promise.resolve({ n: 7 }) }];
  now += 3001;
  connection.watch();
  await settled();
  assert.deepEqual(asked, ["/sync/"]);
  assert.deepEqual(seen.heard, [[7, false]]);
  assert.equal(opened.length, 1);
  pass(30000);
  assert.equal(opened.length, 2);
});

test("an answer to asking tries the socket at once", async () => {
  const { connection } = begun();
  for (let n = 0; n < 6; n += 1) {
    opened.at(-1).ends();
    if (n < 5) pass(5000);
  }
  const before = opened.length;
  answers = [{ ok: true, status: 200, json: () => Promise.resolve({ n: 7 }) }];
  now += 3001;
  connection.watch();
  await settled();
  assert.equal(opened.length, before + 1);
});

test("nothing is sent while it is not open", () => {
  const { connection } = begun();
  assert.equal(connection.send({ a: 1 }), false);
  opened[0].opens();
  assert.equal(connection.send({ a: 1 }), true);
  assert.deepEqual(opened[0].sent, ['{"a":1}']);
});
