// What is known before Python runs: the answers about the first game, worked out when the page was
// built (`first.json`), and the last ones about the rules that were edited here.
import { keep, kept } from "./keeping.js";

export class Memory {
  #answers = new Map();
  #own = new Map();
  #version = null;

  /** Remember what this build has answered, and what was kept of it. */
  async load() {
    const { version, answers } = await (await fetch("first.json")).json();
    this.#version = version;
    const own = JSON.parse(kept("answers") ?? "null");
    this.#answers = new Map([...answers, ...(own?.version === version ? own.answers : [])]);
  }

  /** The answer to a request (JSON), or nothing. */
  answer(request) {
    return this.#answers.get(request);
  }

  /** Keep what the page begins with: what was found in a game, and its first position. */
  keep(request, answer) {
    const { ask, moves = [] } = JSON.parse(request);
    const isFirst = (ask === "findings" && answer.game !== null) || (ask === "position" && moves.length === 0);
    if (!isFirst || this.#version === null) return;
    this.#own.set(ask, [request, answer]);
    keep("answers", JSON.stringify({ version: this.#version, answers: [...this.#own.values()] }));
  }
}
