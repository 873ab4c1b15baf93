/* Where the session has ended the page stays: its person signs in again in a dialog and goes on. */
import { all, the } from "./the.js";
import { say } from "./words.js";

// Letters on their way are for the field that they were meant for.
const QUIET_MS = 1000;
/** @type {HTMLDialogElement | null} */
let dialog = null;
let typedAt = -Infinity;
/** @type {Timer} */
let opening = 0;

/** @type {(element: HTMLDialogElement) => void} */
export function start(element) {
  dialog = element;
  const form = the(element, "form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    signIn(element, new FormData(form));
  });
  addEventListener("keydown", () => (typedAt = performance.now()), { capture: true });
  document.addEventListener("visibilitychange", () => element.open && document.visibilityState === "visible" && goOn(element).catch(() => null));
}

/* Whoever learns of it says so; the dialog is opened once, in a pause of typing. */
export function sessionEnded() {
  clearTimeout(opening);
  if (!dialog || dialog.open) return;
  const left_ms = typedAt + QUIET_MS - performance.now();
  if (left_ms > 0) opening = setTimeout(sessionEnded, left_ms);
  else ask(dialog);
}

/** @type {(asking: HTMLDialogElement) => void} */
function ask(asking) {
  tell(asking, "");
  the(asking, "form").reset();
  asking.showModal();
  passwordIn(asking).focus();
}

/** @type {(asking: HTMLDialogElement, fields: FormData) => Promise<void>} */
async function signIn(asking, fields) {
  const button = the(asking, "[data-signin]", HTMLButtonElement);
  button.disabled = true;
  tell(asking, await outcome(asking, fields).catch(() => "offline"));
  button.disabled = false;
}

/** Word of what went wrong; empty where the person is signed in.
   @type {(asking: HTMLDialogElement, fields: FormData) => Promise<string>} */
async function outcome(asking, fields) {
  const address = asking.dataset.url ?? "";
  const { token } = await asked(address);
  fields.set("csrfmiddlewaretoken", token);
  const answer = await fetch(address, { method: "POST", body: fields, redirect: "manual" });
  if (answer.type !== "opaqueredirect") return answer.status === 429 || answer.status === 403 ? "locked" : "wrong";
  await goOn(asking);
  return "";
}

/** A new session has a new token, which only a page of it tells; it may have been begun in another tab, by somebody else.
   @type {(asking: HTMLDialogElement) => Promise<void>} */
async function goOn(asking) {
  const { token, user } = await asked(asking.dataset.tokenUrl ?? "");
  if (!user) return;
  if (user !== meta(document, "user").content) return location.reload();
  useToken(token);
  asking.close();
  document.dispatchEvent(new CustomEvent("session:renewed"));
}

/** In every place from which this page sends it.
   @type {(token: string) => void} */
function useToken(token) {
  meta(document, "csrf-token").content = token;
  for (const input of all(document, "[name=csrfmiddlewaretoken]", HTMLInputElement)) input.value = token;
  document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": token }));
}

/** @type {(address: string) => Promise<{ token: string, user: string }>} */
async function asked(address) {
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { token: meta(page, "csrf-token").content, user: meta(page, "user").content };
}

/** @type {(page: Document, name: string) => HTMLMetaElement} */
const meta = (page, name) => the(page, `meta[name=${name}]`, HTMLMetaElement);

/** @type {(asking: HTMLDialogElement) => HTMLInputElement} */
const passwordIn = (asking) => the(asking, "[name=password]", HTMLInputElement);

/** @type {(asking: HTMLDialogElement, state: string) => void} */
function tell(asking, state) {
  const words = the(asking, "[data-signin-words]");
  words.hidden = !state;
  words.textContent = state && say(`signin.${state}`);
  if (state) passwordIn(asking).select();
}
