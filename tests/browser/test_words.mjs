/* Numbers and times as people read them, and text as it stands on the page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import "./stage.mjs";
import { candidatesOf } from "../../static/js/bench_pictures.js";
import { Print } from "../../static/js/bench_print.js";
import { text, tone } from "../../static/js/countdown.js";
import { refusalOf } from "../../static/js/upload_checks.js";
import { firstPart, nextPart, paceOf } from "../../static/js/upload_pace.js";
import { size } from "../../static/js/upload_row.js";
import { say } from "../../static/js/words.js";

test("sizes are told in KB below a tenth of a megabyte, and never as nothing", () => {
  assert.deepEqual([1, 1499, 99999, 100000, 12345678].map(size), ["1 KB", "1 KB", "100 KB", "0.1 MB", "12.3 MB"]);
});

test("time that is left is told in minutes, then in hours, before and after the end", () => {
  assert.deepEqual([1, 60, 61, 3599, 3600, 5400, -61].map((left) => text(left, "{n} min")), ["1 min", "1 min", "2 min", "1:00", "1:00", "1:30", "2 min"]);
});

test("the tone of a deadline grows as it comes near", () => {
  assert.deepEqual([-1, 0, 600, 601, 1200, 1201].map((left) => tone(left, 3600)), ["over", "risk", "risk", "soon", "soon", "calm"]);
});

test("a sentence that is not known says its id, a value that is not given its name", () => {
  assert.equal(say("bench.left {n} {other}", { n: 0 }), "bench.left 0 {other}");
});

test("the pace of an upload is told only once there is one", () => {
  assert.equal(paceOf([[0, 0]], 1e6), "");
  assert.equal(paceOf([[0, 500], [1000, 500]], 1e6), "");
  assert.equal(paceOf([[0, 0], [1000, 1e6]], 1e6), "upload.rate, upload.left_s");
  assert.equal(paceOf([[0, 0], [1000, 1e6]], 90e6), "upload.rate, upload.left_min");
});

test("parts of an upload grow on a quick line up to the most, and shrink on a slow one", () => {
  const [most, quick, slow] = [1500000, 900, 5000];
  assert.equal(firstPart(most), 1048576);
  assert.equal(firstPart(500000), 500000);
  assert.equal(nextPart(1048576, 1048575, quick, most), 1048576, "the last one is shorter and tells nothing");
  assert.equal(nextPart(1048576, 1048576, quick, most), most);
  assert.equal(nextPart(1048576, 1048576, 2000, most), 1048576);
  assert.equal([1, 2, 3, 4].reduce((part) => nextPart(part, part, slow, most), most), 262144);
});

test("a file that is empty, too large or no PDF is not sent", async () => {
  assert.equal(await refusalOf(new File([], "a.pdf"), 10), "upload.empty");
  assert.equal(await refusalOf(new File(["%PDF-1.7 and more"], "a.pdf"), 10), "upload.too_large");
  assert.equal(await refusalOf(new File(["GIF89a"], "a.pdf"), 10), "upload.not_pdf");
  assert.equal(await refusalOf(new File([" \n%PDF-1.7"], "a.pdf"), 100), null);
});

const PRINT = new Print();
PRINT.take({
  blocks: [["b1", [0, 0, 100, 40], [["Oak  chair", [0, 0, 100, 20], [["Oak", [0, 0, 40, 20]], ["chair", [50, 0, 100, 20]]]], ["12.5", [0, 20, 40, 40], [["12.5", [0, 20, 40, 40]]]]]]],
  tables: [],
});

test("words are taken from the print: whole lines as they stand, else word by word", () => {
  assert.equal(PRINT.wordAt([60, 10]).text, "chair");
  assert.equal(PRINT.wordAt([45, 10]), undefined);
  assert.deepEqual(PRINT.textIn([0, 0, 100, 40]), { text: "Oak  chair 12.5", box: [0, 0, 100, 40] });
  assert.deepEqual(PRINT.textIn([45, 0, 100, 19]), { text: "chair", box: [50, 0, 100, 20] });
  assert.equal(PRINT.textIn([200, 200, 300, 300]), null);
  assert.equal(PRINT.blockAt([99, 39]).id, "b1");
});

test("digits of pictures stay as one chooses: bound ones, drawn ones, candidates, then the nearest", () => {
  const picture = (image_id, x) => ({ image_id, box: [x, 0, x + 10, 10] });
  const pictures = [picture("far", 500), picture("near", 20), picture("candidate", 300), picture("was", 400), picture("new-1", 900)];
  const meta = { skus: { a: { candidates: ["candidate", "gone"] } } };
  const sku = (bound) => ({ sku_id: "a", pictures: bound, box: [0, 0, 10, 10] });
  const base = { skus: [sku(["was"])] };
  const offered = (bound) => candidatesOf(sku(bound), { meta, base, pictures });
  assert.deepEqual(offered(["was", "new-1"]), ["was", "new-1", "candidate", "near", "far"]);
  assert.deepEqual(offered(["near", "new-1"]), offered(["was", "new-1"]));
});
