// The board: a picture with buttons on its squares, the moves as a list, and who plays whom.
import { Refused, Stopped } from "./engine.js";
import { announce, byId, element } from "./dom.js";

const OPPONENTS = [
  ["person", "a person"], ["best", "strong: the solution, or a search of 6 s"], ["search", "medium: a search of 2 s"],
  ...[8, 7, 6, 5, 4, 3, 2, 1].map((level) => [`level:${level}`, `level ${level}`]), ["random", "weak: random moves"],
];
const THINKING = { best: 6, search: 2 }; // seconds of a search
const LINE = 28; // pixels of the last line of text in a picture, with most of the margin below
const LEAST_WIDE = 26; // rem of a small board, where there is room
const TALL = 1.25; // height of a picture that fits on the screen, in widths
const MOST_SIGNS = 8; // explained below the board
const SOON = 150; // milliseconds after which a position that is not known yet is said to be waited for
const PAUSE = 350; // milliseconds before somebody else moves, so that it can be followed; less and less while cards are dealt

const randomSeed = () => Math.floor(Math.random() * 2 ** 31);

export class Board {
  /** `desk` shows positions, `bench` plays; `onMove` is called when the position has changed. */
  constructor(desk, bench, { onMove }) {
    Object.assign(this, { desk, bench, onMove });
    this.text = "";
    this.moves = [];
    this.seats = [];
    this.chosen = []; // by players who choose at once
    this.picked = []; // squares of a move that is being pointed out
    this.known = null; // values of moves here
    this.clicks = []; // made while the position before them is not known yet
    this.isTurned = false; // the board is seen from the other side
    this.events = 0; // of chance, one after the other, up to here
    this.turn = 0; // counts positions, so that late answers are left alone
    byId("undo").onclick = () => this.undo();
    byId("restart").onclick = () => this.restart();
    byId("flip").onclick = () => this.flip();
    byId("values").onchange = () => this.#showValues();
    byId("squares").addEventListener("click", (event) => event.target === byId("squares") && this.#whenKnown(() => this.#pointLine(event)));
    byId("squares").addEventListener("keydown", (event) => this.#walk(event));
    byId("squares").addEventListener("pointerdown", (event) => { this.dragged = event.target.dataset?.square; });
    byId("squares").addEventListener("pointerup", (event) => this.#drop(event));
  }

  /** Show a game; the play so far goes on if it is still one. */
  async open(text, game, moves = []) {
    const isNew = this.game?.title !== game.title || this.game.players.join() !== game.players.join();
    Object.assign(this, { text, game });
    if (isNew) {
      this.moves = [];
      this.#drawBar(null);
      byId("how").textContent = "";
      this.seats = game.players.map(() => "person");
      this.#drawSeats();
    }
    if (moves.length) this.moves = [...moves];
    this.chosen = [];
    this.clicks = [];
    try {
      await this.show();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.moves = [];
      await this.show().catch((reason) => this.#say(reason.message));
    }
  }

  /** Show the position after other moves. */
  replay(moves) {
    this.clicks = [];
    this.moves = [...moves];
    return this.#changed();
  }

  /** The board from the other side. */
  flip() {
    this.isTurned = !this.isTurned;
    byId("flip").setAttribute("aria-pressed", String(this.isTurned));
    return this.show().catch((error) => this.#say(error.message));
  }

  restart() {
    byId("how").textContent = "";
    return this.replay([]);
  }

  /** Back to before the last move of a person (or the last move, where no person plays). */
  undo() {
    const hasPerson = this.seats.includes("person");
    this.clicks = [];
    do this.moves.pop();
    while (this.moves.length > 0 && hasPerson && !this.mine[this.moves.length]);
    return this.#changed();
  }

  async #changed() {
    this.chosen = [];
    if (this.bench.busy && this.isThinking) this.bench.stop();
    await this.show().catch((error) => this.#say(error.message));
    this.onMove();
  }

  get viewer() {
    const persons = this.seats.flatMap((seat, player) => (seat === "person" ? [player] : []));
    if (!this.game.has_secrets || persons.length === 0) return null;
    return persons.length === 1 ? persons[0] : (this.nextPerson ?? persons[0]);
  }

  /** Draw the position, and let whoever is no person go on. */
  async show() {
    const turn = ++this.turn;
    this.picked = [];
    this.known = null;
    this.mine = this.mine?.slice(0, this.moves.length + 1) ?? [];
    this.isPending = true;
    const soon = setTimeout(() => this.#say(this.desk.state === "ready" ? "being worked out…"
      : "your moves are kept until Python runs"), SOON);
    try {
      await this.#look(turn);
    } finally {
      clearTimeout(soon);
      if (turn === this.turn) this.isPending = false;
    }
    if (turn !== this.turn) return;
    this.#draw();
    this.#showValues();
    this.#goOn(turn);
    if (this.found.outcome) this.clicks = [];
    while (this.clicks.length && this.asked !== null && !this.isPending) this.clicks.shift()();
  }

  /** Learn the position, and who of the persons is asked. */
  async #look(turn) {
    let found = await this.#position();
    const asked = found.choices.find(({ player }) => this.seats[player] === "person" && !(player in this.chosen));
    if (asked !== undefined && this.game.has_secrets && this.nextPerson !== asked.player) {
      this.nextPerson = asked.player;
      found = await this.#position();
    }
    if (turn !== this.turn) return;
    this.found = found;
    this.asked = asked ?? null;
    this.mine[this.moves.length] = asked !== undefined;
  }

  #position() {
    const turned = this.isTurned ? { is_turned: true } : {};
    return this.desk.ask("position", { text: this.text, moves: this.moves, viewer: this.viewer, ...turned });
  }

  #draw() {
    const { found } = this;
    byId("flip").hidden = !found.can_turn;
    this.#drawPicture();
    byId("board-text").textContent = found.text;
    const last = found.log[found.log.length - 1];
    this.#say(found.outcome ? `Game over: ${found.outcome}` : this.#turnWords());
    announce([last && `${last.who}: ${last.short}.`, byId("standing").textContent].filter(Boolean).join(" "));
    byId("undo").disabled = byId("restart").disabled = this.moves.length === 0;
    byId("log").replaceChildren(...runs(found.log).map(({ one, number, times }) => element("li", { title: one.name, value: number },
      element("b", { text: one.who }), ` ${one.short}${times > 1 ? `, ${times} times` : ""}`)));
    byId("log-box").hidden = found.log.length === 0;
    byId("log").scrollTo(byId("log").scrollWidth, byId("log").scrollHeight);
    this.#drawChoices();
  }

  /** The picture, without its last line, which stands below the board. */
  #drawPicture() {
    byId("picture").innerHTML = this.found.svg;
    const svg = byId("picture").querySelector("svg");
    const last = [...svg.querySelectorAll(":scope > text")].pop();
    const view = svg.viewBox.baseVal;
    if (last?.textContent === this.found.standing && view.height > LINE * 2) {
      last.remove();
      svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height - LINE}`);
    }
    const { width, height } = svg.viewBox.baseVal;
    const isBoard = Object.keys(this.found.centres).length > 0; // lines of text stay of a size
    const wide = isBoard ? Math.max((1.8 * width) / 16, LEAST_WIDE) : (1.25 * width) / 16;
    const high = Math.min(height, TALL * width); // what stands lower is scrolled to
    byId("stage").style.maxWidth = `min(44rem, ${wide}rem, calc((100vh - 15rem) * ${width / high}))`;
    svg.removeAttribute("width");
    svg.removeAttribute("height");
  }

  #turnWords() {
    const { found, asked, game } = this;
    if (asked !== null && found.mover === "all") return `${game.players[asked.player]} chooses; all choose at once`;
    return found.standing;
  }

  #say(words) {
    byId("standing").textContent = words;
  }

  /** The actions that the squares pointed at so far still allow. */
  get candidates() {
    if (this.asked === null) return [];
    return this.asked.actions.filter((one) => this.picked.every((square, n) => one.squares[n] === square));
  }

  #drawChoices() {
    const { found, candidates } = this;
    const focused = document.activeElement?.dataset?.square;
    const next = new Map();
    for (const action of candidates) {
      const square = action.squares[this.picked.length];
      if (square === undefined || !(square in found.centres)) continue;
      next.set(square, [...(next.get(square) ?? []), action]);
    }
    const view = byId("picture").querySelector("svg")?.viewBox.baseVal;
    const places = view ? [...next].map(([square, actions]) => this.#square(square, actions, view)) : [];
    const from = this.picked[this.picked.length - 1];
    if (from !== undefined && view) places.push(this.#square(from, [], view));
    if (this.picked.length === 1 && view) places.push(...this.#others(next, from).map((square) => this.#square(square, null, view)));
    byId("squares").replaceChildren(...places);
    if (focused) this.place = focused;
    if (focused || (document.activeElement === document.body && this.place && places.length)) this.#focusNear(this.place);
    byId("moves").replaceChildren(...candidates.map((one) => this.#move(one)));
    byId("moves-box").hidden = candidates.length === 0;
  }

  /** Squares where another move may begin, while one is picked. */
  #others(next, from) {
    const begins = new Set(this.asked.actions.map((one) => one.squares[0]));
    return [...begins].filter((square) => square in this.found.centres && square !== from && !next.has(square));
  }

  /** The keyboard stays where it was: on the square, or on the nearest that can be played on. */
  #focusNear(square) {
    const here = this.found.centres[square];
    const far = (one) => Math.hypot(...this.found.centres[one.dataset.square].map((place, n) => place - (here?.[n] ?? 0)));
    [...byId("squares").querySelectorAll(".square")].sort((one, other) => far(one) - far(other))[0]?.focus();
  }

  /** `actions`: those that this square leads to; none for the picked square, null for another to begin with. */
  #square(square, actions, view) {
    const best = this.known && actions?.map((one) => this.known.get(one.name)).filter(Boolean).sort((a, b) => b.rank - a.rank)[0];
    const label = actions === null ? `${square}: begin here` : actions.length === 0 ? `${square}: put back` : actions.length === 1 ? actions[0].name : `${square}: ${actions.length} moves`;
    const style = this.#placed(square, view);
    const taken = this.found.taken.includes(square) ? " taken" : "";
    return element("button", {
      type: "button", class: `square${taken}${actions === null ? " other" : actions.length ? "" : " picked"}${best ? ` ${tone(best)}` : ""}`, style, "data-square": square,
      "aria-label": best ? `${label}, ${best.words}` : label, title: best ? `${label}: ${best.words}` : label,
      click: (event) => this.#take(event, () => this.#point(square)),
    }, element("span", { "aria-hidden": "true", text: best ? best.sign : "" }));
  }

  /** Where a square lies in the picture, as a style. */
  #placed(square, view) {
    const [x, y] = this.found.centres[square];
    const size = this.found.unit * 0.94;
    return `left:${(100 * (x - view.x)) / view.width}%;top:${(100 * (y - view.y)) / view.height}%;` +
      `width:${(100 * size) / view.width}%;height:${(100 * size) / view.height}%`;
  }

  #move(action) {
    const value = this.known?.get(action.name);
    return element("button", { type: "button", class: value ? `move ${tone(value)}` : "move", title: value?.words,
      "aria-label": value ? `${action.name}, ${value.words}` : action.name, click: (event) => this.#take(event, () => this.#choose(action.name)) },
    action.short, value ? element("i", { text: value.sign }) : null);
  }

  /** What a click asks for is done at once, or, while the position before it is not known, as soon as it is. */
  #whenKnown(done) {
    return this.isPending ? this.clicks.push(done) : done();
  }

  /** A click on a button, which shows that it waits. */
  #take({ currentTarget }, done) {
    this.#whenKnown(done);
    if (this.isPending) currentTarget.classList.add("waiting");
  }

  #point(square) {
    if (!this.asked.actions.some((one) => one.squares.includes(square))) return undefined; // it was clicked too early
    const leads = this.candidates.some((one) => one.squares[this.picked.length] === square);
    if (this.picked[this.picked.length - 1] === square) this.picked.pop();
    else if (leads) this.picked.push(square);
    else this.picked = [square];
    const { candidates } = this;
    const done = candidates.filter((one) => one.squares.length === this.picked.length);
    if (done.length === 1 && candidates.length === 1) return this.#choose(done[0].name);
    this.#drawChoices();
    if (done.length > 0) byId("moves").querySelector("button")?.focus();
    return undefined;
  }

  /** A click beside the squares to play on: a move with the number of a column (or row), which is shown by its square,
   * is made by a click anywhere in it. A move that names its square is made by a click on the square alone. */
  #pointLine({ target, clientX, clientY }) {
    const view = byId("picture").querySelector("svg")?.viewBox.baseVal;
    const { candidates } = this;
    if (!view || candidates.length < 2) return;
    if (candidates.some((one) => one.short !== one.squares[0] || one.name.includes(one.short))) return;
    const places = candidates.map((one) => this.found.centres[one.squares[0]]);
    const axis = [0, 1].find((n) => places.every((place) => place) && new Set(places.map((place) => place[n])).size === places.length);
    if (axis === undefined) return;
    const box = target.getBoundingClientRect();
    const here = [view.x + ((clientX - box.left) / box.width) * view.width, view.y + ((clientY - box.top) / box.height) * view.height];
    const chosen = places.findIndex((place) => Math.abs(place[axis] - here[axis]) < this.found.unit / 2);
    if (chosen >= 0) this.#choose(candidates[chosen].name);
  }

  #choose(name) {
    if (!this.asked.actions.some((one) => one.name === name)) return undefined; // it was clicked too early
    if (this.found.mover === "all") {
      this.chosen[this.asked.player] = name;
      this.nextPerson = undefined;
      return this.show().catch((error) => this.#say(error.message));
    }
    return this.#make(name);
  }

  async #make(name) {
    this.moves.push(name);
    await this.#changed();
  }

  /** Chance, and players that are no persons. */
  async #goOn(turn) {
    const { found } = this;
    this.events = found.mover === "chance" ? this.events + 1 : 0;
    if (this.asked !== null || found.mover === "nobody") return;
    const isLive = () => turn === this.turn;
    try {
      await new Promise((resolve) => setTimeout(resolve, PAUSE / Math.max(1, this.events)));
      if (!isLive()) return;
      const fields = { text: this.text, moves: this.moves };
      if (found.mover === "chance") {
        const name = await this.desk.ask("draw", { ...fields, seed: randomSeed() });
        if (isLive()) await this.#make(name);
        return;
      }
      const names = [];
      for (const { player } of found.choices) {
        names.push(player in this.chosen ? this.chosen[player] : (await this.#reply(fields, player)).name);
        if (!isLive()) return;
      }
      await this.#make(names.join("+"));
    } catch (error) {
      if (!isLive()) return;
      if (error instanceof Stopped) this.#say(`${found.standing}: stopped; take a move back, or choose who plays`);
      else this.#say(error.message);
    }
  }

  async #reply(fields, player) {
    const opponent = this.seats[player];
    this.isThinking = opponent !== "random";
    if (this.isThinking) this.#say(`${this.game.players[player]} is thinking`);
    try {
      const told = await (this.isThinking ? this.bench : this.desk).ask("reply",
        { ...fields, player, opponent, seconds: THINKING[opponent] ?? 1, seed: randomSeed() });
      byId("how").textContent = `${this.game.players[player]}: ${told.how}`;
      return told;
    } finally {
      this.isThinking = false;
    }
  }

  async #showValues() {
    const { turn } = this;
    byId("why").textContent = "";
    if (!byId("values").checked) this.#drawBar(null);
    if (!byId("values").checked || this.found?.choices.length === 0) {
      this.known = null;
      return this.#drawChoices();
    }
    byId("why").textContent = "values: being worked out…";
    try {
      const told = await this.bench.ask("values", { text: this.text, moves: this.moves });
      if (turn !== this.turn) return undefined;
      byId("why").textContent = told.why || legend(told.moves);
      this.#drawBar(told.share);
      const isChoice = told.moves.some((one) => !one.is_best);
      this.known = new Map(told.moves.map((one) => [one.name, { ...one, is_best: one.is_best && isChoice }]));
      return this.#drawChoices();
    } catch (error) {
      if (turn === this.turn) byId("why").textContent = error instanceof Stopped ? "values: stopped" : error.message;
      return undefined;
    }
  }

  /** The first player's share of what is to be won, beside the board; null where there is none. */
  #drawBar(share) {
    const bar = byId("bar");
    bar.hidden = share === null;
    if (share === null) return;
    const part = Math.round(share * 100);
    const [first, second] = this.game.players;
    const [below, above] = this.game.colours;
    for (const [name, value] of Object.entries({ share: `${part}%`, below, above })) bar.style.setProperty(`--${name}`, value);
    bar.setAttribute("aria-label", part === 50 ? "even" : `${part > 50 ? first : second} is better, ${Math.max(part, 100 - part)} of 100`);
    bar.title = bar.getAttribute("aria-label");
  }

  #drawSeats() {
    byId("seats").replaceChildren(...this.game.players.map((name, player) => element("label", {},
      element("span", { text: name }),
      element("select", { "data-player": player, change: (event) => this.#seat(player, event.target.value) },
        ...OPPONENTS.map(([value, text]) => element("option", { value, text }))))));
  }

  #seat(player, opponent) {
    this.seats[player] = opponent;
    byId("how").textContent = "";
    this.nextPerson = undefined;
    return this.#changed();
  }

  /** A man is dragged: the square where the pointer went down, then the square where it is let go. */
  #drop({ clientX, clientY }) {
    const from = this.dragged;
    const under = () => document.elementFromPoint(clientX, clientY)?.closest(".square")?.dataset.square;
    const start = byId("squares").querySelector(`[data-square="${from}"]`)?.getBoundingClientRect();
    this.dragged = undefined;
    const isWithin = start && clientX >= start.left && clientX <= start.right && clientY >= start.top && clientY <= start.bottom;
    if (!start || isWithin) return; // a click
    this.#whenKnown(() => {
      if (this.picked[this.picked.length - 1] !== from) this.#point(from);
      const to = under();
      if (to !== undefined && to !== from && this.candidates.some((one) => one.squares[this.picked.length] === to)) this.#point(to);
    });
  }

  /** Arrow keys go to the nearest square in their direction; Escape puts back what is picked. */
  #walk(event) {
    if (event.key === "Escape" && this.picked.length) {
      this.picked = [];
      this.#drawChoices();
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const here = event.target.dataset?.square;
    if (!way || !here) return;
    event.preventDefault();
    const [x, y] = this.found.centres[here];
    let nearest = null;
    for (const one of byId("squares").querySelectorAll(".square")) {
      const [a, b] = this.found.centres[one.dataset.square];
      const along = (a - x) * way[0] + (b - y) * way[1];
      const aside = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]);
      const far = along + 3 * aside;
      if (along > 1 && (nearest === null || far < nearest.far)) nearest = { one, far };
    }
    nearest?.one.focus();
  }
}

/** The entries of a record, numbered from 1; equal events of chance in a row are one. */
function runs(log) {
  const told = [];
  for (const [n, one] of log.entries()) {
    const before = told[told.length - 1];
    if (one.who === "chance" && before?.one.who === "chance" && before.one.short === one.short) before.times += 1;
    else told.push({ one, number: n + 1, times: 1 });
  }
  return told;
}

/** A move's value as a button or a line: its name, and its sign. */
export function valued(name, value) {
  return element("span", { class: `move ${tone(value)}`, title: value.words }, name, element("i", { text: value.sign }));
}

/** What the signs of moves mean, for signs that do not say so themselves. */
export function legend(moves) {
  const meanings = new Map(moves.filter(({ sign, words }) => !words.endsWith(sign)).map(({ sign, words }) => [sign, words]));
  const told = [...meanings].slice(0, MOST_SIGNS).map(([sign, words]) => `${sign} means: ${words}`);
  return told.join("; ") + (meanings.size > MOST_SIGNS ? "; …" : "");
}

/** The classes of a value: how good it is for who moves, and whether nothing is better. */
function tone({ rank, is_best: isBest }) {
  const name = rank === null ? "even" : rank > 0.75 ? "good" : rank < 0.25 ? "bad" : "even";
  return isBest ? `${name} best` : name;
}
