// What is known before Python runs: the answers about the starts of the shipped games, worked out when
// the page was built (`answers/`), and the last ones about the rules that were edited here.
import { keep, kept } from "./keeping.js";

/* global BUILD */ // tells the library of one build from another

export class Memory {
  #answers = new Map();
  #own = new Map();

  constructor() {
    const own = JSON.parse(kept("answers") ?? "null");
    if (own?.version === BUILD) this.#answers = new Map(own.answers);
  }

  /** Remember what was answered about a shipped game, or the `catalogue` of all; the module that was generated for the game, or
   * nothing. */
  async load(name) {
    const response = await fetch(`answers/${name}.json`);
    if (!response.ok) return null;
    const { answers, made } = await response.json();
    for (const [request, answer] of answers) this.#answers.set(request, answer);
    return made;
  }

  /** The answer to a request (JSON), or nothing. */
  answer(request) {
    return this.#answers.get(request);
  }

  /** Keep what the page begins with: what was found in a game, and its first position. */
  keep(request, answer) {
    const { ask, moves = [] } = JSON.parse(request);
    const isFirst = (ask === "findings" && answer.game !== null) || (ask === "position" && moves.length === 0);
    if (!isFirst) return;
    this.#own.set(ask, [request, answer]);
    keep("answers", JSON.stringify({ version: BUILD, answers: [...this.#own.values()] }));
  }
}
