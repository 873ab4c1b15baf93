/* A session that ended: the dialog waits for a pause of typing, and a new session of the same person goes on where the page was. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { FakeElement } from "./elements.mjs";
import { page, settled } from "./stage.mjs";

mock.timers.enable({ apis: ["setTimeout"] });
let now = 1e6;
mock.method(performance, "now", () => now);
const capture = {};
globalThis.addEventListener = (type, listener) => (capture[type] = listener);

let here;
let there;
let answers;
let reloaded;
const metaIn = (values) => (selector) => Object.entries(values).find(([name]) => selector === `meta[name=${name}]`)?.[1] ?? null;
const metas = (token, user) => ({ "csrf-token": Object.assign(new globalThis.HTMLMetaElement(), { content: token }), user: Object.assign(new globalThis.HTMLMetaElement(), { content: user }) });
globalThis.DOMParser = class {
  parseFromString() {
    return { querySelector: metaIn(there) };
  }
};
globalThis.FormData = class {
  set() {}
};
globalThis.fetch = (address, options) => Promise.resolve(answers(address, options));
globalThis.location = { reload: () => (reloaded += 1) };
page.querySelector = (selector) => metaIn(here)(selector);
const { sessionEnded, start } = await import("../../static/js/signin.js");

let dialog;
beforeEach(() => {
  here = metas("old", "7");
  there = metas("new", "7");
  reloaded = 0;
  answers = (_address, options) => ({ type: options ? "opaqueredirect" : "basic", status: 200, text: () => Promise.resolve("") });
  dialog = Object.assign(new FakeElement(), { dataset: { url: "/login/", tokenUrl: "/password/" } });
  Object.assign(dialog, { showModal: () => (dialog.open = true), close: () => (dialog.open = false) });
  dialog.querySelector("form").reset = () => {};
  dialog.querySelector("[name=password]").select = () => {};
  start(dialog);
  now += 1e5;
});

async function signIn() {
  dialog.querySelector("form").dispatchEvent(new Event("submit", { cancelable: true }));
  for (let n = 0; n < 4; n += 1) await settled();
}

test("whoever types is not interrupted; the dialog opens in the first pause, once", () => {
  capture.keydown();
  sessionEnded();
  assert.equal(dialog.open, false);
  now += 600;
  capture.keydown();
  mock.timers.tick(1000);
  assert.equal(dialog.open, false, "typed on meanwhile");
  now += 1000;
  mock.timers.tick(1000);
  assert.equal(dialog.open, true);
  assert.ok(dialog.querySelector("[name=password]").isFocused);
});

test("the same person goes on, with the new token", async () => {
  let renewed = 0;
  page.addEventListener("session:renewed", () => (renewed += 1), { once: true });
  sessionEnded();
  await signIn();
  assert.deepEqual([dialog.open, here["csrf-token"].content, renewed, reloaded], [false, "new", 1, 0]);
});

test("somebody else's session loads the page anew, whose drafts are not theirs", async () => {
  there = metas("new", "8");
  sessionEnded();
  await signIn();
  assert.deepEqual([here["csrf-token"].content, reloaded], ["old", 1]);
});

test("a wrong password, too many of them and no answer are told apart, and the button works again", async () => {
  sessionEnded();
  const said = async (found) => {
    answers = found;
    await signIn();
    assert.equal(dialog.querySelector("[data-signin]").disabled, false);
    return dialog.querySelector("[data-signin-words]").textContent;
  };
  const posted = (status) => (_address, options) => ({ type: "basic", status: options ? status : 200, text: () => Promise.resolve("") });
  assert.deepEqual([await said(posted(200)), await said(posted(429)), await said(posted(403))], ["signin.wrong", "signin.locked", "signin.locked"]);
  assert.equal(await said(() => Promise.reject(new TypeError("network"))), "signin.offline");
  assert.equal(dialog.open, true);
});

test("a tab that comes back while the dialog is open asks whether somebody signed in elsewhere", async () => {
  sessionEnded();
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  await settled();
  assert.equal(dialog.open, false);
});
