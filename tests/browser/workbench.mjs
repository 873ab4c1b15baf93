/* A workbench as far as what is done on it asks for it: a state with its history, and which SKU is open. */
import { FakeElement } from "./elements.mjs";
import { History } from "../../static/js/bench_history.js";
import { picturesOf, stillOpen } from "../../static/js/bench_state.js";

export const value = (text, more = {}) => ({ text, box: null, confirmed: false, ...more });
export const sku = (sku_id, attributes, more = {}) => ({ sku_id, rejected: false, attributes, custom: [], pictures: [], box: null, ...more });
export const pageOf = (...skus) => ({ page_type: "A", layout_type: "L1", skus, roles: {}, drawn: [], texts: {}, separate: [], new_type: "" });
export const about = (more = {}) => ({ blockers: [], locked: [], evidence: {}, marks: {}, candidates: [], scores: {}, why: {}, otherwise: {}, confidence: 0.9, subject: false, ...more });
export const metaOf = (skus = {}, more = {}) => ({ skus, images: [], keys: [], accept_from: 0.8, texts: {}, around: [], alternatives: [], ...more });

export class FakeBench {
  root = new FakeElement();
  key = null;
  busy = false;
  lock = { isMine: true, state: "mine" };
  opened = [];

  constructor(base, meta = metaOf(), at = 0) {
    Object.assign(this, { base, meta, at, history: new History(base) });
    this.data = { page: { width_pt: 600, height_pt: 800, version: "v1" } };
    this.page = { root: new FakeElement(), svg: new FakeElement(), page: this.data.page, shown: null, choose: (box) => (this.page.shown = box), hint: () => {}, light: () => {} };
    this.view = { focus: (key) => (this.key = key) };
    this.alternatives = { show: () => {} };
    this.offer = { show: () => {}, propose: (...of) => (this.offered = of) };
  }

  get state() {
    return this.history.now;
  }

  get sku() {
    return this.state.skus[this.at];
  }

  get isWritable() {
    return this.lock.isMine && !this.busy;
  }

  get pictures() {
    return picturesOf(this.state, this.meta);
  }

  change(state, label = "") {
    if (!this.lock.isMine || !this.history.put(state, label)) return false;
    this.at = stillOpen(this.at, this.state, this.meta);
    this.render();
    return true;
  }

  undo() {
    if (this.history.undo()) this.render();
  }

  open(at) {
    this.opened.push(at);
    this.at = at;
  }

  left() {
    return [];
  }

  saidOf() {
    return new Map();
  }

  light() {}

  next() {}

  render() {
    this.boxes?.show();
  }
}
