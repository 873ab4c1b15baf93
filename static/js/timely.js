/* A request that is given up where no answer comes: a server that hangs takes connections and never says a word. */
import { doubt, heard } from "./reach.js";

export const ANSWER_MS = 8000;

/** As fetch; rejects after ANSWER_MS without an answer.
   @type {(address: string, options?: RequestInit) => Promise<Response>} */
export async function timely(address, options) {
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), ANSWER_MS);
  try {
    const answer = await fetch(address, { ...options, signal: given.signal });
    heard();
    return answer;
  } catch (fault) {
    doubt();
    throw fault;
  } finally {
    clearTimeout(timer);
  }
}
