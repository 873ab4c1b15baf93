/* The workbench: one page, its SKUs, and the person who decides. Holds the state and connects the parts that show it. */
import { Acts } from "./bench_acts.js";
import { Alternatives } from "./bench_alternatives.js";
import { Boxes } from "./bench_boxes.js";
import { bindButtons } from "./bench_buttons.js";
import { placeAt } from "./bench_columns.js";
import { Commands, tabSession } from "./bench_commands.js";
import { seenBy, takenUp } from "./bench_draft.js";
import { formEvents, pageEvents } from "./bench_events.js";
import { SkuForm } from "./bench_form.js";
import { History } from "./bench_history.js";
import { Idle } from "./bench_idle.js";
import { SkuIndex } from "./bench_index.js";
import { bindKeys } from "./bench_keys.js";
import { Layers } from "./bench_layers.js";
import { LeftOver } from "./bench_left_over.js";
import { Lens } from "./bench_lens.js";
import { BenchLive } from "./bench_live.js";
import { Lock, standingOf } from "./bench_lock.js";
import { MiniMap } from "./bench_map.js";
import { PageView } from "./bench_page.js";
import { Offer } from "./bench_offer.js";
import { PagePart } from "./bench_page_part.js";
import { FetchedPart, warm } from "./bench_past.js";
import { Peek } from "./bench_peek.js";
import { Picker } from "./bench_pictures.js";
import { Print } from "./bench_print.js";
import { Said } from "./bench_said.js";
import { newestDraft, Saving } from "./bench_saving.js";
import { Shown } from "./bench_shown.js";
import * as states from "./bench_state.js";
import { Status } from "./bench_status.js";
import { SkuTable } from "./bench_table.js";
import { Talk } from "./bench_talk.js";
import { placed, Task } from "./bench_task.js";
import { Thread } from "./bench_thread.js";
import { Verdict } from "./bench_verdict.js";
import { keep, kept } from "./keeping.js";
import { byId, the } from "./the.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

// What is on the screen comes before what may be next.
const WARM_AFTER_MS = 1000;
// Both show the SKUs; who liked one of them last begins with it.
/** @type {Part[]} */
const VIEWS = ["skus", "table"];
const VIEW = "bench-view";

/** @type {(root: HTMLElement) => Promise<void>} */
export async function start(root) {
  /** @type {BenchData} */
  const data = JSON.parse(byId("bench-data").textContent);
  const bench = new Bench(root, data, await tabSession());
  bindKeys(bench);
  bindButtons(bench);
  await bench.begin();
}

