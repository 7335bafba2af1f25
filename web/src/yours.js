// Rules that were written here: those in the editor, and those put away when other rules were opened.
import { keep, kept } from "./keeping.js";

const MOST = 30; // texts that are put away; beyond, the oldest is dropped

export class Yours {
  #texts = [];

  /** `onChange(texts)` is told the texts put away, the last one first: `{ text, at }`, `at` in milliseconds. */
  constructor(onChange) {
    this.onChange = onChange;
    this.copies = new Set(); // texts opened here, which can be had again
    try {
      this.#texts = JSON.parse(kept("yours") ?? "[]");
    } catch { /* of another version */ }
    onChange(this.#texts);
  }

  /** The text if it was written here, or "". Before there is a text: what was written on the last visit. */
  written(text) {
    if (!text) return (kept("written") === "yes" && kept("rules")) || "";
    return this.copies.has(text) || !text.trim() ? "" : text;
  }

  /** Keep what stands in the editor, for the next visit. */
  keep(text) {
    keep("rules", text);
    keep("written", this.copies.has(text) ? "no" : "yes");
  }

  add(text) {
    this.#set([{ text, at: Date.now() }, ...this.#texts.filter((one) => one.text !== text)].slice(0, MOST));
  }

  /** The text goes back into the editor. */
  take(text) {
    this.copies.delete(text);
    this.#set(this.#texts.filter((one) => one.text !== text));
  }

  #set(texts) {
    this.#texts = texts;
    keep("yours", JSON.stringify(texts));
    this.onChange(texts);
  }
}
