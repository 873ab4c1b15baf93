/* The job page's own websocket: applies rows, follows the beat, reconnects, and polls while the socket is down. */
import { applyFigures, applyRow, forgetRows } from "./patch.js";
import { say } from "./words.js";

const SILENCE_MS = 25000;
const WATCH_MS = 1000;
const POLL_MS = 3000;
const BACKOFF_MS = 500;
const BACKOFF_CAP_MS = 5000;
const LOGIN_NEEDED = 4401;
const NO_ACCESS = 4403;
const SIDE_MS = 5000;

export function start(root) {
  const connection = new Connection(root);
  connection.open();
  connection.freshenSide();
  setInterval(() => connection.watch(), WATCH_MS);
  addEventListener("online", () => connection.retryNow());
  addEventListener("pageshow", (event) => event.persisted && connection.retryNow());
}

class Connection {
  constructor(root) {
    this.root = root;
    this.body = root.querySelector("[data-live-body]");
    this.socket = null;
    this.opened = 0;
    this.tries = 0;
    this.seq = 0;
    this.heardAt = performance.now();
    this.polledAt = -Infinity;
    this.stopped = false;
    this.timer = 0;
    this.sideAt = -Infinity;
    this.sideTimer = 0;
  }

  open() {
    if (this.stopped) return;
    const address = new URL(this.root.dataset.liveSocket, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("open", () => this.onOpen(socket));
    socket.addEventListener("message", (event) => this.onMessage(socket, event));
    socket.addEventListener("close", (event) => this.onClose(socket, event.code));
  }

  onOpen(socket) {
    if (socket !== this.socket) return;
    this.tries = 0;
    this.seq = 0;
    this.opened += 1;
    this.heardAt = performance.now();
  }

  onMessage(socket, event) {
    if (socket !== this.socket) return;
    this.heardAt = performance.now();
    const message = JSON.parse(event.data);
    if (this.seq && message.seq > this.seq + 1) socket.send(JSON.stringify({ type: "sync" }));
    this.seq = message.seq ?? this.seq;
    show("live");
    this.apply(message, this.opened > 1);
  }

  onClose(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    if (code === LOGIN_NEEDED) return this.stop("signin");
    if (code === NO_ACCESS) return this.stop("forbidden");
    show(navigator.onLine ? "reconnecting" : "offline");
    const wait = Math.min(BACKOFF_CAP_MS, BACKOFF_MS * 2 ** this.tries) * (0.5 + Math.random() / 2);
    this.tries += 1;
    this.timer = setTimeout(() => this.open(), wait);
  }

  // A socket that says nothing for longer than several beats is dead although it looks open.
  watch() {
    if (this.stopped) return;
    const now = performance.now();
    if (this.socket?.readyState === WebSocket.OPEN) {
      if (now - this.heardAt > SILENCE_MS) this.drop();
    } else if (now - this.polledAt > POLL_MS && (this.tries > 0 || now - this.heardAt > POLL_MS)) {
      this.polledAt = now;
      this.poll();
    }
  }

  drop() {
    const silent = this.socket;
    this.onClose(silent, 1006);
    silent.close();
  }

  retryNow() {
    if (this.stopped || this.socket) return;
    clearTimeout(this.timer);
    this.open();
  }

  stop(state) {
    this.stopped = true;
    clearTimeout(this.timer);
    show(state);
  }

  async poll() {
    try {
      const answer = await fetch(this.root.dataset.liveSync, { headers: { Accept: "application/json" }, redirect: "manual" });
      if (answer.status === 401 || answer.type === "opaqueredirect") return this.stop("signin");
      if (answer.status === 403 || answer.status === 404) return this.stop("forbidden");
      if (!answer.ok) throw new Error(String(answer.status));
      const message = await answer.json();
      if (!this.stopped && this.socket?.readyState !== WebSocket.OPEN) {
        show("reconnecting");
        this.apply(message, false);
      }
    } catch {
      if (this.socket?.readyState !== WebSocket.OPEN) show("offline");
    }
  }

  apply(message, afterBreak) {
    for (const row of message.rows ?? []) applyRow(row);
    if (message.figures) applyFigures(message.figures);
    if (message.rows?.length) this.freshenSide();
    if (this.isReshaped(message) || (message.type === "sync" && afterBreak)) this.refetch();
  }

  // The first pages, or another kind of job status, change what the page consists of.
  isReshaped(message) {
    const status = message.figures?.status;
    const pages = message.type === "sync" ? message.rows.filter((row) => row.kind === "page").length : null;
    return (status && status !== this.body.dataset.liveStatus) || (pages !== null && pages !== Number(this.body.dataset.livePages));
  }

  /* Reasons, problems and activity are lists: fetched whole, at most every few seconds and only while looked at. */
  freshenSide() {
    if (this.sideTimer) return;
    const wait = Math.max(0, this.sideAt + SIDE_MS - performance.now());
    this.sideTimer = setTimeout(async () => {
      this.sideTimer = 0;
      this.sideAt = performance.now();
      const side = this.body.querySelector("[data-live-side]");
      if (!side || document.hidden || side.contains(document.activeElement)) return;
      const answer = await fetch(side.dataset.liveSide, { redirect: "manual" }).catch(() => null);
      if (answer?.ok) side.replaceChildren(...new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes);
    }, wait);
  }

  async refetch() {
    if (this.fetching) {
      this.fetchAgain = true;
      return;
    }
    this.fetching = true;
    const isReplaced = await this.fetchRegion().catch(() => false);
    this.fetching = false;
    if (this.fetchAgain) {
      this.fetchAgain = false;
      this.refetch();
    } else if (!isReplaced && !this.stopped) setTimeout(() => this.refetch(), POLL_MS);
  }

  // A region in which somebody is typing is not taken away.
  async fetchRegion() {
    const answer = await fetch(this.root.dataset.liveRegion, { headers: { "HX-Request": "true" }, redirect: "manual" });
    if (!answer.ok || isTypedIn(this.body)) return false;
    this.replace(await answer.text(), answer.headers);
    return true;
  }

  replace(html, headers) {
    const focused = document.activeElement?.closest("[data-row]")?.dataset.row;
    const scroller = document.getElementById("main");
    const top = scroller.scrollTop;
    const parsed = new DOMParser().parseFromString(html, "text/html");
    this.body.replaceChildren(...parsed.body.childNodes);
    this.body.dataset.liveStatus = headers.get("X-Job-Status") ?? this.body.dataset.liveStatus;
    this.body.dataset.livePages = headers.get("X-Job-Pages") ?? this.body.dataset.livePages;
    forgetRows();
    window.htmx?.process(this.body);
    this.body.dispatchEvent(new CustomEvent("region:replaced", { bubbles: true }));
    scroller.scrollTop = top;
    this.sideAt = -Infinity;
    this.freshenSide();
    if (focused) this.body.querySelector(`[data-row="${focused}"]`)?.focus();
  }
}

function isTypedIn(region) {
  const field = document.activeElement;
  return region.contains(field) && field.matches("input, textarea, select") && field.value !== "";
}

function show(state) {
  const element = document.querySelector("[data-live-state]");
  if (!element || element.dataset.live === state) return;
  element.dataset.live = state;
  element.querySelector("[data-live-words]").textContent = say(`live.${state}`);
}
