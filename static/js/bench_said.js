/* What is said to the values of the page at their fields: why a submit was refused, and what looks wrong as it was typed. Touches no page. */

export class Said {
  constructor() {
    /** @type {Problems} */
    this.refused = new Map();
    /** @type {Problems} */
    this.doubted = new Map();
  }

  /** key -> sentence for one SKU. `typing`: the value that is being typed, "SKU key", which is not judged before it is left.
     @type {(at: number, typing: string | null) => Map<string, string>} */
  of(at, typing) {
    const doubted = [...(this.doubted.get(at) ?? [])].filter(([key]) => typing !== `${at} ${key}`);
    return new Map([...doubted, ...(this.refused.get(at) ?? [])]);
  }

  /** What these cells say is another since; null: rows have moved.
     @type {(cells: readonly (readonly [row: number, id: string])[] | null) => void} */
  forget(cells) {
    for (const said of [this.refused, this.doubted]) {
      if (cells) for (const [at, key] of cells) said.get(at)?.delete(key);
      else said.clear();
    }
  }
}
