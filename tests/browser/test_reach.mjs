/* Whether the server can be reached: a beat is the sign, and it is asked only where nothing was heard. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { heard as happened, page, settled, stored } from "./stage.mjs";
import { FakeElement } from "./elements.mjs";
import { doubt, heard, start } from "../../static/js/reach.js";

let now = 0;
mock.method(performance, "now", () => now);
let answers; // what the server does with a request: status, "refused", or "hangs"
let asked;
let others;
globalThis.BroadcastChannel = class extends EventTarget {
  constructor() {
    super();
    others = this;
    this.sent = 0;
  }

  postMessage() {
    this.sent += 1;
  }
};
globalThis.fetch = (address, { signal }) => {
  asked.push(address);
  if (typeof answers === "number") return Promise.resolve({ ok: answers < 300, status: answers });
  if (answers === "refused") return Promise.reject(new TypeError("refused"));
  return new Promise((_, reject) => void signal.addEventListener("abort", () => reject(signal.reason)));
};

async function pass(ms) {
  for (let left = ms; left > 0; left -= 100) {
    now += 100;
    mock.timers.tick(100);
    await settled();
  }
}

mock.timers.enable({ apis: ["setTimeout"] });
const banner = Object.assign(new FakeElement(), { hidden: true });
start(banner);
beforeEach(async () => {
  answers = 200;
  asked = [];
  globalThis.navigator.onLine = true;
  page.hidden = false;
  stored.isFull = false;
  delete banner.dataset.safe;
  doubt();
  await pass(6000); // there, and no longer said
  heard();
  asked = [];
});
const said = () => banner.querySelector("[data-words]").textContent;

test("while something is heard nothing is asked", async () => {
  for (let beat = 0; beat < 30; beat += 1) {
    await pass(2000);
    heard();
  }
  assert.deepEqual(asked, []);
  assert.ok(banner.hidden);
});

test("what another tab of this browser hears is heard here, and told to it once a second at most", async () => {
  for (let beat = 0; beat < 10; beat += 1) {
    await pass(2000);
    others.dispatchEvent(new Event("message"));
  }
  assert.deepEqual(asked, []);
  others.sent = 0;
  for (let message = 0; message < 20; message += 1) {
    heard();
    await pass(100);
  }
  assert.equal(others.sent, 2);
});

test("a page that hears nothing asks, and who answers is there, also one that is too busy", async () => {
  answers = 503;
  await pass(10000);
  assert.equal(asked.length, 4);
  assert.ok(banner.hidden);
});

test("a server that is away, hangs or hides behind a gateway is told of within four seconds, and so is its return", async () => {
  for (const what of ["refused", "hangs", 502]) {
    answers = what;
    await pass(4000);
    assert.ok(!banner.hidden, what);
    assert.equal(banner.dataset.reach, "lost");
    assert.match(said(), /reach\.lost reach\.nothing/);
    answers = 200;
    await pass(4000);
    assert.equal(banner.dataset.reach, "back", what);
    assert.equal(said(), "reach.back");
    await pass(4000);
    assert.ok(banner.hidden, what);
    heard();
  }
});

test("what fails or is cut is looked into at once, and so is what the browser says", async () => {
  answers = "refused";
  doubt();
  await settled();
  assert.equal(banner.dataset.reach, "lost");
  answers = 200;
  happened("online");
  await settled();
  assert.equal(banner.dataset.reach, "back");
});

test("without a network a socket that lives on is no sign, an answer is", async () => {
  globalThis.navigator.onLine = false;
  answers = "refused";
  happened("offline");
  await settled();
  heard();
  assert.equal(banner.dataset.reach, "lost");
  answers = 200; // a server on this machine
  await pass(2000);
  assert.equal(banner.dataset.reach, "back");
});

test("a word that comes while the answer is late is enough", async () => {
  answers = "hangs";
  doubt();
  await pass(1000);
  heard();
  await pass(500);
  assert.ok(banner.hidden);
});

test("a tab that nobody sees asks nothing, and asks once it is seen", async () => {
  page.hidden = true;
  await pass(3000);
  assert.deepEqual(asked, []);
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  assert.equal(asked.length, 1);
});

test("drafts are said to be kept only where this browser keeps them", async () => {
  banner.dataset.safe = "drafts";
  answers = "refused";
  doubt();
  await settled();
  assert.match(said(), /reach\.drafts/);
  answers = 200;
  doubt();
  await settled();
  stored.isFull = true;
  answers = "refused";
  doubt();
  await settled();
  assert.match(said(), /reach\.unkept/);
});

test("a form stays where it is while nobody would answer, and goes where somebody does", async () => {
  const form = Object.assign(new FakeElement(), { requestSubmit: () => (form.sent = true) });
  form.setAttribute("method", "post");
  const submit = () => {
    const event = Object.assign(new Event("submit", { cancelable: true }), { submitter: null });
    Object.defineProperty(event, "target", { value: form });
    page.dispatchEvent(event);
    return event;
  };
  assert.ok(!submit().defaultPrevented);
  answers = "refused";
  doubt();
  await settled();
  assert.ok(submit().defaultPrevented);
  await settled();
  assert.ok(!form.sent);
  answers = 200;
  submit();
  await settled();
  assert.ok(form.sent);
});
