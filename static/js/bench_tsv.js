/* Cells as spreadsheets put them on the clipboard, and what pasting and filling down make of a table. Pure; touches no page. */

/** Lines of cells parted by tabs. A cell in quotation marks may hold tabs, line ends and doubled marks; a mark that no other closes
   is a letter like any other, as of inches.
   @type {(text: string) => string[][]} */
export function parseCells(text) {
  const source = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  const rows = [[""]];
  const cell = /"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*)/y;
  let at = 0;
  while (at <= source.length) {
    cell.lastIndex = at;
    const [whole, quoted, plain] = cell.exec(source) ?? ["", undefined, ""];
    const row = rows[rows.length - 1];
    row[row.length - 1] = tidy(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (source[at] === "\t") row.push("");
    else if (source[at] === "\n") rows.push([""]);
    at += 1;
  }
  return rows;
}

/** A value is one line.
   @type {(text: string) => string} */
const tidy = (text) => text.replace(/\s*\n\s*/g, " ").trim();

/** @type {(rows: readonly (readonly string[])[]) => string} */
export function formatCells(rows) {
  /** @type {(text: string) => string} */
  const quoted = (text) => (/["\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => row.map(quoted).join("\t")).join("\n");
}

/** Where the cells of `block` go: over the whole selection where it is a multiple of the block, else once from its corner on.
   @type {(selected: Rectangle, block: readonly (readonly string[])[]) => (Cell & { text: string })[]} */
export function pasted({ top, left, bottom, right }, block) {
  const [high, wide] = [block.length, Math.max(...block.map((row) => row.length))];
  const [rows, cols] = [bottom - top + 1, right - left + 1];
  const [down, across] = rows % high || cols % wide ? [1, 1] : [rows / high, cols / wide];
  return Array.from({ length: down * high }, (_, r) => block[r % high].flatMap((_text, c) => Array.from({ length: across }, (_none, n) => ({ row: top + r, col: left + n * wide + c, text: block[r % high][c] })))).flat();
}

/** The first row of the selection goes into those under it; a single row takes the one above it.
   @type {(selected: Rectangle, textOf: (cell: Cell) => string) => (Cell & { text: string })[]} */
export function filledDown({ top, left, bottom, right }, textOf) {
  const from = top === bottom ? top - 1 : top;
  if (from < 0) return [];
  const cells = [];
  for (let row = from + 1; row <= bottom; row += 1) for (let col = left; col <= right; col += 1) cells.push({ row, col, text: textOf({ row: from, col }) });
  return cells;
}
