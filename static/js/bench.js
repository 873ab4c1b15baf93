/* The workbench: one page, its SKUs, and the person who decides. Holds the state and connects the parts that show it. */
import { Commands, tabSession } from "./bench_commands.js";
import { SkuForm } from "./bench_form.js";
import { Idle } from "./bench_idle.js";
import { SkuIndex } from "./bench_index.js";
import { bindKeys } from "./bench_keys.js";
import { BenchLive } from "./bench_live.js";
import { Lock } from "./bench_lock.js";
import { PageView } from "./bench_page.js";
import { PagePart } from "./bench_page_part.js";
import { candidatesOf, Picker } from "./bench_pictures.js";
import { newestDraft, Saving } from "./bench_saving.js";
import * as states from "./bench_state.js";
import { Status } from "./bench_status.js";
import { Task } from "./bench_task.js";
import { Thread } from "./bench_thread.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

export async function start(root) {
  const data = JSON.parse(document.getElementById("bench-data").textContent);
  const bench = new Bench(root, data, await tabSession());
  bindKeys(bench);
  await bench.begin();
}

class Bench {
  constructor(root, data, session) {
    Object.assign(this, { root, data, meta: data.meta, base: data.state, problems: new Map(), part: "skus", key: null, busy: false });
    this.history = new states.History(data.state);
    this.status = new Status(root, data.can_take_over);
    this.commands = new Commands(root.dataset.commandUrl, session, data.task);
    this.lock = new Lock(this.commands, (state, detail) => this.lockChanged(state, detail));
    this.lock.me = data.name;
    this.task = new Task(this);
    this.evidence = Object.fromEntries(Object.entries(data.meta.skus).map(([id, about]) => [id, about.evidence]));
    this.page = new PageView(root.querySelector("[data-view]"), data.page, data.meta.images, (box) => this.picked(box));
    this.thread = new Thread(root.querySelector("[data-thread]"), root.querySelector("[data-work]"), this.page.root);
    this.form = new SkuForm(root.querySelector("[data-skus-part]"), { meta: data.meta, page: data.page, base: data.state }, this.formEvents());
    this.picker = new Picker(root.querySelector("[data-picker]"), data.meta, { pick: (id, several) => this.pick(id, several) });
    this.index = new SkuIndex(root.querySelector("[data-index]"), data.meta, (at) => this.open(at));
    this.pagePart = new PagePart(root.querySelector("[data-page-part]"), data.meta, {
      page: (changes) => this.change(states.withPage(this.state, changes)),
      role: (picture, role, before) => this.change(states.withRole(this.state, picture, role, before)),
      none: () => this.change(states.withoutProducts(this.state)),
    });
    root.addEventListener("click", (event) => this.pressed(event));
    document.getElementById("skip-dialog").addEventListener("click", (event) => event.target.closest("[data-reason]") && this.task.skip(event.target.closest("[data-reason]").dataset.reason));
  }

  get state() {
    return this.history.now;
  }

  get sku() {
    return this.state.skus[this.at];
  }

  formEvents() {
    return {
      text: (key, text) => this.change(states.withText(this.state, this.at, key, text), `${this.at} ${key}`),
      confirm: (key) => this.confirm(key),
      empty: (key) => this.change(states.withText(this.state, this.at, key, "")) && this.next(1),
      custom: (lines) => this.change(states.withCustom(this.state, this.at, lines), `${this.at} custom`),
      focus: (key) => this.light(key),
      leave: () => this.history.endStep(),
    };
  }

  // --- beginning --------------------------------------------------------------------------------

  async begin() {
    const draft = newestDraft(this.data.user, this.data.task, this.data.draft);
    this.saving = new Saving({
      commands: this.commands, user: this.data.user, seq: draft?.seq ?? 0, pageVersion: this.data.page.version,
      show: (state, detail) => this.status.saving(state, detail), stale: () => this.lock.slipped(),
    });
    if (draft) this.takeUp(draft);
    this.at = states.inOrder(this.state, this.meta)[0] ?? -1;
    if (!this.state.skus.length) this.part = "page";
    this.render();
    this.showHolder();
    new BenchLive(this).connection.start();
    this.idle = new Idle(document.getElementById("idle-dialog"), this.data.idle_s, { isOn: () => this.lock.isMine, ended: () => this.task.idle() });
    const wanted = new URLSearchParams(location.search).has("claim");
    if (wanted) history.replaceState(null, "", location.pathname);
    if (wanted || this.data.holder?.me || this.lock.wasHeldBeforeReload) await this.lock.claim().then((answer) => this.task.refused(answer));
    this.root.dataset.ready = "true";
  }

  takeUp(draft) {
    if (draft.page_version !== this.data.page.version || !states.fits(draft.state, this.base)) return toast(say("bench.draft_unfit"), "person");
    this.history.put(draft.state);
    if (draft.unsent) this.saving.change(this.state, draft.token);
    else this.status.saving("saved");
    if (!states.same(draft.state, this.base)) toast(say("bench.draft_taken_up"), "acc");
  }

