/* Commands of the workbench: one envelope, answered at once or not sent at all; nothing is queued while offline. */
import { newKey } from "./upload_checks.js";

const SESSION = "tab-session";
const OWN_TAB_MS = 400;
// What browsers still send of a page that is being closed.
const KEEPALIVE_BYTES = 60000;

export class Commands {
  constructor(url, task, session) {
    Object.assign(this, { url, task, session, token: 0 });
  }

  /* The server's answer; {ok: false, code: "offline" | "signin" | "failed"} where there was none. */
  async send(name, body = {}, { id = newId(), token = this.token, leaving = false } = {}) {
    const text = JSON.stringify({ id, name, task: this.task, token, session: this.session, body });
    const headers = { "Content-Type": "application/json", "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content };
    const keepalive = leaving && text.length < KEEPALIVE_BYTES;
    try {
      const answer = await fetch(this.url, { method: "POST", headers, body: text, keepalive, redirect: "manual" });
      if (answer.type === "opaqueredirect" || answer.status === 401) return { ok: false, code: "signin" };
      if (!answer.headers.get("Content-Type")?.includes("json")) return { ok: false, code: "failed", request: answer.headers.get("X-Request-Id") };
      return await answer.json();
    } catch {
      return { ok: false, code: "offline" };
    }
  }
}

export const newId = () => newKey();

/* The name of this tab, kept over a reload. A copy of a tab copies its session storage: only one of both keeps the name. */
export async function tabSession() {
  const known = sessionStorage.getItem(SESSION);
  if (known && (await isMine(known))) return known;
  const session = newId();
  sessionStorage.setItem(SESSION, session);
  await isMine(session);
  return session;
}

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
