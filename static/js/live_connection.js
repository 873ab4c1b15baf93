/* A page's own websocket: follows the beat, reconnects, asks for the same by GET while it is down, and says how it stands. */
import * as bell from "./bell.js";
import * as reach from "./reach.js";
import { sessionEnded } from "./signin.js";
import { the } from "./the.js";
import { ANSWER_MS, timely } from "./timely.js";
import { say } from "./words.js";

const SILENCE_MS = 20000; // ten beats; who looks is told within 25 s
const WATCH_MS = 1000;
const POLL_MS = 3000;
const BACKOFF_MS = 500;
const BACKOFF_CAP_MS = 5000;
const LOGIN_NEEDED = 4401;
const NO_ACCESS = 4403;
const NO_ROOM = 4429; // this person has as many sockets as there may be: this page asks
const NO_ROOM_MS = 30000;

export class Connection {
  /** `heard(message, afterBreak)`: by the socket or by asking; `opened()`: may say something first; `cut()`: what was asked for is lost.
     @param {{ socketUrl: string, syncUrl: string, heard: (message: Message, afterBreak: boolean) => void, opened?: () => void, cut?: () => void }} how */
  constructor({ socketUrl, syncUrl, heard, opened = () => {}, cut = () => {} }) {
    this.socketUrl = socketUrl;
    this.syncUrl = syncUrl;
    this.heard = heard;
    this.opened = opened;
    this.cut = cut;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.wasCut = false; // once: what a page was written with may be older than what is heard
    this.tries = 0;
    this.seq = 0;
    this.heardAt = performance.now();
    this.openedAt = 0;
    this.polledAt = -Infinity;
    this.polling = false;
    this.stopped = false;
    /** @type {Timer} */
    this.timer = 0;
    this.fullUntil = 0;
  }

  start() {
    this.open();
    setInterval(() => this.watch(), WATCH_MS);
    addEventListener("online", () => this.retryNow());
    addEventListener("pageshow", (event) => event.persisted && this.retryNow());
    document.addEventListener("session:renewed", () => this.resume());
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Whether it left; nothing waits for a better moment.
     @type {(message: string | object) => boolean} */
  send(message) {
    if (!this.socket || !this.isOpen) return false;
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
    return true;
  }

  open() {
    if (this.stopped) return;
    const address = new URL(this.socketUrl, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("language", document.documentElement.lang); // as the page around it is written
    const socket = new WebSocket(address);
    this.socket = socket;
    this.openedAt = performance.now();
    socket.addEventListener("open", () => this.onOpen(socket));
    socket.addEventListener("message", (event) => this.onMessage(socket, event));
    socket.addEventListener("close", (event) => this.onClose(socket, event.code));
  }

  /** @type {(socket: WebSocket) => void} */
  onOpen(socket) {
    if (socket !== this.socket) return;
    this.tries = 0;
    this.seq = 0;
    this.heardAt = performance.now();
    this.opened();
  }

  /** @type {(socket: WebSocket, event: MessageEvent) => void} */
  onMessage(socket, event) {
    if (socket !== this.socket) return;
    this.heardAt = performance.now();
    reach.heard();
    const message = JSON.parse(event.data);
    if (this.seq && message.seq > this.seq + 1) this.send({ type: "sync" });
    this.seq = message.seq ?? this.seq;
    show("live");
    if (message.type === "notices") bell.show(message.unread ?? "");
    else this.heard(message, this.wasCut);
  }

  /** @type {(socket: WebSocket, code: number) => void} */
  onClose(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.wasCut = true;
    this.cut();
    reach.doubt();
    if (code === LOGIN_NEEDED) return this.stop("signin");
    if (code === NO_ACCESS) return this.stop("forbidden");
    show(navigator.onLine ? "reconnecting" : "offline");
    const longest = code === NO_ROOM ? NO_ROOM_MS : Math.min(BACKOFF_CAP_MS, BACKOFF_MS * 2 ** this.tries);
    const wait = longest * (0.5 + Math.random() / 2);
    this.fullUntil = code === NO_ROOM ? performance.now() + wait : 0;
    this.tries += 1;
    this.timer = setTimeout(() => this.open(), wait);
  }

  // A socket that says nothing for longer than several beats is dead although it looks open; so is one that never opens.
  watch() {
    if (this.stopped) return;
    const now = performance.now();
    if (this.isOpen) {
      if (now - this.heardAt > SILENCE_MS) this.drop();
      return;
    }
    if (this.socket && now - this.openedAt > ANSWER_MS) this.drop();
    if (!this.polling && now - this.polledAt > POLL_MS && (this.tries > 0 || now - this.heardAt > POLL_MS)) {
      this.polledAt = now;
      this.polling = true;
      this.poll().finally(() => (this.polling = false));
    }
  }

  drop() {
    const silent = this.socket;
    if (!silent) return;
    this.onClose(silent, 1006);
    silent.close();
  }

  retryNow() {
    if (this.stopped || this.socket) return;
    clearTimeout(this.timer);
    this.open();
  }

  /** @type {(state: string) => void} */
  stop(state) {
    this.stopped = true;
    clearTimeout(this.timer);
    show(state);
    if (state === "signin") sessionEnded();
  }

  /* Somebody has signed in again on this page. */
  resume() {
    this.stopped = false;
    this.retryNow();
  }

  async poll() {
    try {
      const answer = await timely(this.syncUrl, { headers: { Accept: "application/json" }, redirect: "manual" });
      if (answer.status === 401 || answer.type === "opaqueredirect") return this.stop("signin");
      if (answer.status === 403 || answer.status === 404) return this.stop("forbidden");
      if (!answer.ok) throw new Error(String(answer.status));
      const message = await answer.json();
      if (!this.stopped && !this.isOpen) {
        show("reconnecting");
        this.heard(message, false);
        if (performance.now() > this.fullUntil) this.retryNow();
      }
    } catch {
      if (!this.isOpen) show("offline");
    }
  }
}

/** @type {(state: string) => void} */
export function show(state) {
  const element = document.querySelector("[data-live-state]");
  if (!element || element.dataset.live === state) return;
  element.dataset.live = state;
  the(element, "[data-live-words]").textContent = say(`live.${state}`);
}
