/* What a draft makes of the page that is shown: it goes on from there, or is put beside a page that is another since. Touches no page. */
import { fits, leftOver } from "./bench_state.js";

/** `state`: null where the draft is of another version, or of other SKUs; `left`: lines of it that the page does not say.
   @type {(draft: Draft, base: PageState, version: string) => { state: PageState | null, steps?: Steps, left: LeftLine[] }} */
export function takenUp(draft, base, version) {
  if (isOf(draft, base, version)) {
    const { steps, left = [], ...state } = { ...base, ...draft.state };
    return { state, steps, left };
  }
  return { state: null, left: Array.isArray(draft.state.skus) ? leftOver(draft.state, base) : [] };
}

/** What somebody else has typed so far, as one who looks on sees it; null where that is of another page.
   @type {(draft: Pick<Draft, "state" | "page_version">, base: PageState, version: string) => PageState | null} */
export function seenBy(draft, base, version) {
  if (!isOf(draft, base, version)) return null;
  const { steps: _, left: __, ...shown } = { ...base, ...draft.state };
  return shown;
}

/** @type {(draft: Pick<Draft, "state" | "page_version">, base: PageState, version: string) => boolean} */
const isOf = (draft, base, version) => draft.page_version === version && fits(draft.state, base);