export class Bench {
  /** @param {HTMLElement} root
     @param {BenchData} data
     @param {string} session */
  constructor(root, data, session) {
    this.root = root;
    this.data = data;
    this.meta = data.meta;
    this.base = data.state;
    this.history = new History(data.state);
    this.at = -1; // the SKU that is open, -1 where there is none
    /** @type {string | null} */
    this.key = null; // its field that is looked at
    /** @type {Part} */
    this.part = "skus";
    this.busy = false;
    this.said = new Said();
    /** @type {string | null} */
    this.typing = null;
    this.status = new Status(root, data.can_take_over);
    this.commands = new Commands(root.dataset.commandUrl ?? "", session, data.task);
    this.lock = new Lock(this.commands, (state, detail) => this.lockChanged(state, detail));
    this.lock.me = data.name;
    this.draft = newestDraft(data.user, data.task, data.draft);
    this.saving = new Saving({
      commands: this.commands, user: data.user, seq: this.draft?.seq ?? 0, pageVersion: data.page.version,
      show: (state, detail) => this.status.saving(state, detail), stale: () => this.lock.slipped(),
      checked: (problems) => this.checked(problems),
    });
    this.task = new Task(this);
    this.acts = new Acts(this);
    this.page = new PageView(the(root, "[data-view]"), the(root, "[data-zoom-percent]"), data.page);
    this.map = new MiniMap(the(root, "[data-map]", SVGSVGElement), this.page);
    this.lens = new Lens(the(root, "[data-lens]", SVGSVGElement), this.page);
    this.print = new Print();
    this.boxes = new Boxes(this, this.print, the(root, "[data-sides]"));
    this.layers = new Layers(root, this.page.svg);
    /** @type {Partial<Record<Part, FetchedPart>>} */
    this.fetched = {
      past: new FetchedPart(the(root, "[data-past-part]"), root.dataset.pastUrl ?? ""),
      around: new FetchedPart(the(root, "[data-around-part]"), root.dataset.aroundUrl ?? ""),
    };
    this.peek = new Peek(the(root, "[data-peek]"), data.meta.around, data.page.number);
    this.talk = new Talk(the(root, "[data-talk-part]"), the(root, "[data-talk-count]"), data.name, {
      send: (text) => this.commands.send("comment", { text }), refused: (answer) => this.task.refused(answer),
    });
    const judged = root.querySelector("[data-verdict-part]");
    this.verdict = new Verdict(judged, judged && byId("send-back-dialog", HTMLDialogElement), {
      go: (sku, key) => this.goToChange(sku, key), sendBack: (reason) => this.task.sendBack(reason),
    });
    this.thread = new Thread(the(root, "[data-thread]", SVGSVGElement), the(root, "[data-work]"), this.page.root);
    this.form = new SkuForm(the(root, "[data-skus-part]"), { meta: data.meta, page: data.page, base: data.state }, formEvents(this));
    this.offer = new Offer(the(root, "[data-offer]"), this, this.page.sheet, this.print);
    this.alternatives = new Alternatives(the(root, "[data-alternatives]"), this, this.page.sheet);
    this.index = new SkuIndex(the(root, "[data-index]"), data.meta, (at) => this.open(at));
    this.table = new SkuTable(the(root, "[data-table-part]"), this);
    this.leftOver = new LeftOver(the(root, "[data-left-over]"), data.meta, { take: (line) => this.acts.takeLeft(line), dropped: () => this.changed() });
    this.picker = new Picker(the(root, "[data-picker]"), data, { pick: (id, several) => this.acts.pick(id, several) });
    this.pagePart = new PagePart(the(root, "[data-page-part]"), data, pageEvents(this));
    this.shown = new Shown(this);
    this.idle = new Idle(byId("idle-dialog", HTMLDialogElement), data.idle_s, { isOn: () => this.lock.isMine, ended: () => this.task.idle() });
  }

  get state() {
    return this.history.now;
  }

  /** @returns {Sku | undefined} */
  get sku() {
    return this.state.skus[this.at];
  }

  /** Where the value that is looked at is printed.
     @returns {Box | null} */
  get place() {
    return this.key !== null && this.sku ? placeAt(this.sku, this.key, this.meta) : null;
  }

  get isWritable() {
    return this.lock.isMine && !this.busy;
  }

  /** Of the two views of the SKUs the one that is shown, or would be.
     @returns {SkuForm | SkuTable} */
  get view() {
    return this.part === "table" ? this.table : this.form;
  }

  get pictures() {
    return states.picturesOf(this.state, this.meta);
  }

  // --- beginning --------------------------------------------------------------------------------

  async begin() {
    if (this.draft) this.takeUp(this.draft);
    this.at = states.inOrder(this.state, this.meta)[0] ?? -1;
    if (this.verdict.isThere) this.part = "verdict";
    else if (!this.state.skus.length) this.part = "page";
    else if (kept(VIEW) === "table") this.part = "table";
    const wanted = new URLSearchParams(location.search).has("claim");
    if (wanted) history.replaceState(null, "", location.pathname);
    const { holder } = this.data;
    const held = holder?.tab === this.commands.session;
    const isTaken = wanted && held && !this.lock.isReload;
    if (isTaken) this.lock.resume(holder); // and shows it so
    else {
      this.render();
      const standing = standingOf(this.data, this.commands.session);
      if (standing) this.lock.set(...standing);
    }
    new BenchLive(this).connection.start();
    this.idle.start();
    if (!isTaken && (wanted || held || this.lock.wasHeldBeforeReload)) await this.lock.claim().then((answer) => this.task.refused(answer));
    this.root.dataset.ready = "true";
    if (await this.print.load(this.root.dataset.printUrl ?? "")) this.page.drawPrint(this.print);
    this.page.makeReadable(this.print.lineHeight, this.sku?.box);
    this.render(); // tags keep out of the print's way
    this.layers.count({ blocks: this.print.blocks.length, tables: this.print.tables.length });
  }

