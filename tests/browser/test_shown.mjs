/* What the workbench shows of its state, given to each part. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeElement } from "./elements.mjs";
import { FakeBench, about, metaOf, pageOf, sku, value } from "./workbench.mjs";
import { Shown } from "../../static/js/bench_shown.js";
import { Verdict } from "../../static/js/bench_verdict.js";

/* `judges`: a task that judges finished work, of which `root` shows what was done. */
function begun({ part = "skus", root = null } = {}) {
  const bench = new FakeBench(pageOf(sku("a", { price: value("10") }, { box: [0, 0, 9, 9] })), metaOf({ a: about({ locked: ["price"] }) }));
  Object.assign(bench, { part, verdict: new Verdict(root, root && new FakeElement(), { go: () => {}, sendBack: () => {} }) });
  bench.data.judges = true;
  if (!root) for (const selector of ["[data-verdict-part]", '[data-show-part="verdict"]']) bench.root.lacks.add(selector);
  const given = {};
  for (const name of ["form", "leftOver", "picker", "index", "pagePart"]) bench[name] = { show: (view) => (given[name] = view) };
  bench.boxes = { chosen: null, show: () => {} };
  bench.thread = { draw: () => {} };
  bench.map = { draw: (boxes, open) => (given.map = [boxes, open]) };
  bench.layers = { count: () => {} };
  given.draws = 0;
  bench.page.draw = () => (given.draws += 1);
  return { bench, given, shown: new Shown(bench), part: (name) => bench.root.querySelector(`[data-${name}-part]`) };
}

test("one part is shown, the others are hidden", () => {
  const { shown, part } = begun({ part: "talk", root: new FakeElement() });
  shown.render();
  assert.deepEqual(["talk", "skus", "page", "verdict"].map((name) => part(name).hidden), [false, true, true, true]);
});

test("where the work to be judged was opened again and is not there, the rest is shown", () => {
  const { shown, part, given } = begun();
  shown.render();
  assert.equal(part("skus").hidden, false);
  assert.deepEqual(given.form.open, ["price"]);
});

test("each part is given what is open, and the map where that is", () => {
  const { bench, shown, given } = begun();
  shown.render();
  assert.deepEqual([[...given.index.left], [...given.index.changed], given.form.writable], [[[0, 1]], [], true]);
  assert.deepEqual(given.map, [[[0, 0, 9, 9]], [[0, 0, 9, 9]]]);
  bench.lock.isMine = false;
  shown.render();
  assert.equal(given.form.writable, false);
});

test("boxes are drawn anew where one of them has changed, not at each letter", () => {
  const { bench, shown, given } = begun();
  shown.render();
  const change = (changes) => {
    bench.history.put({ ...bench.state, skus: [{ ...bench.sku, ...changes }] });
    shown.render();
    return given.draws;
  };
  assert.equal(given.draws, 1);
  assert.equal(change({ attributes: { price: value("11") } }), 2, "it is not open any more");
  assert.equal(change({ attributes: { price: value("112") } }), 2);
  assert.equal(change({ box: [0, 0, 9, 20] }), 3);
});
