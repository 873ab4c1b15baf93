/* The export panel: fields change places, links renew themselves, and whoever waits is told when a file is there. */
import { sessionEnded } from "./signin.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

// Tone of an export that is over -> what is said of it; one that expired while nobody looked is neither ready nor a failure.
/** @type {Record<string, [word: string, tone: Tone] | undefined>} */
const OUTCOMES = { done: ["export.ready", "done"], fault: ["export.failed", "fault"] };

/** @type {(panel: HTMLElement) => void} */
export function start(panel) {
  /** @type {Set<string>} */
  const waiting = new Set();
  panel.addEventListener("click", (event) => {
    const shift = event.target.closest("[data-shift]");
    if (shift) return move(shift);
    const link = event.target.closest("a[data-renew]");
    if (link instanceof HTMLAnchorElement && !link.dataset.holds) {
      event.preventDefault();
      open(link);
    }
  });
  panel.addEventListener("change", () => {
    const picked = panel.querySelector("[data-picked]");
    if (picked) picked.textContent = String(panel.querySelectorAll("[name=columns]:checked").length);
  });
  panel.addEventListener("htmx:afterSettle", () => tell(panel, waiting));
  document.addEventListener("visibilitychange", () => {
    const exports = document.getElementById("exports");
    if (exports && !document.hidden) window.htmx?.trigger(exports, "renew");
  });
}

/** @type {(button: HTMLElement) => void} */
function move(button) {
  const row = button.closest("li");
  const other = Number(button.dataset.shift) < 0 ? row?.previousElementSibling : row?.nextElementSibling;
  if (!row || !other) return;
  if (Number(button.dataset.shift) < 0) other.before(row);
  else other.after(row);
  button.focus();
}

/** A link may have expired while the machine slept: it is tried first, and renewed once.
   @type {(link: HTMLAnchorElement) => Promise<void>} */
async function open(link) {
  try {
    if (!(await fetch(link.href, { method: "HEAD" })).ok) {
      const answer = await fetch(link.dataset.renew ?? "", { redirect: "manual" });
      if (answer.type === "opaqueredirect") return sessionEnded();
      if (!answer.ok) return toast(say("request.failed"), "fault");
      link.href = (await answer.json()).url;
    }
  } catch {
    return toast(say("request.failed"), "fault");
  }
  link.dataset.holds = "1";
  link.click();
  delete link.dataset.holds;
}

/** `waiting`: exports that were not over when they were last seen.
   @type {(panel: ParentNode, waiting: Set<string>) => void} */
export function tell(panel, waiting) {
  for (const row of panel.querySelectorAll("[data-export]")) {
    const { export: id = "", name, tone } = row.dataset;
    if (row.dataset.open) waiting.add(id);
    else if (waiting.delete(id) && tone) {
      const [word, as] = OUTCOMES[tone] ?? [];
      if (word) toast(say(word, { name }), as);
    }
  }
}
