/* Whether the server can be reached, told on every screen. What it says by itself is the sign: a beat of a socket, an answer.
   Only where nothing was heard for a while is it asked, by a small request; what one tab hears holds for all of this browser. */
import { clock } from "./clock.js";
import { canKeep } from "./keeping.js";
import { setIcon } from "./icons.js";
import { the } from "./the.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

const ASK = "/healthz";
const QUIET_MS = 2400; // a socket's beat comes every 2 s: with the patience below, who looks is told within 4 s
const PATIENCE_MS = 1500;
const AGAIN_MS = 2000;
const SHARED_EVERY_MS = 1000;
const BACK_MS = 4000;
const BUSY = 503; // from the server itself, which has too much to do
const FIELDS = "input:not([type=hidden]), textarea, select";

/** @type {Reach | null} */
let reach = null;

/** @type {(banner: HTMLElement) => void} */
export function start(banner) {
  reach = new Reach(banner);
  reach.begin();
}

/* The server has said something. */
export const heard = () => reach?.heard();

/* Something was not answered, or was cut: it is found out at once whether the server is there. */
export const doubt = () => reach?.ask();

export class Reach {
  /** @param {HTMLElement} banner */
  constructor(banner) {
    this.banner = banner;
    this.isThere = true;
    this.heardAt = performance.now();
    this.sharedAt = -Infinity;
    this.isAsking = false;
    /** @type {Timer} */
    this.timer = 0;
    /** @type {Timer} */
    this.hiding = 0;
    this.others = "BroadcastChannel" in globalThis ? new BroadcastChannel("reach") : null;
  }

  begin() {
    this.others?.addEventListener("message", () => this.note());
    addEventListener("offline", () => this.ask());
    addEventListener("online", () => this.ask());
    document.addEventListener("visibilitychange", () => this.look());
    document.addEventListener("htmx:sendError", () => this.ask());
    document.addEventListener("submit", (event) => this.hold(event), { capture: true });
    this.plan();
  }

  heard() {
    const now = performance.now();
    if (now - this.sharedAt > SHARED_EVERY_MS) {
      this.sharedAt = now;
      this.others?.postMessage("heard");
    }
    this.note();
  }

  // A socket may live on for a while in a browser that has no network any more: then only an answer counts.
  note() {
    this.heardAt = performance.now();
    if (!this.isThere && navigator.onLine) this.tell(true);
  }

  /* Nobody looks at a hidden tab, and it asks nothing. */
  plan() {
    clearTimeout(this.timer);
    if (document.hidden) return;
    const wait = this.isThere ? this.heardAt + QUIET_MS - performance.now() : AGAIN_MS;
    this.timer = setTimeout(() => this.look(), Math.max(0, wait));
  }

  look() {
    const isQuiet = performance.now() - this.heardAt >= QUIET_MS;
    if (document.hidden || (this.isThere && !isQuiet)) this.plan();
    else this.ask();
  }

  async ask() {
    if (this.isAsking) return;
    this.isAsking = true;
    const from = performance.now();
    const answered = await isAnswered();
    this.isAsking = false;
    if (answered) {
      this.heard();
      this.tell(true);
    } else if (this.heardAt <= from || !navigator.onLine) this.tell(false);
    this.plan();
  }

  /** @type {(isThere: boolean) => void} */
  tell(isThere) {
    if (isThere === this.isThere) return;
    this.isThere = isThere;
    clearTimeout(this.hiding);
    this.banner.dataset.reach = isThere ? "back" : "lost";
    setIcon(the(this.banner, "svg"), isThere ? "check" : "offline");
    this.banner.hidden = false;
    the(this.banner, "[data-words]").textContent = isThere ? say("reach.back") : `${say("reach.lost", { time: clock(new Date()) })} ${say(`reach.${this.safe()}`)}`;
    if (isThere) {
      this.hiding = setTimeout(() => (this.banner.hidden = true), BACK_MS);
      for (const note of document.querySelectorAll("[data-unsent]")) note.remove();
    }
  }

  /* What of this screen is safe, as its template says it, or as its forms have it. */
  safe() {
    const { safe } = this.banner.dataset;
    if (safe === "drafts" && !canKeep()) return "unkept";
    if (safe) return safe;
    const fields = [...document.querySelectorAll(`form[method=post] :is(${FIELDS})`)];
    return fields.some((field) => field.checkVisibility()) ? "forms" : "nothing";
  }

  /** A form that would go nowhere, and take its page along, is kept and says so; it goes where the server is there after all.
     @type {(event: SubmitEvent & { readonly target: HTMLFormElement }) => Promise<void>} */
  async hold(event) {
    const form = event.target;
    if (this.isThere || form.getAttribute("method") !== "post") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    await this.ask();
    if (this.isThere) form.requestSubmit(event.submitter);
    else sayUnsent(form);
  }
}

/** @type {() => Promise<boolean>} */
async function isAnswered() {
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(ASK, { cache: "no-store", redirect: "manual", credentials: "omit", priority: "high", signal: given.signal });
    return answer.ok || answer.status === BUSY;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** @type {(form: HTMLFormElement) => void} */
function sayUnsent(form) {
  if (![...form.querySelectorAll(FIELDS)].some((field) => field.checkVisibility())) return toast(say("reach.unsent"), "person");
  form.querySelector("[data-unsent]")?.remove();
  const note = Object.assign(document.createElement("p"), { className: "field-error", textContent: say("reach.unsent") });
  note.setAttribute("role", "alert");
  note.dataset.unsent = "";
  form.append(note);
}
