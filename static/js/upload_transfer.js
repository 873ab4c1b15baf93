/* One file on its way: checks, sends, pauses, resumes, and turns the server's answers into a state and a sentence. */
import { the } from "./the.js";
import { headHash, newKey, refusalOf } from "./upload_checks.js";
import { firstPart, nextPart, paceOf } from "./upload_pace.js";
import { Row } from "./upload_row.js";
import { say } from "./words.js";

const RETRIES_MS = [0, 1000, 3000, 5000, 10000];
const RATE_WINDOW_MS = 4000;
const SHOWN_EVERY_MS = 250;
const MB = 1e6;
const MIB = 1048576;

export class Transfer {
  /** @param {File} file
     @param {UploadOptions} options */
  constructor(file, options) {
    this.file = file;
    this.options = options;
    this.row = new Row(file.name);
    /** @type {Record<string, string>} */
    this.metadata = {};
    /** @type {TusUpload | null} */
    this.upload = null;
    this.partBeganAt = 0;
    this.sent = 0;
    /** @type {SentMark[]} */
    this.marks = [];
    this.shownAt = 0;
    this.jobUrl = "";
    this.earlierUrl = "";
    /** @type {UploadState} */
    this.state = "checking";
    this.set("checking", say("upload.checking"));
    this.row.progress(0, file.size);
  }

  async check() {
    const refusal = await refusalOf(this.file, this.options.maxBytes);
    if (refusal) return this.set("refused", say(refusal, { limit: Math.floor(this.options.maxBytes / MIB) }), say(`${refusal}.way`));
    const [kind, template = ""] = this.options.kind().split(":");
    this.metadata = {
      ...(kind ? { kind, template } : {}),
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
    if (!window.tus) return this.set("interrupted", say("request.failed")); // its script did not come
    this.set("sending", "");
    const upload = new window.tus.Upload(this.file, {
      endpoint: this.options.endpoint,
      chunkSize: firstPart(this.options.chunkBytes),
      retryDelays: RETRIES_MS,
      metadata: this.metadata,
      headers: { "X-CSRFToken": the(document, "meta[name=csrf-token]", HTMLMetaElement).content },
      removeFingerprintOnSuccess: true,
      // Another request of this upload was faster: its offset is asked for, and it goes on.
      onShouldRetry: (error) => (problemOf(error).code ?? "offset_mismatch") === "offset_mismatch",
      onChunkComplete: (bytes) => this.fitParts(upload, bytes),
      onProgress: (sent, total) => this.onProgress(sent, total),
      onAfterResponse: (_request, response) => this.onAnswer(response),
      onSuccess: () => this.onReceived(),
      onError: (error) => this.onError(error),
    });
    this.upload = upload;
    const [previous] = await upload.findPreviousUploads();
    // The idempotency key belongs to the upload that the server already knows.
    if (previous) upload.resumeFromPreviousUpload(previous);
    this.partBeganAt = performance.now();
    if (this.state === "sending") upload.start();
  }

  /** @type {(upload: TusUpload, bytes: number) => void} */
  fitParts({ options }, bytes) {
    const now = performance.now();
    options.chunkSize = nextPart(options.chunkSize, bytes, now - this.partBeganAt, this.options.chunkBytes);
    this.partBeganAt = now;
  }

  /** @type {(response: TusResponse) => void} */
  onAnswer(response) {
    this.jobUrl = response.getHeader("Job-Url") ?? this.jobUrl;
    this.earlierUrl = response.getHeader("Duplicate-Of-Url") ?? this.earlierUrl;
  }

  /** @type {(sent: number, total: number) => void} */
  onProgress(sent, total) {
    if (this.state !== "sending") return;
    const now = performance.now();
    this.sent = sent;
    this.marks.push([now, sent]);
    while (this.marks.length > 2 && now - this.marks[0][0] > RATE_WINDOW_MS) this.marks.shift();
    if (now - this.shownAt < SHOWN_EVERY_MS && sent < total) return;
    this.shownAt = now;
    this.row.progress(sent, total);
    this.row.said.textContent = paceOf(this.marks, total - sent);
  }

  onReceived() {
    this.row.progress(this.file.size, this.file.size);
    this.set("received", this.earlierUrl ? say("upload.duplicate") : say("upload.received"));
    document.dispatchEvent(new CustomEvent("documents:changed"));
  }

  /** @type {(error: TusError) => void} */
  onError(error) {
    const problem = problemOf(error);
    if (problem.code === "duplicate_file") {
      this.jobUrl = problem.job_url ?? "";
      return this.set("duplicate", problem.title ?? say("upload.duplicate"));
    }
    if (problem.code && !["upload_gone", "offset_mismatch", "upload_busy", "disk_full"].includes(problem.code)) {
      return this.set("refused", problem.title ?? say("upload.refused"), problem.action_hint);
    }
    this.set("interrupted", problem.title ?? say("upload.interrupted", { sent: Math.floor(this.sent / MB) }), problem.action_hint);
  }

  async pause() {
    this.set("paused", say("upload.paused", { sent: Math.floor(this.sent / MB) }));
    await this.upload?.abort();
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

  remove() {
    this.row.element.remove();
    this.state = "removed";
    this.options.onChange();
  }

  /** @type {(state: UploadState, sentence: string, way?: string) => void} */
  set(state, sentence, way) {
    this.state = state;
    this.row.show(state, sentence, way);
    this.row.offer(this.actions());
    this.options.onChange();
  }

  /** @type {() => RowAction[]} */
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

/** The server's problem (RFC 9457) behind a failed request; empty when the network is what failed.
   @type {(error: TusError) => ServerProblem} */
function problemOf(error) {
  try {
    return JSON.parse(error.originalResponse?.getBody() ?? "");
  } catch {
    return {};
  }
}
