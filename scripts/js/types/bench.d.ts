/* What the workbench works with, as annotation/workbench/presenters.py writes it and drafts and submits say it. */

/** [x0, y0, x1, y1] in points from the page's upper left corner. */
type Box = readonly [number, number, number, number];
type Point = readonly [number, number];
/** A tag begins at `at`, or ends there; it hangs from there, or stands on it. */
type TagPlace = { at: Point; end: boolean; above: boolean };
type PageSize = { width_pt: number; height_pt: number };
/** The edges of a box that follow a hand. */
type Handle = "nw" | "n" | "ne" | "e" | "se" | "s" | "sw" | "w";

// --- the state that is edited, and its steps -------------------------------------------------

type Value = { text: string; box: Box | null; confirmed: boolean };
type Custom = { name: string; text: string; box: Box | null; confirmed: boolean };
type Sku = {
  sku_id: string | null; // null: a person added it
  rejected: boolean;
  accepted?: boolean;
  attributes: Record<string, Value | null>;
  custom: Custom[];
  pictures: string[];
  box: Box | null;
  offered?: string; // the proposer of the alternative that it was taken from
};
type Drawn = { id: string; box: Box };
type PageState = {
  page_type: string;
  layout_type: string;
  skus: Sku[];
  roles: Record<string, string>; // picture -> role, where it is another than the reading's
  drawn: Drawn[];
  texts: Record<string, string>; // block -> role, likewise
  separate: string[];
  new_type: string;
};
type Difference = { path: string[]; before?: unknown; after?: unknown };
type Side = "before" | "after";
type Steps = { past?: Difference[][]; future?: Difference[][] };

/** A line of an earlier draft: a value of a SKU that was read, or a whole SKU. */
type LeftLine = { sku_id: string; key: string; mine: string; sku?: undefined } | { sku: Sku; sku_id?: undefined; key?: undefined; mine?: undefined };
type DraftState = PageState & { steps?: Steps; left?: LeftLine[] };
type Draft = { seq: number; state: DraftState; page_version: string };
type KeptDraft = Draft & { unsent?: boolean; token?: number };

// --- what is only shown ----------------------------------------------------------------------

type Mark = { icon: string; word: string; tone: string };
type Proof = { crop: Box | null; seen: boolean };
type SkuMeta = {
  blockers: string[];
  locked: string[];
  evidence: Record<string, Proof | undefined>;
  customs?: Record<string, Box | undefined>; // name -> where it is printed
  marks: Record<string, Mark | undefined>;
  candidates: string[];
  scores: Record<string, number | undefined>;
  why: Record<string, string | undefined>;
  otherwise: Record<string, string | undefined>;
  confidence: number | null;
  subject: boolean;
};
type Picture = { image_id: string; name: string; box: Box; url: string; role: string };
type Key = { key: string; label: string; required: boolean };
type Meta = {
  skus: Record<string, SkuMeta | undefined>;
  images: Picture[];
  keys: Key[];
  accept_from: number;
  texts: Record<string, string>;
  around: { number: number; url: string }[];
  alternatives: Alternative[];
};
/** What a proposal that was not taken tells of besides; `way`: in words, how it looked. */
type Alternative = { proposer: string; way: string; page_type: string; layout_type: string; skus: Sku[] };
type BenchPage = PageSize & { number: number; version: string; image_url: string };
type Holder = { name: string; since: string; me: boolean; tab: string; token?: number };
type BenchData = {
  task: string;
  status: string;
  holder: Holder | null;
  user: string;
  name: string;
  can_take_over: boolean;
  idle_s: number;
  judges: boolean;
  page: BenchPage;
  state: PageState;
  meta: Meta;
  draft: Draft | null;
};

// --- what is printed on the page, as annotation/views.py answers it --------------------------

type PrintedWord = [text: string, box: Box];
type PrintedLine = [text: string, box: Box, words: PrintedWord[]];
type PrintAnswer = { blocks: [id: string, box: Box, lines: PrintedLine[]][]; tables: [id: string, box: Box, cells: Box[]][] };
type Word = { text: string; box: Box };
type Line = Word & { words: Word[] };
type Block = Word & { id: string };
type Table = { id: string; box: Box; cells: Box[] };

// --- between the workbench's parts -----------------------------------------------------------

type Chosen = { kind: "sku"; id?: undefined } | { kind: "picture" | "block"; id: string };
/** `open`: keys of what is left to decide; `problems`: key -> sentence. */
type FormView = { state: PageState; at: number; writable: boolean; open: string[]; problems: Record<string, string> };
type FormEvents = {
  text: (key: string, text: string) => void;
  confirm: (key: string) => void;
  reading: (key: string) => void;
  empty: (key: string) => void;
  custom: (lines: Custom[]) => void;
  focus: (key: string | null) => void;
  leave: () => void;
};
/** What is chosen among for the page and for what is chosen on it. */
type ChoiceGroup = "page_type" | "layout_type" | "text_role" | "image_role";
type PagePartEvents = {
  page: (changes: Partial<PageState>, label?: string) => void;
  role: (picture: string, role: string) => void;
  text: (role: string) => void;
  separate: (table: string) => void;
  choose: (picture: string) => void;
  none: () => void;
};
type Part = "skus" | "table" | "page" | "verdict" | "around" | "talk" | "past";
/** A value of a SKU that is left to decide. */
type OpenValue = [at: number, key: string];
type Tool = "select" | "sku" | "picture";
type LockState = "free" | "mine" | "other" | "other_tab" | "escalated" | "closed" | "lost";
type LockDetail = { by?: string; since?: string };
type SavingState = "saved" | "typing" | "saving" | "offline" | "signin" | "failed" | "unkept";
/** SKU -> key -> sentence. */
type Problems = Map<number, Map<string, string>>;
/** Where one looks: the page's upper left corner in the view, pixels to a point, and the view's own size, all in pixels. */
type Sight = { x: number; y: number; zoom: number; width: number; height: number };
type Drag = { move(to: Point): void; end(): void };
type Press = { readonly target: HTMLElement; readonly shiftKey: boolean };
type Hands = Pick<Boxes, "begin" | "click" | "hover" | "isFilling">;

type Bench = import("../../../static/js/bench.js").Bench;
type Boxes = import("../../../static/js/bench_boxes.js").Boxes;
type Commands = import("../../../static/js/bench_commands.js").Commands;
type TaskLock = import("../../../static/js/bench_lock.js").Lock;
type PageView = import("../../../static/js/bench_page.js").PageView;
type Print = import("../../../static/js/bench_print.js").Print;
