/* Keys that a person chose: kept, refused where they mean something else, and shown wherever they work. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stored } from "./stage.mjs";

stored.setItem("own-keys", JSON.stringify({ "bench add": "y", "bench gone": "z" }));
const { bind, bindings, forgetAll, isMovable, keysOf, move, registered, whenChanged } = await import("../../static/js/key_registry.js");
let told = 0;
whenChanged(() => (told += 1));
const of = (says) => bindings.find((binding) => binding.says === says);
const on = (scope, keys, says) => bind({ scope, keys, says, run: () => {} });

test("a key that was chosen on an earlier page works, and is told so that its button shows it", () => {
  on("bench", ["n"], "add");
  assert.deepEqual(keysOf(of("add")), ["y"]);
  assert.equal(told, 1);
  on("bench", ["k"], "previous");
  assert.equal(told, 1, "nothing was chosen for it");
});

test("a chosen key that a later binding needs is given back", () => {
  on("bench", ["y"], "verdict");
  assert.deepEqual([keysOf(of("add")), keysOf(of("verdict"))], [["n"], ["y"]]);
  assert.equal(JSON.parse(stored.getItem("own-keys"))["bench add"], undefined);
});

test("a usual key that was given to another meanwhile is not taken from it", () => {
  assert.equal(move(of("previous"), "u"), "");
  on("bench", ["g"], "gone");
  assert.deepEqual(keysOf(of("gone")), ["z"]);
  assert.deepEqual(keysOf(of("previous")), ["u"]);
});

test("a key in use, one of the browser's and one that begins a sequence are refused", () => {
  on("global", ["g x"], "go");
  const before = registered();
  assert.equal(move(of("previous"), "n"), "keys.taken");
  assert.equal(move(of("previous"), "Ctrl+W"), "keys.reserved");
  assert.equal(move(of("previous"), "Enter"), "keys.reserved");
  assert.equal(move(of("previous"), "7"), "keys.reserved");
  assert.equal(move(of("previous"), "g"), "keys.taken");
  assert.deepEqual(registered(), before);
});

test("the same key may be another's in another scope, but not where it works everywhere", () => {
  on("list", ["m"], "mark");
  assert.equal(move(of("previous"), "m"), "");
  on("global", ["/"], "search");
  assert.equal(move(of("search"), "m"), "keys.taken");
});

test("only one key alone can be another", () => {
  on("bench", ["+", "="], "larger");
  on("bench", ["e m"], "model");
  on("bench", ["ArrowDown"], "down");
  assert.deepEqual(["previous", "larger", "model", "down"].map((says) => isMovable(of(says))), [true, false, false, false]);
});

test("usual keys come back all at once", () => {
  forgetAll();
  assert.deepEqual(keysOf(of("previous")), ["k"]);
  assert.equal(stored.getItem("own-keys"), "{}");
});
