/* The registry of keys: names, sequences, scopes, and what is typed or composed is no command. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { heard, page, stored } from "./stage.mjs";
import { isAllowed } from "../../static/js/key_letters.js";
import { bind, nameOf, registered } from "../../static/js/key_registry.js";
import { start } from "../../static/js/keys.js";

mock.timers.enable({ apis: ["setTimeout"] });
let isTyping = false;
page.matches = () => isTyping; // events of the stage are about the page itself
start();
const ran = [];
const on = (keys, name, more = {}) => bind({ scope: "bench", keys, says: name, run: () => ran.push(name), ...more });
on(["j"], "next");
on(["x"], "cross");
on(["e x"], "edit");
on(["1"], "one", { when: () => false });
on(["Shift+2"], "more");
on(["Ctrl+S"], "save", { typing: true });

/* What ran, and whether the key was taken from the browser. */
function pressed(key, more = {}) {
  ran.length = 0;
  const event = heard("keydown", { key, code: "", keyCode: 0, ...more });
  return [...ran, event.defaultPrevented];
}

test("a key has one name, however it is typed", () => {
  assert.equal(nameOf({ key: "z", ctrlKey: true, shiftKey: true }), "Ctrl+Shift+Z");
  assert.equal(nameOf({ key: "s", metaKey: true }), "Ctrl+S");
  assert.equal(nameOf({ key: "E", shiftKey: true }), "Shift+E");
  assert.equal(nameOf({ key: "E" }), "e"); // caps lock
  assert.equal(nameOf({ key: "?", shiftKey: true }), "?");
});

test("a key runs what is bound to it and is taken from the browser, another is left", () => {
  assert.deepEqual(pressed("j"), ["next", true]);
  assert.deepEqual(pressed("b"), [false]);
  assert.deepEqual(pressed("1"), [false]);
});

test("a sequence goes before its last key alone, and only for a while", () => {
  assert.deepEqual(pressed("e"), [false]);
  assert.deepEqual(pressed("x"), ["edit", true]);
  assert.deepEqual(pressed("x"), ["cross", true]);
  pressed("e");
  mock.timers.tick(1200);
  assert.deepEqual(pressed("x"), ["cross", true]);
});

test("what is typed into a field is text, but for the chords that say so", () => {
  isTyping = true;
  assert.deepEqual(pressed("j"), [false]);
  assert.deepEqual(pressed("s", { ctrlKey: true }), ["save", true]);
  isTyping = false;
});

test("what an input method composes is no command", () => {
  assert.deepEqual(pressed("j", { isComposing: true }), [false]);
  assert.deepEqual(pressed("j", { keyCode: 229 }), [false]);
});

test("a digit with Shift is known by its place, whatever the keyboard makes of it", () => {
  assert.deepEqual(pressed("@", { code: "Digit2", shiftKey: true }), ["more", true]);
  assert.deepEqual(pressed("\"", { code: "Digit2", shiftKey: true }), ["more", true]);
});

test("single letters can be switched off, chords stay", () => {
  stored.setItem("single-letter-keys", "off");
  assert.deepEqual(pressed("j"), [false]);
  assert.deepEqual(pressed("s", { ctrlKey: true }), ["save", true]);
  assert.deepEqual(["Tab", "Backspace", "F2", "f", "t"].map(isAllowed), [true, true, true, false, false], "keys with a name stay");
  stored.clear();
});

test("one key is bound once in a scope and everywhere", () => {
  assert.throws(() => on(["j"], "other"), /bound twice/);
  assert.throws(() => bind({ scope: "global", keys: ["j"], says: "other", run: () => {} }), /bound twice/);
  bind({ scope: "list", keys: ["j"], says: "elsewhere", run: () => {} });
  assert.equal(registered().filter(({ keys }) => keys.includes("j")).length, 2);
});
