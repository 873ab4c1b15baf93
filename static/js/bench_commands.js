/* Commands of people's work: one envelope, answered at once or not sent at all; nothing is queued while offline. */
import { keep, kept } from "./keeping.js";
import { sessionEnded } from "./signin.js";
import { the } from "./the.js";
import { ANSWER_MS, timely } from "./timely.js";
import { newKey } from "./upload_checks.js";

const SESSION = "tab-session";
// The page that this one follows in its tab needs a moment to give the name up.
const OWN_TAB_MS = 2000;
// What browsers still send of a page that is being closed.
const KEEPALIVE_BYTES = 60000;

export class Commands {
  /** `connection`: where it is open, commands go there, else by POST; set once there is one.
     @param {string} url
     @param {string} session
     @param {string} [task] */
  constructor(url, session, task = undefined) {
    this.url = url;
    this.session = session;
    this.task = task;
    this.token = 0;
    /** @type {Pick<WorkConnection, "send" | "drop" | "pong"> | null} */
    this.connection = null;
    /** @type {Map<string, (answer: Answer | null) => void>} */
    this.waiting = new Map();
  }

  /** The server's answer; {ok: false, code: "offline" | "signin" | "failed"} where there was none. `onward`: the next task is taken with it.
     @type {(name: string, body?: object, envelope?: Envelope) => Promise<Answer>} */
  async send(name, body = {}, { id = newId(), token = this.token, task = this.task, leaving = false, onward = false } = {}) {
    const text = JSON.stringify({ id, name, task, token, session: this.session, body, onward });
    const answer = leaving ? null : await this.bySocket(id, text);
    return answer ?? this.byPost(text, leaving);
  }

  /** null where the socket is down or was cut: the same command by the other way then has the same id, and one effect.
     @type {(id: string, text: string) => Promise<Answer | null> | null} */
  bySocket(id, text) {
    const { connection } = this;
    if (!connection?.send(text)) return null;
    return new Promise((/** @type {(answer: Answer | null) => void} */ resolve) => {
      const silent = setTimeout(() => connection.drop(), ANSWER_MS);
      this.waiting.set(id, (answer) => {
        clearTimeout(silent);
        this.waiting.delete(id);
        resolve(answer);
      });
    });
  }

  /** @type {(answer: Answer & { id: string }) => void} */
  answered(answer) {
    this.waiting.get(answer.id)?.(answer);
  }

  cut() {
    for (const resolve of [...this.waiting.values()]) resolve(null);
  }

  /** @type {(text: string, leaving: boolean) => Promise<Answer>} */
  async byPost(text, leaving) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": the(document, "meta[name=csrf-token]", HTMLMetaElement).content };
    const keepalive = leaving && new Blob([text]).size < KEEPALIVE_BYTES;
    try {
      const answer = await timely(this.url, { method: "POST", headers, body: text, keepalive, redirect: "manual" });
      if (answer.type === "opaqueredirect" || answer.status === 401) {
        sessionEnded();
        return { ok: false, code: "signin" };
      }
      if (!answer.headers.get("Content-Type")?.includes("json")) return { ok: false, code: "failed", request: answer.headers.get("X-Request-Id") };
      return await answer.json();
    } catch {
      return { ok: false, code: "offline" };
    }
  }
}

/** As the server writes it, which answers by it.
   @type {() => string} */
export const newId = () => newKey().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/* The name of this tab, kept over a reload. A copy of a tab copies its session storage: only one of both keeps the name. */
export async function tabSession() {
  const known = kept(SESSION, "sessionStorage");
  if (known && (await isMine(known))) return known;
  const session = newId();
  keep(SESSION, session, "sessionStorage");
  await isMine(session);
  return session;
}

/** @type {(session: string) => Promise<boolean>} */
function isMine(session) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const held = () => {
      resolve(true);
      return new Promise(() => {}); // until the tab is closed
    };
    navigator.locks.request(`tab ${session}`, { signal: AbortSignal.timeout(OWN_TAB_MS) }, held).catch(() => resolve(false));
  });
}