  /** Where the page is another since, what was typed is shown beside what it says now.
     @type {(draft: KeptDraft) => void} */
  takeUp(draft) {
    const { state, steps, left } = takenUp(draft, this.base, this.data.page.version);
    this.leftOver.lines = left;
    if (!state) return toast(say("bench.draft_unfit"), "person");
    this.history.restore(state, steps);
    if (draft.unsent) this.saving.change(this.kept(), draft.token ?? 0);
    else this.status.saving("saved");
    if (!states.same(state, this.base)) toast(say("bench.draft_taken_up"), "acc");
  }

  /** What the task's holder has typed so far, for whoever looks on; who takes over then goes on from it.
     @type {(row: DraftRow) => void} */
  watch(row) {
    const seen = this.lock.state === "other" ? seenBy(row, this.base, this.data.page.version) : null;
    if (!seen) return;
    this.history = new History(this.base);
    this.history.put(seen);
    this.at = states.stillOpen(this.at, this.state, this.meta);
    this.render();
  }

  /** @type {(state: LockState, detail: LockDetail) => void} */
  lockChanged(state, detail) {
    this.status.lock(state, detail);
    this.root.dataset.lock = state;
    this.render();
    if (state === "mine") {
      this.focusFirst();
      setTimeout(() => warm(this.root.dataset.nextUrl ?? ""), WARM_AFTER_MS);
    }
  }

  focusFirst() {
    const [first] = this.left();
    if (first) this.goTo(first);
    else if (this.part === "skus" && !this.picker.root.hidden) this.picker.focusFirst();
    else if (this.part === "table") this.table.open();
    else the(this.root, "[data-form]").focus({ preventScroll: true });
  }

  // --- changing ---------------------------------------------------------------------------------

  /** The only way in for a change of the state; nothing changes while the task is not ours. Returns whether anything did.
     @type {(state: PageState, label?: string) => boolean} */
  change(state, label = "") {
    if (!this.isWritable || !this.history.put(state, label)) return false;
    this.changed();
    return true;
  }

  /** A value that is being typed is not judged before it is left.
     @type {(key: string, text: string) => void} */
  typed(key, text) {
    this.typing = `${this.at} ${key}`;
    this.change(states.withText(this.state, this.at, key, text), this.typing);
  }

  fieldLeft() {
    this.history.endStep();
    this.typing = null;
    this.saving.flush();
    if (this.said.doubted.size) requestAnimationFrame(() => this.render());
  }

  /** What the server says to the values as they are by now.
     @type {(problems: Problem[]) => void} */
  checked(problems) {
    if (!problems.length && !this.said.doubted.size) return;
    this.said.doubted = placed(problems).atFields;
    this.render();
  }

  /** key -> sentence of what is said to the values of a SKU: why a submit was refused, and what looks wrong as it was typed.
     @type {(at: number) => Map<string, string>} */
  saidOf(at) {
    return this.said.of(at, this.typing);
  }

  /** What was said of these cells was of what they said before; null: rows have moved.
     @type {(cells: readonly (readonly [row: number, id: string])[] | null) => void} */
  unsay(cells) {
    this.said.forget(cells);
    this.render();
  }

  changed() {
    if (this.key !== null) this.said.forget([[this.at, this.key]]);
    this.status.problems([]);
    this.at = states.stillOpen(this.at, this.state, this.meta);
    this.saving.change(this.kept(), this.commands.token);
    this.render();
  }

  /** What a draft holds: the state, the steps that led there, and what is left of an earlier draft.
     @type {() => DraftState} */
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

