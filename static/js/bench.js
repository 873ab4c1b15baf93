/* The workbench: one page, its SKUs, and the person who decides. Holds the state and connects the parts that show it. */
import { Acts } from "./bench_acts.js";
import { Boxes } from "./bench_boxes.js";
import { Commands, tabSession } from "./bench_commands.js";
import { SkuForm } from "./bench_form.js";
import { History } from "./bench_history.js";
import { Idle } from "./bench_idle.js";
import { SkuIndex } from "./bench_index.js";
import { bindKeys } from "./bench_keys.js";
import { Layers } from "./bench_layers.js";
import { LeftOver } from "./bench_left_over.js";
import { Lens } from "./bench_lens.js";
import { BenchLive } from "./bench_live.js";
import { Lock } from "./bench_lock.js";
import { MiniMap } from "./bench_map.js";
import { PageView } from "./bench_page.js";
import { PagePart } from "./bench_page_part.js";
import { FetchedPart, warm } from "./bench_past.js";
import { Peek } from "./bench_peek.js";
import { candidatesOf, Picker } from "./bench_pictures.js";
import { Print } from "./bench_print.js";
import { newestDraft, Saving } from "./bench_saving.js";
import * as states from "./bench_state.js";
import { Status } from "./bench_status.js";
import { Talk } from "./bench_talk.js";
import { placed, Task } from "./bench_task.js";
import { Thread } from "./bench_thread.js";
import { Verdict } from "./bench_verdict.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

// What is on the screen comes before what may be next.
const WARM_AFTER_MS = 1000;
const PARTS = ["skus", "page", "verdict", "around", "talk", "past"];

export async function start(root) {
  const data = JSON.parse(document.getElementById("bench-data").textContent);
  const bench = new Bench(root, data, await tabSession());
  bindKeys(bench);
  await bench.begin();
}

