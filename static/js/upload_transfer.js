/* One file on its way: checks, sends, pauses, resumes, and turns the server's answers into a state and a sentence. */
import { headHash, newKey, refusalOf } from "./upload_checks.js";
import { size, Row } from "./upload_row.js";
import { say } from "./words.js";

const RETRIES_MS = [0, 1000, 3000, 5000, 10000];
const RATE_WINDOW_MS = 4000;
const SHOWN_EVERY_MS = 250;
const PART_BYTES = { first: 1048576, least: 262144 };
const PART_MS = { quick: 1000, slow: 4000 };
const MB = 1e6;
const MIB = 1048576;

export class Transfer {
  constructor(file, options) {
    this.file = file;
    this.options = options;
    this.row = new Row(file.name);
    this.metadata = {};
    this.marks = [];
    this.shownAt = 0;
    this.jobUrl = "";
    this.set("checking", say("upload.checking"));
    this.row.progress(0, file.size);
  }

  static async remembered() {
    return window.tus ? window.tus.defaultOptions.urlStorage.findAllUploads() : [];
  }

  /* A row for an upload that a reload cut off; choosing the same file goes on where it stopped. */
  static interrupted(stored, { choose, onChange }) {
    const name = stored.metadata?.filename ?? "";
    const transfer = Object.create(Transfer.prototype);
    Object.assign(transfer, { stored, row: new Row(name), options: { onChange }, state: "interrupted" });
    transfer.row.show("interrupted", say("upload.choose_again"));
    transfer.row.progress(0, stored.size ?? 0);
    transfer.row.bytes.textContent = size(stored.size ?? 0);
    transfer.row.percent.textContent = "";
    transfer.row.offer([
      { word: say("upload.resume"), icon: "play", run: choose },
      { word: say("upload.remove"), icon: "close", quiet: true, run: () => transfer.forget() },
    ]);
    return transfer;
  }

  isRemembered(file) {
    return this.stored?.metadata?.filename === file.name && this.stored.size === file.size;
  }

  async forget() {
    await window.tus.defaultOptions.urlStorage.removeUpload(this.stored.urlStorageKey);
    this.remove();
  }

  async check() {
    const refusal = await refusalOf(this.file, this.options.maxBytes);
    if (refusal) return this.refuse(say(refusal, { limit: Math.floor(this.options.maxBytes / MIB) }));
    this.metadata = {
      filename: this.file.name,
      category: this.options.category(),
      edition_of: this.options.editionOf(),
      urgency: this.options.urgency(),
      key: newKey(),
      head_sha256: await headHash(this.file),
    };
    this.set("waiting", say("upload.waiting"));
  }