  /* What the task's holder has typed so far, for whoever looks on; who takes over then goes on from it. */
  watch({ state, page_version }) {
    if (this.lock.state !== "other" || page_version !== this.data.page.version || !states.fits(state, this.base)) return;
    this.history = new states.History(this.base);
    this.history.put(state);
    this.at = Math.min(this.at, this.state.skus.length - 1);
    this.render();
  }

  showHolder() {
    const { holder, status } = this.data;
    if (holder && !holder.me) this.lock.set("other", { by: holder.name, since: holder.since });
    else if (["COMPLETED", "SKIPPED"].includes(status)) this.lock.set("closed");
    else if (status === "ESCALATED" && !this.data.can_take_over) this.lock.set("escalated");
    else if (!holder) this.lock.set("free");
  }

  lockChanged(state, detail) {
    this.status.lock(state, detail);
    this.root.dataset.lock = state;
    if (this.saving) this.render();
    if (state === "mine") this.focusFirst();
  }

  focusFirst() {
    const [first] = this.left();
    if (first) this.goTo(first);
    else if (this.part === "skus" && !this.picker.root.hidden) this.picker.focusFirst();
    else this.root.querySelector("[data-form]").focus({ preventScroll: true });
  }

  // --- changing ---------------------------------------------------------------------------------

  /* The only way in for a change of the state; nothing changes while the task is not ours. */
  change(state, label = "") {
    if (!this.lock.isMine || this.busy || !this.history.put(state, label)) return false;
    this.changed();
    return true;
  }

  changed() {
    this.problems.get(this.at)?.delete(this.key);
    this.status.problems([]);
    this.at = Math.min(this.at, this.state.skus.length - 1);
    this.saving.change(this.state, this.commands.token);
    this.render();
  }

  undo() {
    if (this.lock.isMine && this.history.undo()) this.changed();
  }

  redo() {
    if (this.lock.isMine && this.history.redo()) this.changed();
  }

  /* Only what is in doubt is confirmed: a value that is not printed, or one that a submit refused. */
  confirm(key) {
    const doubted = this.left().some(([at, open]) => at === this.at && open === key) || this.problems.get(this.at)?.has(key);
    if (doubted) this.change(states.withConfirmed(this.state, this.at, key));
    this.next(1);
  }

  pick(picture, several = false) {
    if (!this.sku) return;
    const next = several && picture ? states.withPictureToggled(this.state, this.at, picture) : states.withPicture(this.state, this.at, picture);
    this.change(next);
  }

  pickNumber(digit) {
    const offered = this.sku ? candidatesOf(this.sku, this) : [];
    if (digit === 0) this.pick(null);
    else if (offered[digit - 1]) this.pick(offered[digit - 1]);
  }

  add() {
    this.grow(states.withNewSku(this.state, this.meta.keys.map(({ key }) => key)));
  }

  duplicate() {
    if (this.sku) this.grow(states.withCopy(this.state, this.at));
  }

  grow(state) {
    if (!this.change(state)) return;
    this.open(this.state.skus.length - 1);
    this.form.focus("model");
  }

  reject() {
    if (this.sku) this.change(states.withRejected(this.state, this.at));
  }

  // --- going about ------------------------------------------------------------------------------

