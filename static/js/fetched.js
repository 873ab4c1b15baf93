/* A fragment that somebody waits for: what was pressed is busy meanwhile, and a failure is told. */
import { sessionEnded } from "./signin.js";
import { timely } from "./timely.js";
import { toast } from "./toasts.js";
import { say } from "./words.js";

/** Its nodes; null where there are none, which is said.
   @type {(url: string, pressed: Element | null) => Promise<NodeListOf<ChildNode> | null>} */
export async function fetched(url, pressed) {
  pressed?.setAttribute("aria-busy", "true");
  const answer = await timely(url, { headers: { "HX-Request": "true" }, redirect: "manual" }).catch(() => null);
  const text = answer?.ok ? await answer.text().catch(() => null) : null;
  pressed?.removeAttribute("aria-busy");
  if (text !== null) return new DOMParser().parseFromString(text, "text/html").body.childNodes;
  if (answer?.type === "opaqueredirect" || answer?.status === 401) sessionEnded();
  else toast(failed(answer), "fault");
  return null;
}

/** What is said of an answer that is none, with the request's id where there is one.
   @type {(answer: Response | null) => string} */
export const failed = (answer) => `${say("request.failed")} ${answer?.headers.get("X-Request-Id") ?? ""}`.trim();