  async send() {
    this.set("sending", "");
    this.upload = new window.tus.Upload(this.file, {
      endpoint: this.options.endpoint,
      chunkSize: Math.min(PART_BYTES.first, this.options.chunkBytes),
      retryDelays: RETRIES_MS,
      metadata: this.metadata,
      headers: { "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content },
      removeFingerprintOnSuccess: true,
      // Another request of this upload was faster: its offset is asked for, and it goes on.
      onShouldRetry: (error) => ["offset_mismatch", undefined].includes(problemOf(error).code),
      onChunkComplete: (bytes) => this.fitParts(bytes),
      onProgress: (sent, total) => this.onProgress(sent, total),
      onAfterResponse: (_request, response) => this.onAnswer(response),
      onSuccess: () => this.onReceived(),
      onError: (error) => this.onError(error),
    });
    const [previous] = await this.upload.findPreviousUploads();
    // The idempotency key belongs to the upload that the server already knows.
    if (previous) this.upload.resumeFromPreviousUpload(previous);
    this.partBeganAt = performance.now();
    if (this.state === "sending") this.upload.start();
  }

  /* Parts of a second or so on any line: behind proxies that keep a part back, a cut costs the whole of it. */
  fitParts(bytes) {
    const [now, parts] = [performance.now(), this.upload.options];
    const taken = now - this.partBeganAt;
    this.partBeganAt = now;
    if (bytes < parts.chunkSize) return;
    if (taken < PART_MS.quick) parts.chunkSize = Math.min(parts.chunkSize * 2, this.options.chunkBytes);
    else if (taken > PART_MS.slow) parts.chunkSize = Math.max(parts.chunkSize / 2, PART_BYTES.least);
  }

  onAnswer(response) {
    this.jobUrl = response.getHeader("Job-Url") ?? this.jobUrl;
    this.earlierUrl = response.getHeader("Duplicate-Of-Url") ?? this.earlierUrl;
  }

  onProgress(sent, total) {
    if (this.state !== "sending") return;
    const now = performance.now();
    this.sent = sent;
    this.marks.push([now, sent]);
    while (this.marks.length > 2 && now - this.marks[0][0] > RATE_WINDOW_MS) this.marks.shift();
    if (now - this.shownAt < SHOWN_EVERY_MS && sent < total) return;
    this.shownAt = now;
    this.row.progress(sent, total);
    this.row.said.textContent = this.pace(total - sent);
  }

  pace(left) {
    const [first, last] = [this.marks[0], this.marks[this.marks.length - 1]];
    const rate = (last[1] - first[1]) / Math.max(1, last[0] - first[0]) * 1000;
    if (this.marks.length < 2 || rate <= 0) return "";
    const seconds = Math.ceil(left / rate);
    const eta = seconds < 90 ? say("upload.left_s", { n: seconds }) : say("upload.left_min", { n: Math.round(seconds / 60) });
    return `${say("upload.rate", { rate: (rate / MB).toFixed(1) })}, ${eta}`;
  }

  onReceived() {
    this.row.progress(this.file.size, this.file.size);
    this.set("received", this.earlierUrl ? say("upload.duplicate") : say("upload.received"));
    document.dispatchEvent(new CustomEvent("documents:changed"));
  }

  onError(error) {
    const problem = problemOf(error);
    if (problem.code === "duplicate_file") {
      this.jobUrl = problem.job_url;
      return this.set("duplicate", problem.title);
    }
    if (problem.code && !["upload_gone", "offset_mismatch", "upload_busy", "disk_full"].includes(problem.code)) {
      return this.refuse(problem.title ?? say("upload.refused"));
    }
    this.set("interrupted", problem.title ?? say("upload.interrupted", { sent: Math.floor((this.sent ?? 0) / MB) }));
  }

  async pause() {
    this.set("paused", say("upload.paused", { sent: Math.floor((this.sent ?? 0) / MB) }));
    await this.upload.abort();
  }

  resume() {
    this.marks = [];
    this.set("waiting", say("upload.waiting"));
  }

  async cancel() {
    await this.upload?.abort(true).catch(() => {});
    this.remove();
  }

  processAgain() {
    this.metadata = { ...this.metadata, key: newKey(), again: "1" };
    this.resume();
  }

  refuse(sentence) {
    this.set("refused", sentence);
  }

  remove() {
    this.row.element.remove();
    this.state = "removed";
    this.options.onChange();
  }

  set(state, sentence) {
    this.state = state;
    this.row.show(state, sentence);
    this.row.offer(this.actions());
    this.options.onChange();
  }

  actions() {
    const cancel = { word: say("upload.cancel"), icon: "close", quiet: true, run: () => this.cancel() };
    const remove = { word: say("upload.remove"), icon: "close", quiet: true, run: () => this.remove() };
    switch (this.state) {
      case "sending":
        return [{ word: say("upload.pause"), icon: "pause", quiet: true, run: () => this.pause() }, cancel];
      case "paused":
      case "interrupted":
        return [{ word: say("upload.resume"), icon: "play", run: () => this.resume() }, cancel];
      case "received":
        return [...(this.jobUrl ? [{ word: say("upload.open"), href: this.jobUrl }] : []), remove];
      case "duplicate":
        return [
          { word: say("upload.show"), href: this.jobUrl },
          { word: say("upload.again"), run: () => this.processAgain() },
          remove,
        ];
      case "refused":
        return [remove];
      default:
        return [cancel];
    }
  }
}

/* The server's problem (RFC 9457) behind a failed request; empty when the network is what failed. */
function problemOf(error) {
  try {
    return JSON.parse(error.originalResponse.getBody());
  } catch {
    return {};
  }
}
