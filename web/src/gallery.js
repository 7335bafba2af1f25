// What a game may begin with: the shipped games with pictures, by kind, and templates of new ones.
import { announce, byId, element } from "./dom.js";

const SHELVES = ["Boards", "Heaps and numbers", "Dice and chance", "Hidden cards and secrets", "Choices at once", "Trees", "For one player", "Variants",
  "Games that OpenSpiel has too"];
const FAMILIAR = ["tic_tac_toe", "connect_four", "hex", "othello", "chess", "nim", "pig", "kuhn_poker", "liars_dice", "rock_paper_scissors", "prisoners_dilemma",
  "kalah", "aima_fig_5_2", "fifteen_puzzle", "hanoi", "peg_solitaire", "king_of_the_hill"]; // first on their shelves

const AHEAD = "200px"; // around what is seen, where pictures are loaded already
const TALL = 1.4; // height of a picture, in widths, from which only its upper part is shown
const SEARCHES = "alpha-beta minimax expectiminimax search"; // what a tree is drawn for

export class Gallery {
  /** `onChoice(name)` is called with a shipped game, `onStart(text)` with the rules of a new one, `onYours(text)` with rules
   * that were put away. */
  constructor({ onChoice, onStart, onYours }) {
    Object.assign(this, { onChoice, onStart, onYours });
    // each picture is a document of its own, which a phone lays out slowly: the browser's own laziness loads all shelves at once
    this.seen = new IntersectionObserver((tiles) => tiles.filter((one) => one.isIntersecting).forEach(({ target }) => {
      target.src = target.dataset.picture;
      this.seen.unobserve(target);
    }), { rootMargin: AHEAD });
    byId("games").onclick = () => {
      this.wish = byId("gallery").hidden; // of a person, which the page's own opening respects
      this.show(this.wish);
    };
    byId("search").oninput = () => this.#search();
    byId("new").onclick = () => byId("new-box").showModal();
    byId("close-new").onclick = () => byId("new-box").close();
  }

  /** Show the games in place of the board, or the board. */
  show(isShown) {
    byId("gallery").hidden = !isShown;
    document.querySelector("main").hidden = isShown;
    byId("games").setAttribute("aria-expanded", String(isShown));
    if (isShown) scrollTo(0, 0);
  }

  /** `entries` of the catalogue, and `starts`, templates by kind. */
  fill(entries, starts) {
    const place = (one) => (FAMILIAR.indexOf(one.name) + FAMILIAR.length + 1) % (FAMILIAR.length + 1);
    byId("shelves").replaceChildren(...SHELVES.map((kind) => element("section", { class: "shelf" }, element("h3", { text: kind }),
      element("div", { class: "tiles" }, ...entries.filter((one) => one.kind === kind).sort((a, b) => place(a) - place(b)).map((one) => this.#tile(one))))));
    for (const picture of document.querySelectorAll("#shelves img")) this.seen.observe(picture);
    byId("starts").replaceChildren(...starts.map(({ kind, text }) => element("button", { type: "button", "data-kind": kind,
      click: () => { byId("new-box").close(); this.onStart(text); } },
    element("b", { text: kind }), element("span", { text: aboutOf(text) }))));
  }

  /** The shelf of rules that were written here and put away: `{ text, at }`. */
  showYours(texts) {
    byId("yours").hidden = texts.length === 0;
    const time = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
    byId("yours-tiles").replaceChildren(...texts.map(({ text, at }) => element("button", { type: "button", class: "tile", "data-game": "", click: () => this.onYours(text) },
      element("b", { text: titleOf(text) }), element("span", { text: `put away ${time.format(at)}` }))));
  }

  #tile(one) {
    const facts = [one.players === 1 ? "1 player" : `${one.players} players`, one.value && `value: ${one.value}`].filter(Boolean).join(" · ");
    return element("button", { type: "button", class: "tile", "data-game": one.name, click: () => this.onChoice(one.name) },
      element("img", { "data-picture": `pictures/${one.name}.svg`, alt: "",
        load: ({ target }) => target.classList.toggle("tall", target.naturalHeight > TALL * target.naturalWidth) }), element("b", { text: one.title }), element("span", { text: facts }));
  }

  #search() {
    const words = byId("search").value.toLowerCase().split(/\s+/);
    for (const shelf of document.querySelectorAll(".shelf")) {
      const kind = shelf.querySelector("h3").textContent;
      for (const tile of shelf.querySelectorAll(".tile")) {
        const text = `${tile.dataset.game} ${tile.textContent} ${kind} ${kind === "Trees" ? SEARCHES : ""}`.toLowerCase();
        tile.hidden = !words.every((word) => text.includes(word));
      }
      shelf.hidden = shelf.querySelector(".tile:not([hidden])") === null;
    }
    const count = document.querySelectorAll(".tile:not([hidden])").length;
    byId("none").hidden = count > 0;
    announce(`${count} games`);
  }
}

/** The title that a text declares. */
export function titleOf(text) {
  return /^game "(.*)"/m.exec(text)?.[1] ?? "without a title";
}

/** The first paragraph of the comment at the top of a file. */
export function aboutOf(text) {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !/^# ?\S/.test(line));
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.replace(/^# ?/, "")).join(" ").replaceAll("`", "");
}
