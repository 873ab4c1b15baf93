/* What is done to SKUs and pictures: confirmed, bound, added, split, merged, accepted, rejected. Each is one step of the history. */
import { readingOf } from "./bench_marks.js";
import { candidatesOf } from "./bench_pictures.js";
import * as states from "./bench_state.js";
import { the } from "./the.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

const UNDO_MS = 10000;

export class Acts {
  /** @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
  }

  /** Only what is in doubt is confirmed: a value that is not printed, or one that is said not to be of its type.
     @type {(key: string) => void} */
  confirm(key) {
    const doubted = this.bench.left().some(([at, open]) => at === this.bench.at && open === key) || this.bench.saidOf(this.bench.at).has(key);
    if (doubted) this.bench.change(states.withConfirmed(this.bench.state, this.bench.at, key));
    this.bench.next(1);
  }

  /** What the last reading says, instead of a person's word.
     @type {(key: string) => void} */
  takeReading(key) {
    const { state, at, sku, meta } = this.bench;
    const reading = sku && readingOf(sku, key, meta);
    if (reading !== undefined) this.bench.change(states.withText(state, at, key, reading));
  }

  /** @type {(picture: string | null, several?: boolean) => void} */
  pick(picture, several = false) {
    if (!this.bench.sku) return;
    const next = several && picture ? states.withPictureToggled(this.bench.state, this.bench.at, picture) : states.withPicture(this.bench.state, this.bench.at, picture);
    this.bench.change(next);
  }

  /** @type {(digit: number, several?: boolean) => void} */
  pickNumber(digit, several = false) {
    const offered = this.bench.sku ? candidatesOf(this.bench.sku, this.bench) : [];
    if (digit === 0) this.pick(null);
    else if (offered[digit - 1]) this.pick(offered[digit - 1], several);
  }

  /** @type {(box?: Box | null) => void} */
  add(box = null) {
    this.grow(states.withNewSku(this.bench.state, this.bench.meta.keys.map(({ key }) => key), box));
  }

  duplicate() {
    if (this.bench.sku) this.grow(states.withCopy(this.bench.state, this.bench.at));
  }

  split() {
    if (this.bench.sku && !this.bench.sku.rejected) this.grow(states.withSplit(this.bench.state, this.bench.at));
  }

  /* The next SKU that is not rejected, or else the one before, becomes part of the open one. */
  merge() {
    const order = states.inOrder(this.bench.state, this.bench.meta);
    const here = order.indexOf(this.bench.at);
    const from = [...order.slice(here + 1), ...order.slice(0, Math.max(here, 0)).reverse()].find((at) => !this.bench.state.skus[at].rejected);
    const open = this.bench.sku;
    if (!open || from === undefined || open.rejected) return toast(say("bench.nothing_to_merge"), "person");
    const [into, name] = [this.bench.at, `S${from + 1}`];
    const other = this.bench.state.skus[from];
    if (!this.bench.change(states.withMerged(this.bench.state, into, from))) return;
    if (other.sku_id === null && from < into) this.bench.at = into - 1;
    this.bench.render();
    toast(say("bench.merged", { name, into: open.attributes.model?.text ?? `S${this.bench.at + 1}` }), "done", this.undoAction());
  }

  /** @type {() => ToastAction} */
  undoAction() {
    const now = this.bench.state;
    return { word: say("bench.undo"), stays_ms: UNDO_MS, run: () => this.bench.state === now && this.bench.undo() };
  }

  acceptAll() {
    const places = states.acceptable(this.bench.state, this.bench.base, this.bench.meta);
    if (!places.length || !this.bench.change(states.withAccepted(this.bench.state, places))) return;
    toast(say("bench.accepted_all", { n: places.length }), "done", this.undoAction());
  }

  acceptSku() {
    const [first] = this.bench.left().filter(([at]) => at === this.bench.at);
    if (first) return this.confirm(first[1]);
    if (this.bench.sku && !this.bench.sku.rejected && this.bench.change(states.withAccepted(this.bench.state, [this.bench.at]))) this.openUnaccepted();
  }

  openUnaccepted() {
    const next = states.inOrder(this.bench.state, this.bench.meta).find((at) => !this.bench.state.skus[at].accepted && !this.bench.state.skus[at].rejected);
    if (next !== undefined) this.bench.open(next);
    else the(this.bench.root, "[data-submit]").focus();
  }

  /** @type {(state: PageState) => void} */
  grow(state) {
    if (!this.bench.change(state)) return;
    this.bench.open(this.bench.state.skus.length - 1);
    this.bench.view.focus("model");
  }

  /** A line of an earlier draft. Pictures that are not there any more are not bound.
     @type {(line: LeftLine) => void} */
  takeLeft(line) {
    const { state, pictures } = this.bench;
    if (line.sku) {
      const known = new Set(pictures.map(({ image_id: picture }) => picture));
      return this.grow({ ...state, skus: [...state.skus, { ...line.sku, pictures: line.sku.pictures.filter((picture) => known.has(picture)) }] });
    }
    const at = state.skus.findIndex((one) => one.sku_id === line.sku_id);
    this.bench.change(states.withText(state, at, line.key, line.mine));
    this.bench.goTo([at, line.key]);
  }

  reject() {
    if (this.bench.sku) this.bench.change(states.withRejected(this.bench.state, this.bench.at));
  }

  /** @type {(picture: string, role: string) => void} */
  giveRole(picture, role) {
    const before = this.bench.pictures.find((image) => image.image_id === picture)?.role;
    this.bench.change(states.withRole(this.bench.state, picture, role, before));
  }

  /** @type {(role: string) => void} */
  giveTextRole(role) {
    const { chosen } = this.bench.boxes;
    if (chosen?.kind !== "block") return toast(say("bench.choose_text"), "person");
    const { id } = chosen;
    this.bench.change(states.withTextRole(this.bench.state, id, role, this.bench.meta.texts[id]));
  }
}