export class Bench {
  constructor(root, data, session) {
    Object.assign(this, { root, data, meta: data.meta, base: data.state, problems: new Map(), doubts: new Map(), typing: null, part: "skus", key: null, busy: false });
    this.history = new History(data.state);
    this.status = new Status(root, data.can_take_over);
    this.commands = new Commands(root.dataset.commandUrl, session, data.task);
    this.lock = new Lock(this.commands, (state, detail) => this.lockChanged(state, detail));
    this.lock.me = data.name;
    this.task = new Task(this);
    this.acts = new Acts(this);
    this.evidence = Object.fromEntries(Object.entries(data.meta.skus).map(([id, about]) => [id, about.evidence]));
    this.page = new PageView(root.querySelector("[data-view]"), data.page);
    this.map = new MiniMap(root.querySelector("[data-map]"), this.page);
    this.lens = new Lens(root.querySelector("[data-lens]"), this.page);
    this.print = new Print();
    this.boxes = new Boxes(this, this.print, root.querySelector("[data-sides]"));
    this.layers = new Layers(root, this.page.svg);
    this.fetched = {
      past: new FetchedPart(root.querySelector("[data-past-part]"), root.dataset.pastUrl),
      around: new FetchedPart(root.querySelector("[data-around-part]"), root.dataset.aroundUrl),
    };
    this.peek = new Peek(root.querySelector("[data-peek]"), data.meta.around, data.page.number);
    this.talk = new Talk(root.querySelector("[data-talk-part]"), root.querySelector("[data-talk-count]"), data.name, {
      send: (text) => this.commands.send("comment", { text }), refused: (answer) => this.task.refused(answer),
    });
    this.verdict = new Verdict(root.querySelector("[data-verdict-part]"), document.getElementById("send-back-dialog"), {
      go: (sku, key) => this.goToChange(sku, key), sendBack: (reason) => this.task.sendBack(reason),
    });
    this.thread = new Thread(root.querySelector("[data-thread]"), root.querySelector("[data-work]"), this.page.root);
    this.form = new SkuForm(root.querySelector("[data-skus-part]"), { meta: data.meta, page: data.page, base: data.state }, this.formEvents());
    this.leftOver = new LeftOver(root.querySelector("[data-left-over]"), data.meta, { take: (line) => this.acts.takeLeft(line), dropped: () => this.changed() });
    this.picker = new Picker(root.querySelector("[data-picker]"), data, { pick: (id, several) => this.acts.pick(id, several) });
    this.index = new SkuIndex(root.querySelector("[data-index]"), data.meta, (at) => this.open(at));
    this.pagePart = new PagePart(root.querySelector("[data-page-part]"), data, {
      page: (changes, label) => this.change(states.withPage(this.state, changes), label),
      role: (picture, role) => this.acts.giveRole(picture, role),
      text: (role) => this.acts.giveTextRole(role),
      separate: (table) => this.change(states.withSeparate(this.state, table)),
      none: () => this.change(states.withoutProducts(this.state)),
      choose: (picture) => this.boxes.choose({ kind: "picture", id: picture }),
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

  get pictures() {
    return states.picturesOf(this.state, this.meta);
  }

  formEvents() {
    return {
      text: (key, text) => this.typed(key, text),
      confirm: (key) => this.acts.confirm(key),
      reading: (key) => this.change(states.withText(this.state, this.at, key, this.meta.skus[this.sku.sku_id].otherwise[key])),
      empty: (key) => this.change(states.withText(this.state, this.at, key, "")) && this.next(1),
      custom: (lines) => this.change(states.withCustom(this.state, this.at, lines), `${this.at} custom`),
      focus: (key) => this.light(key),
      leave: () => this.fieldLeft(),
    };
  }

  // --- beginning --------------------------------------------------------------------------------

  async begin() {
    const draft = newestDraft(this.data.user, this.data.task, this.data.draft);
    this.saving = new Saving({
      commands: this.commands, user: this.data.user, seq: draft?.seq ?? 0, pageVersion: this.data.page.version,
      show: (state, detail) => this.status.saving(state, detail), stale: () => this.lock.slipped(),
      checked: (problems) => this.checked(problems),
    });
    if (draft) this.takeUp(draft);
    this.at = states.inOrder(this.state, this.meta)[0] ?? -1;
    if (this.data.judges) this.part = "verdict";
    else if (!this.state.skus.length) this.part = "page";
    const wanted = new URLSearchParams(location.search).has("claim");
    if (wanted) history.replaceState(null, "", location.pathname);
    const held = this.data.holder?.tab === this.commands.session;
    const isTaken = wanted && held && !this.lock.isReload;
    if (isTaken) this.lock.resume(this.data.holder); // and shows it so
    else {
      this.render();
      this.showHolder();
    }
    new BenchLive(this).connection.start();
    this.idle = new Idle(document.getElementById("idle-dialog"), this.data.idle_s, { isOn: () => this.lock.isMine, ended: () => this.task.idle() });
    if (!isTaken && (wanted || held || this.lock.wasHeldBeforeReload)) await this.lock.claim().then((answer) => this.task.refused(answer));
    this.root.dataset.ready = "true";
    if (await this.print.load(this.root.dataset.printUrl)) this.page.drawPrint(this.print);
    this.layers.count({ blocks: this.print.blocks.length, tables: this.print.tables.length });
  }

  takeUp(draft) {
    if (draft.page_version !== this.data.page.version || !states.fits(draft.state, this.base)) return this.putAside(draft);
    const { steps, left = [], ...state } = { ...this.base, ...draft.state };
    this.leftOver.lines = left;
    this.history.restore(state, steps);
    if (draft.unsent) this.saving.change(this.kept(), draft.token);
    else this.status.saving("saved");
    if (!states.same(state, this.base)) toast(say("bench.draft_taken_up"), "acc");
  }

  /* The page is another since: what was typed is shown beside what it says now. */
  putAside(draft) {
    if (Array.isArray(draft.state.skus)) this.leftOver.lines = states.leftOver(draft.state, this.base);
    toast(say("bench.draft_unfit"), "person");
  }

  /* What the task's holder has typed so far, for whoever looks on; who takes over then goes on from it. */
  watch({ state, page_version }) {
    if (this.lock.state !== "other" || page_version !== this.data.page.version || !states.fits(state, this.base)) return;
    const { steps: _, left: __, ...shown } = { ...this.base, ...state };
    this.history = new History(this.base);
    this.history.put(shown);
    this.at = Math.min(this.at, this.state.skus.length - 1);
    this.render();
  }

  showHolder() {
    const { holder, status } = this.data;
    if (holder && !holder.me) this.lock.set("other", { by: holder.name, since: holder.since });
    else if (holder && holder.tab !== this.commands.session) this.lock.set("other_tab");
    else if (["COMPLETED", "SKIPPED"].includes(status)) this.lock.set("closed");
    else if (status === "ESCALATED" && !this.data.can_take_over) this.lock.set("escalated");
    else if (!holder) this.lock.set("free");
  }

  lockChanged(state, detail) {
    this.status.lock(state, detail);
    this.root.dataset.lock = state;
    if (this.saving) this.render();
    if (state === "mine") {
      this.focusFirst();
      setTimeout(() => warm(this.root.dataset.nextUrl), WARM_AFTER_MS);
    }
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

  /* A value that is being typed is not judged before it is left. */
  typed(key, text) {
    this.typing = `${this.at} ${key}`;
    this.change(states.withText(this.state, this.at, key, text), this.typing);
  }

  fieldLeft() {
    this.history.endStep();
    this.typing = null;
    this.saving?.flush();
    if (this.doubts.size) requestAnimationFrame(() => this.render());
  }

  /* What the server says to the values as they are by now: SKU -> key -> sentence. */
  checked(problems) {
    if (!problems.length && !this.doubts.size) return;
    this.doubts = placed(problems).atFields;
    this.render();
  }

  /* key -> sentence of what is said to the values of a SKU: why a submit was refused, and what looks wrong as it was typed. */
  saidOf(at) {
    const doubts = [...(this.doubts.get(at) ?? [])].filter(([key]) => this.typing !== `${at} ${key}`);
    return new Map([...doubts, ...(this.problems.get(at) ?? [])]);
  }

  changed() {
    this.problems.get(this.at)?.delete(this.key);
    this.doubts.get(this.at)?.delete(this.key);
    this.status.problems([]);
    this.at = Math.min(this.at, this.state.skus.length - 1);
    this.saving.change(this.kept(), this.commands.token);
    this.render();
  }

  /* What a draft holds: the state, the steps that led there, and what is left of an earlier draft. */
  kept() {
    return { ...this.state, steps: this.history.steps(), left: this.leftOver.lines };
  }

  undo() {
    if (this.lock.isMine && this.history.undo()) this.changed();
  }

  redo() {
    if (this.lock.isMine && this.history.redo()) this.changed();
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
    this.boxes.chosen = null;
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

  /* What the first person changed: a value, else the SKU, else the page's own facts. */
  goToChange(sku_id, key) {
    const at = this.state.skus.findIndex((sku) => sku.sku_id === sku_id);
    if (at < 0) return this.show("page");
    this.open(at);
    if (key in this.sku.attributes) this.form.focus(key);
  }

  edit(key) {
    if (this.part !== "skus") this.show("skus");
    this.form.focus(key);
  }

  /* The next value that is left, or the one before; where nothing is, the way is open to submit. */
  next(by) {
    if (this.part === "verdict") return this.verdict.step(by);
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

  /* A value was pressed on the page. */
  picked({ sku, key }) {
    if (Number(sku) !== this.at) this.open(Number(sku));
    this.form.focus(key);
  }

  show(part) {
    this.part = part;
    this.light(null);
    this.render();
    this.fetched[part]?.load();
    if (part === "talk") return this.talk.input.focus();
    const choice = part === "page" && (this.root.querySelector("[data-page-part] input:checked:enabled") ?? this.root.querySelector("[data-page-part] input:enabled"));
    (choice || this.root.querySelector("[data-form]")).focus();
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
    this.form.show({ state, at, writable, open: left.filter(([n]) => n === at).map(([, key]) => key), problems: Object.fromEntries(this.saidOf(at)) });
    this.leftOver.show(state);
    this.picker.show({ sku: this.part === "skus" && !this.sku?.rejected ? this.sku : null, offered, writable, pictures: this.pictures });
    this.index.show({ state, order, at, left: leftOf, changed: this.changedSkus() });
    this.pagePart.show({ state, writable, pictures: this.pictures, chosen: this.boxes.chosen });
    this.drawPage(new Set(leftOf.keys()), new Map(offered.map((id, n) => [id, n + 1])));
    this.boxes.show();
    this.showParts(writable, left.length);
    this.thread.draw();
  }

  changedSkus() {
    const before = new Map(this.base.skus.map((sku) => [sku.sku_id, sku]));
    return new Set(this.state.skus.flatMap((sku, n) => (states.same(sku, before.get(sku.sku_id)) ? [] : [n])));
  }

  // Boxes are drawn anew only where something about them has changed, not at each letter.
  drawPage(open, numbers) {
    const shown = JSON.stringify([this.at, [...open], [...numbers], this.state.drawn, this.state.skus.map(({ box, rejected, pictures }) => [box, rejected, pictures]), this.sku && Object.values(this.sku.attributes).map((value) => value?.box)]);
    if (shown === this.drawn) return;
    this.drawn = shown;
    const tied = new Set([...(this.meta.skus[this.sku?.sku_id]?.candidates ?? []), ...(this.sku?.pictures ?? [])]);
    this.page.draw({ state: this.state, base: this.base, images: this.pictures, evidence: this.evidence, at: this.at, open, numbers, tied });
    const withBox = this.state.skus.map((sku, n) => [sku, n]).filter(([sku]) => sku.box && !sku.rejected);
    this.map.draw(withBox.map(([sku]) => sku.box), withBox.filter(([, n]) => open.has(n)).map(([sku]) => sku.box));
    this.layers.count({ skus: withBox.length, pictures: this.pictures.length });
  }

  showParts(writable, left, state = this.state) {
    for (const name of this.data.judges ? PARTS : PARTS.filter((part) => part !== "verdict")) {
      this.root.querySelector(`[data-${name}-part]`).hidden = this.part !== name;
      this.root.querySelector(`[data-show-part="${name}"]`).setAttribute("aria-pressed", String(this.part === name));
    }
    const isFixed = this.data.judges && !states.same(states.trimmed(state), states.trimmed(this.base));
    if (this.data.judges) this.root.querySelector("[data-submit-word]").textContent = say(isFixed ? "bench.fix_and_accept" : "bench.accept");
    for (const button of this.root.querySelectorAll("[data-needs-lock]")) button.disabled = !writable;
    const sure = states.acceptable(this.state, this.base, this.meta).length;
    const all = this.root.querySelector("[data-accept-all]");
    all.querySelector("[data-word]").textContent = say("bench.accept_all", { least: this.meta.accept_from.toFixed(2), n: sure });
    all.disabled = !writable || !sure;
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
      "send-back": () => this.verdict.ask(),
      skip: () => document.getElementById("skip-dialog").showModal(), add: () => this.acts.add(), duplicate: () => this.acts.duplicate(), reject: () => this.acts.reject(),
      split: () => this.acts.split(), merge: () => this.acts.merge(), "accept-all": () => this.acts.acceptAll(), "accept-sku": () => this.acts.acceptSku(),
      "tool-sku": () => this.boxes.take("sku"), "tool-picture": () => this.boxes.take("picture"),
      "zoom-in": () => this.page.zoomIn(), "zoom-out": () => this.page.zoomOut(), "fit-page": () => this.page.fitPage(), "fit-width": () => this.page.fitWidth(),
      "zoom-to": () => this.page.zoomTo(this.sku?.box),
    };
    acts[act]?.();
    const again = event.target.closest("[data-reopen]")?.dataset.reopen;
    if (again) this.task.reopen(again);
    const part = event.target.closest("[data-show-part]")?.dataset.showPart;
    if (part) this.show(part);
    const pane = event.target.closest("[data-show-pane]")?.dataset.showPane;
    if (pane) this.showPane(pane);
  }

  showPane(pane) {
    this.root.dataset.pane = pane;
    for (const button of this.root.querySelectorAll("[data-show-pane]")) button.setAttribute("aria-pressed", String(button.dataset.showPane === pane));
  }
}
