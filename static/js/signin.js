/* Where the session has ended the page stays: its person signs in again in a dialog and goes on (UX 5.1). */
import { say } from "./words.js";

// Letters on their way are for the field that they were meant for.
const QUIET_MS = 1000;
let dialog = null;
let [typedAt, opening] = [-Infinity, 0];

export function start(element) {
  dialog = element;
  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    signIn(new FormData(event.target));
  });
  addEventListener("keydown", () => (typedAt = performance.now()), { capture: true });
  document.addEventListener("visibilitychange", () => dialog.open && document.visibilityState === "visible" && goOn().catch(() => null));
}

/* Whoever learns of it says so; the dialog is opened once, in a pause of typing. */
export function sessionEnded() {
  clearTimeout(opening);
  if (!dialog || dialog.open) return;
  const left_ms = typedAt + QUIET_MS - performance.now();
  if (left_ms > 0) opening = setTimeout(sessionEnded, left_ms);
  else ask();
}

function ask() {
  tell("");
  dialog.querySelector("form").reset();
  dialog.showModal();
  dialog.querySelector("[name=password]").focus();
}

async function signIn(fields) {
  const button = dialog.querySelector("[data-signin]");
  button.disabled = true;
  tell(await outcome(fields).catch(() => "offline"));
  button.disabled = false;
}

async function outcome(fields) {
  const { token } = await asked(dialog.dataset.url);
  fields.set("csrfmiddlewaretoken", token);
  const answer = await fetch(dialog.dataset.url, { method: "POST", body: fields, redirect: "manual" });
  if (answer.type !== "opaqueredirect") return answer.status === 429 || answer.status === 403 ? "locked" : "wrong";
  await goOn();
  return "";
}

/* A new session has a new token, which only a page of it tells; it may have been begun in another tab, by somebody else. */
async function goOn() {
  const { token, user } = await asked(dialog.dataset.tokenUrl);
  if (!user) return;
  if (user !== meta(document, "user").content) return location.reload();
  useToken(token);
  dialog.close();
  document.dispatchEvent(new CustomEvent("session:renewed"));
}

/* In every place from which this page sends it. */
function useToken(token) {
  meta(document, "csrf-token").content = token;
  for (const input of document.querySelectorAll("[name=csrfmiddlewaretoken]")) input.value = token;
  document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": token }));
}

async function asked(address) {
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { token: meta(page, "csrf-token").content, user: meta(page, "user").content };
}

const meta = (page, name) => page.querySelector(`meta[name=${name}]`);

function tell(state) {
  const words = dialog.querySelector("[data-signin-words]");
  words.hidden = !state;
  words.textContent = state && say(`signin.${state}`);
  if (state) dialog.querySelector("[name=password]").select();
}
