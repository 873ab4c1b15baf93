/* What is done to the state when the form and the part about the page report something. */
import * as states from "./bench_state.js";

/** @type {(bench: Bench) => FormEvents} */
export function formEvents(bench) {
  return {
    text: (key, text) => bench.typed(key, text),
    confirm: (key) => bench.acts.confirm(key),
    reading: (key) => bench.acts.takeReading(key),
    empty: (key) => bench.change(states.withText(bench.state, bench.at, key, "")) && bench.next(1),
    custom: (lines) => bench.change(states.withCustom(bench.state, bench.at, lines), `${bench.at} custom`),
    focus: (key) => bench.light(key),
    leave: () => bench.fieldLeft(),
  };
}

/** @type {(bench: Bench) => PagePartEvents} */
export function pageEvents(bench) {
  return {
    page: (changes, label) => bench.change(states.withPage(bench.state, changes), label),
    role: (picture, role) => bench.acts.giveRole(picture, role),
    text: (role) => bench.acts.giveTextRole(role),
    separate: (table) => bench.change(states.withSeparate(bench.state, table)),
    none: () => bench.change(states.withoutProducts(bench.state)),
    choose: (picture) => bench.boxes.choose({ kind: "picture", id: picture }),
  };
}