  left() {
    const order = states.inOrder(this.state, this.meta);
    return states.openValues(this.state, this.base, this.meta).sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]));
  }

  open(at) {
    if (at < 0 || at >= this.state.skus.length) return;
    this.history.endStep();
    this.at = at;
    this.part = "skus";
    this.light(null);
    this.render();
    const box = this.sku.box;
    if (box) this.page.reveal(box);
  }

  step(by) {
    const order = states.inOrder(this.state, this.meta);
    this.open(order[order.indexOf(this.at) + by] ?? -1);
  }

  goTo([at, key]) {
    if (at !== this.at || this.part !== "skus") this.open(at);
    this.form.focus(key);
  }

  /* The next value that is left, or the one before; where nothing is, the way is open to submit. */
  next(by) {
    const left = this.left();
    const here = left.findIndex(([at, key]) => at === this.at && key === this.key);
    const wanted = here < 0 ? (by > 0 ? 0 : left.length - 1) : (here + by + left.length) % left.length;
    if (left.length) this.goTo(left[wanted]);
    else if (this.lock.isMine) this.root.querySelector("[data-submit]").focus();
  }

  light(key) {
    this.key = key;
    this.page.light(key && (this.sku?.attributes[key]?.box ?? null));
    this.thread.tie(key && this.root.querySelector(`[data-field="${CSS.escape(key)}"] input`));
  }

  picked({ sku, key, picture }) {
    if (picture) return this.root.querySelector(`[data-card="${CSS.escape(picture)}"]`)?.focus();
    if (sku !== this.at) this.open(sku);
    if (key) this.form.focus(key);
  }

  show(part) {
    this.part = part;
    this.light(null);
    this.render();
    this.root.querySelector(part === "page" ? "[data-page-part] input:checked, [data-page-part] input" : "[data-form]")?.focus();
  }

  // --- showing ----------------------------------------------------------------------------------

  setBusy(busy) {
    this.busy = busy;
    this.root.querySelector("[data-submit]").setAttribute("aria-busy", String(busy));
    this.render();
  }

  /* `atFields`: SKU -> key -> sentence; the first of them is gone to. */
  showProblems(atFields, others) {
    this.problems = atFields;
    this.render();
    this.status.problems(others);
    const [first] = atFields;
    if (first) this.goTo([first[0], first[1].keys().next().value]);
  }

  render() {
    const { state, at, meta } = this;
    const writable = this.lock.isMine && !this.busy;
    const left = states.openValues(state, this.base, meta);
    const leftOf = new Map();
    for (const [n] of left) leftOf.set(n, (leftOf.get(n) ?? 0) + 1);
    const order = states.inOrder(state, meta);
    const offered = this.sku ? candidatesOf(this.sku, this) : [];
    this.form.show({ state, at, writable, open: left.filter(([n]) => n === at).map(([, key]) => key), problems: Object.fromEntries(this.problems.get(at) ?? []) });
    this.picker.show({ sku: this.part === "skus" && !this.sku?.rejected ? this.sku : null, offered, writable });
    this.index.show({ state, order, at, left: leftOf, changed: this.changedSkus() });
    this.pagePart.show({ state, writable });
    this.drawPage(new Set(leftOf.keys()), new Map(offered.map((id, n) => [id, n + 1])));
    this.showParts(writable, left.length);
    this.thread.draw();
  }

  changedSkus() {
    const before = new Map(this.base.skus.map((sku) => [sku.sku_id, sku]));
    return new Set(this.state.skus.flatMap((sku, n) => (states.same(sku, before.get(sku.sku_id)) ? [] : [n])));
  }

  // Boxes are drawn anew only where something about them has changed, not at each letter.
  drawPage(open, numbers) {
    const shown = JSON.stringify([this.at, [...open], [...numbers], this.state.skus.map(({ box, rejected, pictures }) => [box, rejected, pictures])]);
    if (shown === this.drawn) return;
    this.drawn = shown;
    const tied = new Set([...(this.meta.skus[this.sku?.sku_id]?.candidates ?? []), ...(this.sku?.pictures ?? [])]);
    this.page.draw({ state: this.state, evidence: this.evidence, at: this.at, open, numbers, tied });
  }

  showParts(writable, left) {
    for (const [name, selector] of [["skus", "[data-skus-part]"], ["page", "[data-page-part]"]]) {
      this.root.querySelector(selector).hidden = this.part !== name;
      this.root.querySelector(`[data-show-part="${name}"]`).setAttribute("aria-pressed", String(this.part === name));
    }
    for (const button of this.root.querySelectorAll("[data-needs-lock]")) button.disabled = !writable;
    this.root.querySelector("[data-undo]").disabled = !writable || !this.history.past.length;
    this.root.querySelector("[data-redo]").disabled = !writable || !this.history.future.length;
    this.root.querySelector("[data-sku-count]").textContent = this.state.skus.length;
    this.root.querySelector("[data-left]").textContent = left ? say("bench.left", { n: left }) : say("bench.nothing_left");
  }

  pressed(event) {
    const act = event.target.closest("[data-act]")?.dataset.act;
    const acts = {
      take: () => this.task.take("claim"), take_over: () => this.task.take("take_over"), reload: () => location.reload(), list: () => this.task.leave(),
      submit: () => this.task.submit(), save: () => this.saving.flush(), release: () => this.task.release(), undo: () => this.undo(), redo: () => this.redo(),
      skip: () => document.getElementById("skip-dialog").showModal(), add: () => this.add(), duplicate: () => this.duplicate(), reject: () => this.reject(),
      "zoom-in": () => this.page.zoomIn(), "zoom-out": () => this.page.zoomOut(), "fit-page": () => this.page.fitPage(), "fit-width": () => this.page.fitWidth(),
      "zoom-to": () => this.page.zoomTo(this.sku?.box),
    };
    acts[act]?.();
    const part = event.target.closest("[data-show-part]")?.dataset.showPart;
    if (part) this.show(part);
    const layer = event.target.closest("[data-layer]");
    if (layer) layer.setAttribute("aria-pressed", String(!this.page.svg.classList.toggle(`without-${layer.dataset.layer}`)));
    const pane = event.target.closest("[data-show-pane]")?.dataset.showPane;
    if (pane) this.showPane(pane);
  }

  showPane(pane) {
    this.root.dataset.pane = pane;
    for (const button of this.root.querySelectorAll("[data-show-pane]")) button.setAttribute("aria-pressed", String(button.dataset.showPane === pane));
  }
}
