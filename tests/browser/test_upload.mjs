/* An upload and what the server answers: what is tried again, what is refused, and what goes on after a cut. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { FakeElement } from "./elements.mjs";
import { page, settled } from "./stage.mjs";
import { chosen, followKind } from "../../static/js/upload_choices.js";
import { Interrupted, remembered } from "../../static/js/upload_interrupted.js";
import { Transfer } from "../../static/js/upload_transfer.js";

mock.method(performance, "now", () => 0);
const meta = page.querySelector;
let uploads;
let earlier;

class FakeUpload {
  constructor(file, options) {
    Object.assign(this, { file, options, started: 0, resumed: null });
    uploads.push(this);
  }

  findPreviousUploads() {
    return Promise.resolve(earlier);
  }

  resumeFromPreviousUpload(stored) {
    this.resumed = stored;
  }

  start() {
    this.started += 1;
  }

  abort() {
    return Promise.resolve();
  }
}

const pdf = (name = "a.pdf") => new File(["%PDF-1.7 and more"], name);
const problem = (code, more = {}) => ({ originalResponse: { getBody: () => JSON.stringify({ code, title: `said of ${code}`, ...more }) } });

async function begun(file = pdf(), kind = "") {
  const transfer = new Transfer(file, {
    endpoint: "/uploads/", maxBytes: 1e6, chunkBytes: 4e6, kind: () => kind, editionOf: () => "", urgency: () => "now", category: () => "chairs", onChange: () => {},
  });
  await transfer.check();
  return transfer;
}

async function sending() {
  const transfer = await begun();
  await transfer.send();
  return { transfer, upload: uploads.at(-1) };
}

beforeEach(() => {
  [uploads, earlier] = [[], []];
  globalThis.window = { tus: { Upload: FakeUpload, defaultOptions: { urlStorage: { findAllUploads: () => Promise.resolve([{ size: 3 }]) } } } };
  page.querySelector = (selector) => meta.call(page, selector);
});

test("a file that is fine waits its turn, with what it is to be kept as", async () => {
  const transfer = await begun();
  assert.equal(transfer.state, "waiting");
  assert.deepEqual([transfer.metadata.filename, transfer.metadata.category, transfer.metadata.head_sha256.length], ["a.pdf", "chairs", 64]);
  assert.equal("kind" in transfer.metadata || "template" in transfer.metadata, false);
  const study = await begun(pdf(), "study:rct");
  assert.deepEqual([study.metadata.kind, study.metadata.template], ["study", "rct"]);
  const refused = await begun(new File(["GIF89a"], "a.pdf"));
  assert.deepEqual([refused.state, refused.row.said.children.map((child) => child.textContent)], ["refused", ["upload.not_pdf.way"]]);
});

test("where the script that sends did not come, that is said and can be tried again", async () => {
  globalThis.window = {};
  assert.deepEqual(await remembered(), []);
  const transfer = await begun();
  await transfer.send();
  assert.equal(transfer.state, "interrupted");
  assert.deepEqual(transfer.actions().map(({ word }) => word), ["upload.resume", "upload.cancel"]);
  transfer.resume();
  assert.equal(transfer.state, "waiting");
});

test("an upload that the server knows goes on, and not where it was paused meanwhile", async () => {
  earlier = [{ uploadUrl: "/u/1" }];
  const { upload } = await sending();
  assert.deepEqual([upload.resumed, upload.started], [earlier[0], 1]);
  const transfer = await begun();
  const under_way = transfer.send();
  transfer.pause();
  await under_way;
  assert.deepEqual([transfer.state, uploads.at(-1).started], ["paused", 0]);
});

test("a cut is tried again, and so is an offset that another request has moved; a refusal is not", async () => {
  const { upload } = await sending();
  const again = (error) => upload.options.onShouldRetry(error);
  assert.deepEqual([again(new Error("network")), again(problem("offset_mismatch")), again(problem("quota_exceeded"))], [true, true, false]);
});

test("what fails for now can be resumed, what the server refuses cannot", async () => {
  const state = async (error) => {
    const { transfer } = await sending();
    transfer.onError(error);
    return [transfer.state, transfer.row.said.textContent, ...transfer.row.said.children.map((child) => child.textContent)];
  };
  assert.deepEqual(await state(new Error("network")), ["interrupted", "upload.interrupted"]);
  assert.deepEqual(await state(problem("disk_full")), ["interrupted", "said of disk_full"]);
  assert.deepEqual(await state(problem("quota_exceeded")), ["refused", "said of quota_exceeded"]);
  assert.deepEqual(await state(problem("quota_exceeded", { action_hint: "way on" })), ["refused", "said of quota_exceeded", "way on"]);
  assert.deepEqual(await state(problem("disk_full", { action_hint: "later" })), ["interrupted", "said of disk_full", "later"]);
  assert.deepEqual(await state(problem("quota_exceeded", { title: undefined })), ["refused", "upload.refused"]);
});

test("a file that was read before leads to that document, or is processed again under a key of its own", async () => {
  const { transfer } = await sending();
  const { key } = transfer.metadata;
  transfer.onError(problem("duplicate_file", { job_url: "/jobs/1/" }));
  assert.equal(transfer.state, "duplicate");
  assert.equal(transfer.actions()[0].href, "/jobs/1/");
  transfer.processAgain();
  assert.deepEqual([transfer.state, transfer.metadata.again, transfer.metadata.key === key], ["waiting", "1", false]);
});

test("progress is told a few times a second and at the end", async () => {
  const { transfer, upload } = await sending();
  let now = 1000;
  performance.now.mock.mockImplementation(() => now);
  upload.options.onProgress(10, 100);
  now += 100;
  upload.options.onProgress(20, 100);
  assert.equal(transfer.row.percent.textContent, "10%");
  now += 200;
  upload.options.onProgress(30, 100);
  assert.equal(transfer.row.percent.textContent, "30%");
  upload.options.onProgress(100, 100);
  assert.equal(transfer.row.percent.textContent, "100%");
});

test("an upload that a reload cut off is known by its name and size, and forgotten on request", async () => {
  const removed = [];
  globalThis.window.tus.defaultOptions.urlStorage.removeUpload = (key) => Promise.resolve(removed.push(key));
  const file = pdf();
  const one = new Interrupted({ urlStorageKey: "k1", size: file.size, metadata: { filename: "a.pdf" } }, { choose: () => {}, onChange: () => {} });
  assert.deepEqual([one.isOf(file), one.isOf(pdf("b.pdf")), one.isOf(new File(["%PDF-"], "a.pdf"))], [true, false, false]);
  await one.forget();
  await settled();
  assert.deepEqual([removed, one.state, one.row.element.isRemoved], [["k1"], "removed", true]);
  assert.ok(one.row.element instanceof FakeElement);
});

test("what says nothing of the chosen kind is not there and not sent, and comes back with a catalogue", () => {
  const intake = new FakeElement();
  const labels = ["category", "edition_of", "urgency"].map((says) => Object.assign(new FakeElement(), { dataset: { says } }));
  intake.lists.set("[data-says]", labels);
  const category = labels[0].querySelector("select");
  category.value = "chairs";
  intake.found.set("[data-category]", category);
  const kind = intake.querySelector("[data-kind]");
  const choose = (takes) => Object.assign(kind, { selectedOptions: [{ dataset: { takes } }] });
  choose("");
  followKind(intake);
  assert.deepEqual(labels.map((label) => label.hidden), [true, true, true]);
  assert.equal(chosen(intake, "[data-category]", ""), "");
  choose("category edition_of urgency");
  kind.dispatchEvent(new Event("change"));
  assert.deepEqual(labels.map((label) => label.hidden), [false, false, false]);
  assert.equal(chosen(intake, "[data-category]", ""), "chairs");
});
