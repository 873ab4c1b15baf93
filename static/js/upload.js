/* Resumable uploads (tus 1.0): files and folders by drop or button, a few at a time, continued after a reload. */
import { bind } from "./key_registry.js";
import { the } from "./the.js";
import { toast } from "./toasts.js";
import { chosen, followKind } from "./upload_choices.js";
import { filesOf } from "./upload_drop.js";
import { Interrupted, remembered } from "./upload_interrupted.js";
import { Transfer } from "./upload_transfer.js";
import { say } from "./words.js";

const AT_ONCE = 2;
let bound = false;

/** @type {(intake: HTMLElement) => void} */
export function start(intake) {
  const uploads = new Uploads(intake);
  const input = the(intake, "[data-file]", HTMLInputElement);
  const choose = () => input.click();
  followKind(intake);
  the(intake, "[data-choose]").addEventListener("click", choose);
  input.addEventListener("change", () => {
    uploads.add([...(input.files ?? [])]);
    input.value = "";
  });
  listenForDrops(intake, uploads);
  addEventListener("beforeunload", (event) => uploads.isBusy() && event.preventDefault());
  uploads.showInterrupted(choose);
  if (bound) return;
  bound = true;
  bind({ scope: "list", keys: ["u"], says: "keys.choose", run: choose });
}

/** A file dropped beside the zone must not replace the page, so the whole window takes it.
   @type {(intake: HTMLElement, uploads: Uploads) => void} */
function listenForDrops(intake, uploads) {
  const zone = the(intake, "[data-drop]");
  /** @type {(event: DragEvent) => boolean | undefined} */
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  addEventListener("dragleave", (event) => !event.relatedTarget && zone.classList.remove("over"));
  addEventListener("drop", async (event) => {
    if (!event.dataTransfer || !carriesFiles(event)) return;
    event.preventDefault();
    zone.classList.remove("over");
    const files = await filesOf(event.dataTransfer);
    if (files.length) uploads.add(files);
    else toast(say("upload.no_pdf_in_folder"), "person");
  });
}

class Uploads {
  /** @param {HTMLElement} intake */
  constructor(intake) {
    this.intake = intake;
    this.panel = the(intake, "[data-uploads]");
    this.list = the(intake, "[data-uploads-list]");
    /** @type {(Transfer | Interrupted)[]} */
    this.transfers = [];
  }

  /** @type {(files: File[]) => void} */
  add(files) {
    for (const file of files) {
      this.transfers.find((t) => t instanceof Interrupted && t.isOf(file))?.remove();
      const transfer = new Transfer(file, {
        endpoint: this.intake.dataset.endpoint ?? "",
        maxBytes: Number(this.intake.dataset.maxBytes),
        chunkBytes: Number(this.intake.dataset.chunkBytes),
        kind: () => chosen(this.intake, "[data-kind]", ""),
        editionOf: () => chosen(this.intake, "[data-edition-of]", ""),
        urgency: () => chosen(this.intake, "[data-urgency]", "now"),
        category: () => chosen(this.intake, "[data-category]", ""),
        onChange: () => this.onChange(),
      });
      this.transfers.push(transfer);
      this.list.append(transfer.row.element);
      transfer.check().then(() => this.next());
    }
    this.onChange();
  }

  /** @type {(choose: () => void) => Promise<void>} */
  async showInterrupted(choose) {
    for (const stored of await remembered()) {
      const transfer = new Interrupted(stored, { choose, onChange: () => this.onChange() });
      this.transfers.push(transfer);
      this.list.append(transfer.row.element);
    }
    this.onChange();
  }

  next() {
    const sending = this.transfers.filter((t) => t.state === "sending").length;
    const ready = this.transfers.filter((t) => t instanceof Transfer).filter((t) => t.state === "waiting");
    for (const transfer of ready.slice(0, Math.max(0, AT_ONCE - sending))) transfer.send();
  }

  isBusy() {
    return this.transfers.some((t) => ["sending", "waiting"].includes(t.state));
  }

  onChange() {
    this.transfers = this.transfers.filter((t) => t.state !== "removed");
    this.panel.hidden = this.transfers.length === 0;
    this.intake.classList.toggle("quiet", this.panel.hidden);
    this.tell(this.sum());
    this.next();
  }

  /** Read aloud where it is listened to, so only what is new.
     @type {(sentence: string) => void} */
  tell(sentence) {
    const place = the(this.intake, "[data-uploads-sum]");
    if (place.textContent !== sentence) place.textContent = sentence;
  }

  sum() {
    /** @type {(...states: UploadState[]) => number} */
    const count = (...states) => this.transfers.filter((t) => states.includes(t.state)).length;
    const parts = [this.transfers.length === 1 ? say("upload.file") : say("upload.files", { n: this.transfers.length })];
    if (count("sending")) parts.push(say("upload.sending", { n: count("sending") }));
    if (count("interrupted", "paused")) parts.push(say("upload.resumable", { n: count("interrupted", "paused") }));
    return parts.join(", ");
  }
}
