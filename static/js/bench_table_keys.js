/* Keys of the table, as in a spreadsheet. Bound before those of the workbench, which get what is left. */
import { everything, jumped, movedBy, movedTo, stepped } from "./bench_ranges.js";
import { bind } from "./key_registry.js";

/** @type {Record<string, Way>} */
const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const ARROWS = Object.keys(WAYS);

/** @param {SkuTable} table */
export function bindTable(table) {
  const { acts, bench } = table;
  /** @type {(event: KeyPress) => boolean} */
  const isHere = (event) => event.target === table.pen;
  /** Not while the caret is moved in the cell's letters.
     @type {(event: KeyPress) => boolean} */
  const isBeside = (event) => isHere(event) && table.mode !== "editing";
  /** @type {(event: KeyPress) => boolean} */
  const isAt = (event) => isHere(event) && table.mode === "at";
  /** @type {(keys: string[], says: string, when: (event: KeyPress) => boolean, run: (event: KeyPress) => void) => void} */
  const on = (keys, says, when, run) => bind({ scope: "table", keys, says, when, run, typing: true });
  /** @type {(event: KeyPress) => 1 | -1} */
  const step = (event) => (event.shiftKey ? -1 : 1);
  /** @type {(event: KeyPress, row: number, col: number) => void} */
  const goTo = (event, row, col) => table.go(movedTo(table.range, { row, col }, table.size, event.shiftKey));
  const last = () => ({ row: table.size.rows - 2, col: table.size.cols - 1 });

  on(ARROWS, "keys.cell", (event) => (WAYS[event.key][0] ? isHere(event) : isBeside(event)), (event) => table.go(movedBy(table.range, WAYS[event.key], table.size, event.shiftKey)));
  on(ARROWS.flatMap((arrow) => [`Ctrl+${arrow}`, `Ctrl+Shift+${arrow}`]), "keys.cell_far", isBeside, (event) =>
    table.go(jumped(table.range, WAYS[event.key], table.size, (cell) => table.textOf(cell) !== "", event.shiftKey)));
  on(["Tab"], "keys.cell_next", (event) => isHere(event) && stepped(table.range, step(event), table.size) !== null, (event) => {
    const next = stepped(table.range, step(event), table.size);
    if (next) table.go(next);
  });
  on(["Enter"], "keys.cell_confirm", isHere, (event) => {
    if (!event.shiftKey && table.mode === "at") acts.confirm();
    table.go(movedBy(table.range, [step(event), 0], table.size));
  });
  on(["F2"], "keys.cell_edit", isHere, () => (table.mode === "editing" ? table.commit() : table.enter("editing")));
  on(["Escape"], "keys.cell_leave", (event) => isHere(event) && (table.mode !== "at" || !table.isOne), () => (table.mode === "at" ? table.go(movedBy(table.range, [0, 0], table.size)) : table.leave()));
  on(["Home"], "keys.row_begin", isBeside, (event) => goTo(event, table.range.head.row, 0));
  on(["End"], "keys.row_end", isBeside, (event) => goTo(event, table.range.head.row, last().col));
  on(["Ctrl+Home", "Ctrl+Shift+Home"], "keys.table_begin", isBeside, (event) => goTo(event, 0, 0));
  on(["Ctrl+End", "Ctrl+Shift+End"], "keys.table_end", isBeside, (event) => goTo(event, last().row, last().col));
  on(["PageUp"], "keys.page_up", isHere, (event) => table.go(movedBy(table.range, [-table.rowsSeen, 0], table.size, event.shiftKey)));
  on(["PageDown"], "keys.page_down", isHere, (event) => table.go(movedBy(table.range, [table.rowsSeen, 0], table.size, event.shiftKey)));
  on(["Ctrl+A"], "keys.cell_all", isAt, () => table.go(everything({ ...table.size, rows: Math.max(1, table.size.rows - 1) })));
  on(["Delete", "Backspace"], "keys.cell_empty", isAt, () => acts.clear());
  on(["Ctrl+D"], "keys.fill_down", isHere, () => acts.fillDown());
  on(["Ctrl+Z"], "keys.undo", isHere, () => {
    table.commit();
    bench.undo();
  });
  on(["Ctrl+Shift+Z", "Ctrl+Y"], "keys.redo", isHere, () => {
    table.commit();
    bench.redo();
  });
  on(["F4"], "keys.meaning", isHere, () => table.meaning.ask(table.range.head.col));
  on(["F8"], "keys.next_open", isHere, (event) => bench.next(step(event)));
  on(["Ctrl+M"], "keys.merge_rows", isHere, () => acts.merge());
  on(["Ctrl+Shift+M"], "keys.split_row", isHere, () => acts.split());
  on(["Ctrl+Shift+Enter"], "keys.add_row", isHere, () => acts.add());
  on(["Ctrl+Delete"], "keys.reject_rows", isHere, () => acts.reject());
}

/** @param {Offer} offer */
export function bindOffer(offer) {
  bind({ scope: "offer", keys: ["Ctrl+G"], says: "keys.take_offer", typing: true, when: () => offer.ghosts.length > 0, run: () => offer.take() });
  bind({ scope: "offer", keys: ["Escape"], says: "keys.refuse_offer", typing: true, when: () => offer.ghosts.length > 0, run: () => offer.refuse() });
}
