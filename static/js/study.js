/* One study: its fields by keys, the page that follows them, and what other people decide meanwhile. */
import { fetched } from "./fetched.js";
import { bind } from "./key_registry.js";
import { showOnButtons } from "./keys.js";
import { Connection } from "./live_connection.js";
import { Freshness } from "./study_fresh.js";
import { StudyView } from "./study_view.js";
import { byId, the } from "./the.js";
import { toast } from "./toasts.js";
import { TypedAhead } from "./typed_ahead.js";
import { say } from "./words.js";

const OFFERS = ["1", "2", "3", "4", "5"];

/** @type {(root: HTMLElement) => void} */
export function start(root) {
  new Study(root).start();
}

class Study {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.view = new StudyView(the(root, "[data-study-view]"), root.dataset.pages ?? "");
    this.fresh = new Freshness(root, (section) => this.load(section));
    this.ahead = new TypedAhead();
    /** @type {HTMLElement | null} */
    this.current = null;
  }

  start() {
    const { root } = this;
    root.addEventListener("focusin", (event) => this.look(event.target));
    root.addEventListener("pointerover", (event) => this.point(event.target));
    root.addEventListener("click", (event) => this.press(event));
    root.addEventListener("toggle", (event) => this.toggled(event.target), true); // it does not bubble
    root.addEventListener("htmx:afterSwap", (event) => this.swapped(event));
    root.addEventListener("htmx:beforeRequest", ({ target }) => target instanceof Element && target.closest("[data-field]") && this.ahead.hold());
    root.addEventListener("htmx:afterRequest", (event) => event instanceof CustomEvent && !event.detail.successful && this.ahead.drop());
    this.ahead.start();
    const asking = byId("study-ask", HTMLDialogElement);
    asking.addEventListener("htmx:afterSwap", () => asking.showModal());
    asking.addEventListener("close", () => asking.returnValue === "on" && this.toLeft(1));
    this.bindKeys();
    new Connection({ socketUrl: root.dataset.liveSocket ?? "", syncUrl: root.dataset.liveSync ?? "", heard: (message) => this.fresh.heard(message.records ?? {}) }).start();
    const named = new URLSearchParams(location.search).get("field");
    const first = (named && root.querySelector(`[data-field="${CSS.escape(named)}"]`)) || root.querySelector("[data-field]");
    if (first && !root.querySelector("[autofocus]")) this.go(first);
  }

  bindKeys() {
    /** @type {(keys: string[], says: string, run: (row: HTMLElement) => void) => void} */
    const key = (keys, says, run) => bind({ scope: "study", keys, says, run: () => this.current && run(this.current), when: () => this.current !== null });
    bind({ scope: "study", keys: ["j", "ArrowDown"], says: "keys.field_next", run: () => this.step(1) });
    bind({ scope: "study", keys: ["k", "ArrowUp"], says: "keys.field_previous", run: () => this.step(-1) });
    bind({ scope: "study", keys: ["]"], says: "keys.next_open", run: () => this.toLeft(1) });
    bind({ scope: "study", keys: ["["], says: "keys.previous_open", run: () => this.toLeft(-1) });
    // In a list of choices the browser would open the list, in a quote begin a line: there Enter sends, as in other inputs.
    /** @type {(target: EventTarget) => HTMLFormElement | null} */
    const formOf = (target) => ((target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) && target.closest("[data-edit]") ? target.form : null);
    bind({
      scope: "study", keys: ["Enter"], says: "keys.field_confirm", typing: true,
      run: (event) => (formOf(event.target) ? formOf(event.target)?.requestSubmit() : this.current && this.confirm(this.current)),
      when: (event) => this.current !== null && (event.target === this.current || event.target === document.body || formOf(event.target) !== null),
    });
    key(["e"], "keys.field_correct", (row) => edit(row, this.view.number));
    key(["n"], "keys.field_absent", (row) => act(row, "absent"));
    key(["u"], "keys.field_undo", (row) => act(row, "undo"));
    bind({ scope: "study", keys: OFFERS, says: "keys.field_offer", run: (event) => this.current && act(this.current, `offer-${event.key}`) });
    bind({ scope: "study", keys: ["a"], says: "keys.study_approve", run: () => this.root.querySelector("[data-approve]")?.click() });
    this.bindKeysAround();
    bind({ scope: "study", keys: ["Escape"], says: "keys.field_leave", typing: true, run: (event) => leave(event.target), when: (event) => event.target.closest("[data-edit]") !== null });
  }

  /** The page beside the fields, parts of the study, and the study that is next. */
  bindKeysAround() {
    /** @type {(keys: string[], says: string, run: () => void) => void} */
    const key = (keys, says, run) => bind({ scope: "study", keys, says, run });
    key(["."], "keys.paper_on", () => this.view.turn(this.view.number + 1));
    key([","], "keys.paper_back", () => this.view.turn(this.view.number - 1));
    key(["+", "="], "keys.zoom_in", () => this.view.zoom("in"));
    key(["-"], "keys.zoom_out", () => this.view.zoom("out"));
    key(["i"], "keys.arm_add", () => this.root.querySelector('[data-add="per_arm"]')?.focus());
    key(["Shift+I"], "keys.outcome_add", () => this.root.querySelector('[data-add="per_outcome"]')?.focus());
    key(["Shift+X"], "keys.part_leave", () => this.current?.closest("details")?.querySelector("[data-leave]")?.click());
    key(["Shift+J"], "keys.study_next", () => this.root.querySelector("[data-next-study]")?.click());
  }

  rows() {
    return [...this.root.querySelectorAll("details[open] [data-field]")];
  }

  /** @type {(row: HTMLElement) => void} */
  go(row) {
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  /** To the next or previous field; over the end of what is open the section there is opened.
     @type {(step: number) => Promise<void>} */
  async step(step) {
    const rows = this.rows();
    const at = this.current ? rows.indexOf(this.current) : -1;
    const to = at < 0 ? rows.at(step > 0 ? 0 : -1) : rows[at + step];
    if (to && (at < 0 || to.closest("details") === rows[at].closest("details"))) return this.go(to);
    const sections = [...this.root.querySelectorAll("details[data-section]")];
    const next = sections[sections.indexOf(rows[at]?.closest("details") ?? sections[0]) + step];
    if (!next) return;
    if (!(await this.open(next))) return;
    const inside = [...next.querySelectorAll("[data-field]")];
    const row = inside.at(step > 0 ? 0 : -1);
    if (row) this.go(row);
  }

  /** @type {(section: HTMLElement) => Promise<boolean>} */
  async open(section) {
    const isThere = section.dataset.loaded !== undefined || (await this.load(section));
    if (isThere) section.setAttribute("open", "");
    return isThere;
  }

  /** @type {(section: HTMLElement) => Promise<boolean>} */
  async load(section) {
    const nodes = await fetched(section.dataset.url ?? "", section);
    if (!nodes) return false;
    const rows = the(section, "[data-rows]");
    if (section.dataset.loaded === undefined) rows.replaceChildren(...nodes);
    else this.fresh.put(rows, nodes);
    section.dataset.loaded = "";
    window.htmx?.process(rows);
    showOnButtons(rows);
    return true;
  }

  /** @type {(target: HTMLElement) => void} */
  toggled(target) {
    if (!(target instanceof HTMLDetailsElement) || !target.open || target.dataset.loaded !== undefined) return;
    this.load(target).then((isThere) => !isThere && target.removeAttribute("open"));
  }

  /** The page shows what is looked at, and the address says it.
     @type {(target: HTMLElement) => void} */
  look(target) {
    const row = target.closest("[data-field]");
    if (!(row instanceof HTMLElement)) return;
    if (row !== this.current) {
      this.current = row;
      const section = row.closest("details")?.dataset.section ?? "";
      history.replaceState(history.state, "", `${location.pathname}?${section}&field=${encodeURIComponent(row.dataset.field ?? "")}`);
    }
    this.view.show(target.closest("[data-boxes]") ?? row);
  }

  /** @type {(target: HTMLElement) => void} */
  point(target) {
    const offer = target.closest("[data-act][data-boxes]");
    if (offer && this.current?.contains(offer)) this.view.show(offer);
  }

  /** What is offered for a value of a list says only where it stands: the person chooses.
     @type {(event: MouseEvent & { target: HTMLElement }) => void} */
  press(event) {
    const row = event.target.closest("[data-field]");
    const button = event.target.closest("[data-act]");
    if (!(row instanceof HTMLElement) || !(button instanceof HTMLElement)) return;
    if (button.dataset.act === "edit") edit(row, this.view.number);
    if (button.dataset.act === "leave") leave(button);
    if (button.dataset.fills === undefined) return;
    event.preventDefault();
    fill(row, button.dataset.fills, button.dataset.page ?? "");
    this.view.show(button);
  }

  /** @type {(row: HTMLElement) => void} */
  confirm(row) {
    if (row.querySelector("[data-act=confirm]")) act(row, "confirm");
    else this.toLeft(1);
  }

  /** To the next or previous field that is left, in whatever section, round the end; where none is, that is said.
     @type {(step: number) => Promise<void>} */
  async toLeft(step) {
    const { current } = this;
    const sections = [...this.root.querySelectorAll("details[data-section]")];
    const at = Math.max(0, sections.indexOf(current?.closest("details") ?? sections[0]));
    for (let n = 0; n <= sections.length; n += 1) {
      const section = sections[(at + step * n + 2 * sections.length) % sections.length];
      if (section.dataset.loaded === undefined && (!section.hasAttribute("data-left") || !(await this.load(section)))) continue;
      const rows = inOrder(section, step);
      const from = current ? rows.indexOf(current) : -1;
      const left = (n > 0 ? rows : rows.slice(from + 1)).find((row) => row.hasAttribute("data-left"));
      if (!left) continue;
      section.setAttribute("open", "");
      return this.go(left);
    }
    toast(say("study.all_decided"), "done");
  }

  /** A row that was sent is there as it stands now: what was refused is looked at, else the next one.
     @type {(event: Event) => Promise<void>} */
  async swapped(event) {
    const { target } = event;
    const id = target instanceof Element ? target.id : "";
    const row = id ? document.getElementById(id) : null;
    if (!(row instanceof HTMLElement) || !row.matches("[data-field]")) return;
    showOnButtons(row);
    this.current = null; // htmx may have given it the focus already, which nobody hears of again
    this.look(row);
    const isRefused = row.querySelector("[role=alert]") !== null;
    this.go(row);
    if (isRefused) {
      row.querySelector("[data-edit]:not([hidden]) [data-said]")?.focus();
      return this.ahead.drop();
    }
    if (row.dataset.verdict) await this.toLeft(1);
    this.ahead.release();
  }
}

