/* The workbench's table of SKUs: rows, columns and cells, what is selected, and what one correction offers to the others. */

type Cell = { row: number; col: number };
/** `head` is where keys are; with Shift the `anchor` stays. */
type CellRange = { anchor: Cell; head: Cell };
type Rectangle = { top: number; left: number; bottom: number; right: number };
type TableSize = { rows: number; cols: number };
type Way = readonly [down: number, right: number];

/** `own`: an attribute that the category does not know. */
type Column = { id: string; label: string; required: boolean; own: boolean; blank: boolean };
type Patch = readonly [row: number, id: string, text: string];

type Piece = { words: Word[]; box: Box };
type Run = { piece: Piece; first: number; last: number };
/** What is printed for one SKU at the place that was shown for another; `before`: what its cell says meanwhile. */
type Ghost = { row: number; sku_id: string | null; id: string; text: string; box: Box; before: Value | null };

/** How a cell, and a row, is drawn. */
type Look = { text: string; state: "" | "open" | "edited" | "confirmed" | "conflict"; fault: string; ghost: string | undefined };
type TableLine = { tag: string; name: string; mark: Mark | null; rejected: boolean; cells: Look[] };

// --- between the table and the workbench -----------------------------------------------------

type SkuTable = import("../../../static/js/bench_table.js").SkuTable;
type Offer = import("../../../static/js/bench_offer.js").Offer;
