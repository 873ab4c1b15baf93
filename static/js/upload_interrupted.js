/* An upload that a reload cut off: its bytes are on the server, and choosing the same file goes on where it stopped. */
import { size, Row } from "./upload_row.js";
import { say } from "./words.js";

/** @type {() => Promise<TusStored[]>} */
export const remembered = async () => (window.tus ? window.tus.defaultOptions.urlStorage.findAllUploads() : []);

export class Interrupted {
  /** @param {TusStored} stored
     @param {{ choose: () => void, onChange: () => void }} on */
  constructor(stored, { choose, onChange }) {
    this.stored = stored;
    this.onChange = onChange;
    /** @type {UploadState} */
    this.state = "interrupted";
    this.row = new Row(stored.metadata?.filename ?? "");
    this.row.show("interrupted", say("upload.choose_again"));
    this.row.progress(0, stored.size ?? 0);
    this.row.bytes.textContent = size(stored.size ?? 0);
    this.row.percent.textContent = "";
    this.row.offer([
      { word: say("upload.resume"), icon: "play", run: choose },
      { word: say("upload.remove"), icon: "close", quiet: true, run: () => this.forget() },
    ]);
  }

  /** @type {(file: File) => boolean} */
  isOf(file) {
    return this.stored.metadata?.filename === file.name && this.stored.size === file.size;
  }

  async forget() {
    await window.tus?.defaultOptions.urlStorage.removeUpload(this.stored.urlStorageKey);
    this.remove();
  }

  remove() {
    this.row.element.remove();
    this.state = "removed";
    this.onChange();
  }
}
