/* What is chosen beside the button for files. A choice that says nothing of the chosen kind of document is not there. */

/** @type {(intake: HTMLElement) => void} */
export function followKind(intake) {
  const kind = intake.querySelector("[data-kind]");
  if (!(kind instanceof HTMLSelectElement)) return;
  const fit = () => offer(intake, (kind.selectedOptions[0]?.dataset.takes ?? "").split(" "));
  kind.addEventListener("change", fit);
  fit(); // a browser keeps what was chosen before a reload
}

/** `takes`: names of what may be said of a document.
   @type {(intake: ParentNode, takes: string[]) => void} */
export function offer(intake, takes) {
  for (const label of intake.querySelectorAll("[data-says]")) {
    label.hidden = !takes.includes(label.dataset.says ?? "");
    const select = label.querySelector("select");
    if (select) select.disabled = label.hidden;
  }
}

/** What is chosen for all that is added from now on, `usual` where there is no choice.
   @type {(intake: ParentNode, selector: string, usual: string) => string} */
export function chosen(intake, selector, usual) {
  const select = intake.querySelector(selector);
  return select instanceof HTMLSelectElement && !select.disabled ? select.value : usual;
}