/** @type {(section: Element, step: number) => HTMLElement[]} */
function inOrder(section, step) {
  const rows = [...section.querySelectorAll("[data-field]")];
  return step > 0 ? rows : rows.reverse();
}

/** @type {(row: HTMLElement, what: string) => void} */
function act(row, what) {
  row.querySelector(`[data-act="${what}"]`)?.click();
}

/** `page`: the one that is looked at, on which a quote is likely to stand.
   @type {(row: HTMLElement, page: number) => void} */
function edit(row, page) {
  const form = row.querySelector("[data-edit]");
  if (!form) return;
  const where = the(form, "[name=page]", HTMLInputElement);
  where.value ||= String(page);
  form.toggleAttribute("hidden", false);
  row.querySelector("[data-act=edit]")?.setAttribute("aria-expanded", "true");
  const said = form.querySelector("[data-said]");
  said?.focus();
  if (said instanceof HTMLInputElement) said.select();
}

/** @type {(row: HTMLElement, quote: string, page: string) => void} */
function fill(row, quote, page) {
  edit(row, Number(page));
  the(row, "[name=quote]", HTMLTextAreaElement).value = quote;
  the(row, "[name=page]", HTMLInputElement).value = page;
}

/** @type {(inside: Element) => void} */
function leave(inside) {
  const row = inside.closest("[data-field]");
  const form = row?.querySelector("[data-edit]");
  if (!row || !form) return;
  form.toggleAttribute("hidden", true);
  row.querySelector("[data-act=edit]")?.setAttribute("aria-expanded", "false");
  row.focus({ preventScroll: true });
}
