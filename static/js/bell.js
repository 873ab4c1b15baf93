/* The bell: how many notices are unread, as a socket or a request says it, and the newest of them where it is opened. */
import { fetched } from "./fetched.js";
import { place } from "./place.js";
import { byId, the } from "./the.js";
import { timely } from "./timely.js";
import { say } from "./words.js";

const ASK_EVERY_MS = 60000; // a screen with a socket, and the list of documents, hear it at once
const SOON_MS = 5000;

/** @type {Bell | null} */
let bell = null;

/** @type {(button: HTMLElement) => void} */
export function start(button) {
  bell = new Bell(button, byId("notices-menu", HTMLElement));
  bell.begin();
}

/** What the badge says now.
   @type {(unread: string) => void} */
export const show = (unread) => bell?.show(unread);

class Bell {
  /** @param {HTMLElement} button
     @param {HTMLElement} menu */
  constructor(button, menu) {
    this.button = button;
    this.menu = menu;
    this.askedAt = performance.now(); // the page brought its count along
  }

  begin() {
    setInterval(() => this.ask(ASK_EVERY_MS), SOON_MS);
    document.addEventListener("visibilitychange", () => this.ask(SOON_MS));
    addEventListener("focus", () => this.ask(SOON_MS));
    addEventListener("pageshow", (event) => event.persisted && this.ask(0));
    this.menu.addEventListener("beforetoggle", (event) => event.newState === "open" && this.fill());
    this.menu.addEventListener("submit", (event) => this.readAll(event));
  }

  /** @type {(unread: string) => void} */
  show(unread) {
    this.askedAt = performance.now();
    const count = the(this.button, "[data-bell-count]");
    if (count.textContent !== unread) count.textContent = unread;
  }

  /** Nobody looks at a hidden tab, and it asks nothing; what cannot be answered is asked again later.
     @type {(after_ms: number) => Promise<void>} */
  async ask(after_ms) {
    if (document.hidden || performance.now() - this.askedAt < after_ms) return;
    this.askedAt = performance.now();
    const answer = await timely(this.button.dataset.unread ?? "", { redirect: "manual" }).catch(() => null);
    const told = answer?.ok ? await answer.json().catch(() => null) : null;
    if (told) this.show(told.unread);
  }

  async fill() {
    const nodes = await fetched(this.button.dataset.panel ?? "", this.button);
    if (nodes) this.menu.replaceChildren(...nodes);
    else if (this.menu.querySelector("[data-bell-note]")) the(this.menu, "[data-bell-note]").textContent = say("request.failed");
    if (this.menu.matches(":popover-open")) place(this.menu, this.button);
  }

  /** Stays where it is; without this script the form leads to the list of all.
     @type {(event: SubmitEvent & { readonly target: HTMLFormElement }) => Promise<void>} */
  async readAll(event) {
    if (!event.target.matches("[data-bell-read]")) return;
    event.preventDefault();
    const body = new FormData(event.target);
    const answer = await timely(event.target.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
    if (answer?.type === "opaqueredirect") this.show("");
    await this.fill();
    this.menu.querySelector("a")?.focus();
  }
}
