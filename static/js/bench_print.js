/* What is printed on the page, word by word: fetched once the form can be used, and asked what stands where. */
import { centre, holds, smallestAt, union } from "./bench_geometry.js";

export class Print {
  constructor() {
    /** @type {Block[]} */
    this.blocks = [];
    /** @type {Table[]} */
    this.tables = [];
    /** @type {Line[]} */
    this.lines = [];
    /** @type {Word[]} */
    this.words = [];
  }

  /** Resolves whether anything was found.
     @type {(url: string) => Promise<boolean>} */
  async load(url) {
    try {
      const answer = await fetch(url);
      if (answer.ok) this.take(await answer.json());
    } catch {
      return false; // the form works without it
    }
    return this.blocks.length > 0;
  }

  /** @type {(found: PrintAnswer) => void} */
  take({ blocks, tables }) {
    this.blocks = blocks.map(([id, box, lines]) => ({ id, box, text: lines.map(([text]) => text).join(" ") }));
    this.tables = tables.map(([id, box, cells]) => ({ id, box, cells }));
    this.lines = blocks.flatMap(([, , lines]) => lines.map(([text, box, words]) => ({ text, box, words: words.map(([word, at]) => ({ text: word, box: at })) })));
    this.words = this.lines.flatMap((line) => line.words);
  }

  /** Of most words, in points; 0 without any.
     @returns {number} */
  get lineHeight() {
    const heights = this.words.map(({ box }) => box[3] - box[1]).sort((a, b) => a - b);
    return heights[Math.floor(heights.length / 2)] ?? 0;
  }

  /** @type {(point: Point) => Word | undefined} */
  wordAt(point) {
    return smallestAt(this.words, point, (word) => word.box);
  }

  /** @type {(point: Point) => Block | undefined} */
  blockAt(point) {
    return smallestAt(this.blocks, point, (block) => block.box);
  }

  /** Text and box of the words whose middle lies in `area`, or null.
     @type {(area: Box) => Word | null} */
  textIn(area) {
    const taken = this.lines.map((line) => ({ line, words: line.words.filter((word) => holds(area, centre(word.box))) })).filter(({ words }) => words.length);
    if (!taken.length) return null;
    const text = taken.map(({ line, words }) => (words.length === line.words.length ? line.text : words.map((word) => word.text).join(" "))).join(" ");
    return { text, box: union(taken.flatMap(({ words }) => words.map((word) => word.box))) };
  }
}