  /** Values that nobody has decided, in the order of the index.
     @type {() => OpenValue[]} */
  left() {
    const order = states.inOrder(this.state, this.meta);
    return states.openValues(this.state, this.base, this.meta).sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]));
  }

  /** @type {(at: number) => void} */
  open(at) {
    if (at < 0 || at >= this.state.skus.length) return;
    this.history.endStep();
    this.at = at;
    if (!VIEWS.includes(this.part)) this.part = "skus";
    this.boxes.chosen = null;
    this.light(null);
    this.render();
    const box = this.sku?.box;
    if (box) this.page.reveal(box);
  }

  /** @type {(by: number) => void} */
  step(by) {
    const order = states.inOrder(this.state, this.meta);
    this.open(order[order.indexOf(this.at) + by] ?? -1);
  }

  /** @type {(value: OpenValue) => void} */
  goTo([at, key]) {
    if (at !== this.at || !VIEWS.includes(this.part)) this.open(at);
    this.view.focus(key);
  }

  /** What the first person changed: a value, else the SKU, else the page's own facts.
     @type {(sku_id: string, key: string) => void} */
  goToChange(sku_id, key) {
    const at = this.state.skus.findIndex((sku) => sku.sku_id === sku_id);
    if (at < 0) return this.show("page");
    this.open(at);
    if (this.sku && key in this.sku.attributes) this.view.focus(key);
  }

  /** @type {(key: string) => void} */
  edit(key) {
    if (!VIEWS.includes(this.part)) this.show("skus");
    this.view.focus(key);
  }

  /** The next value that is left, or the one before; where nothing is, the way is open to submit.
     @type {(by: number) => void} */
  next(by) {
    if (this.part === "verdict") return this.verdict.step(by);
    const left = this.left();
    const here = left.findIndex(([at, key]) => at === this.at && key === this.key);
    const wanted = here < 0 ? (by > 0 ? 0 : left.length - 1) : (here + by + left.length) % left.length;
    if (left.length) this.goTo(left[wanted]);
    else if (this.lock.isMine) the(this.root, "[data-submit]").focus();
  }

  /** @type {(key: string | null) => void} */
  light(key) {
    this.key = key;
    this.page.light(this.place);
    // A thread would run over the cells beside: there the print of the value stands above the table.
    this.thread.tie(key === null || this.part === "table" ? null : this.form.root.querySelector(`[data-field="${CSS.escape(key)}"] input`));
  }

  /** A value was pressed on the page.
     @type {(at: number, key: string) => void} */
  picked(at, key) {
    if (at !== this.at) this.open(at);
    this.view.focus(key);
  }

  /** @type {(part: Part) => void} */
  show(part) {
    this.part = part;
    if (VIEWS.includes(part)) keep(VIEW, part);
    if (part === "skus" && this.at < 0) this.at = this.state.skus.length - 1; // from the table's row for a new SKU to the latest
    this.light(null);
    this.render();
    this.fetched[part]?.load();
    if (part === "table") return this.table.open();
    if (part === "talk") return this.talk.input.focus();
    const choice = part === "page" ? (this.root.querySelector("[data-page-part] input:checked:enabled") ?? this.root.querySelector("[data-page-part] input:enabled")) : null;
    (choice ?? the(this.root, "[data-form]")).focus();
  }

  // --- showing ----------------------------------------------------------------------------------

  /** @type {(busy: boolean) => void} */
  setBusy(busy) {
    this.busy = busy;
    the(this.root, "[data-submit]").setAttribute("aria-busy", String(busy));
    this.render();
  }

  /** The first of `atFields` is gone to.
     @type {(atFields: Problems, others: string[]) => void} */
  showProblems(atFields, others) {
    this.said.refused = atFields;
    this.render();
    this.status.problems(others);
    const [first] = [...atFields].flatMap(([at, said]) => [...said.keys()].map((key) => /** @type {OpenValue} */ ([at, key])));
    if (first) this.goTo(first);
  }

  render() {
    this.shown.render();
  }
}
