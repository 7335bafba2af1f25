// Answers about the game: who wins, the definition, trees with searches, matrix and information sets.
import { Stopped } from "./engine.js";
import { legend, valued } from "./board.js";
import { announce, byId, element } from "./dom.js";

const BEHIND = new Set(["solved", "without", "proved", "all optimal", "learnt", "response", "branch", "kind", "ties", "solved by"]); // how an answer was found

export class Views {
  /** `place` gives the text and the moves that questions are about; `onRules` is called when the rules are shown. */
  constructor(bench, place, onRules) {
    Object.assign(this, { bench, place, onRules, asked: new Map() });
    byId("solve").onclick = () => this.#show("solve-answer", () => this.#solve());
    byId("explain").onclick = () => this.#show("explain-answer", () => this.#explain());
    byId("grow").onclick = () => this.#show("tree-answer", () => this.#tree());
    byId("matrix").onclick = () => this.#show("matrix-answer", () => this.#matrix());
    this.#tabs();
  }

  /** What is shown is of another game now; `game` says which views apply. */
  open(game) {
    this.game = game;
    this.asked.clear();
    for (const box of document.querySelectorAll(".answer")) {
      box.replaceChildren();
      box.removeAttribute("aria-busy");
    }
    const hasMatrix = game.is_simultaneous || game.has_secrets;
    byId("tab-matrix").hidden = !hasMatrix;
    byId("cutoff-box").hidden = !game.has_evaluate;
    byId("cutoff").value = game.has_evaluate ? "3" : "";
    if (!hasMatrix && byId("tab-matrix").getAttribute("aria-selected") === "true") this.#select(byId("tab-play"));
  }

  /** What is shown is of another position now; a game with secrets is solved from its beginning. */
  moved() {
    const lasting = this.game?.has_secrets ? "#matrix-answer, #solve-answer" : "#matrix-answer";
    for (const box of document.querySelectorAll(`.answer:not(${lasting})`)) box.classList.toggle("old", box.childElementCount > 0);
  }

  async #show(id, work) {
    const box = byId(id);
    const question = Symbol(id);
    this.asked.set(id, question);
    const isAwaited = () => this.asked.get(id) === question; // no other question in this box, no other game
    box.classList.remove("old");
    box.setAttribute("aria-busy", "true");
    box.replaceChildren(element("p", { class: "quiet", text: "being worked out…" }));
    try {
      const shown = await work();
      if (isAwaited()) box.replaceChildren(...shown);
    } catch (error) {
      if (!isAwaited()) return;
      const words = error instanceof Stopped ? "Stopped." : error.message;
      box.replaceChildren(element("p", { class: "refusal", text: words }));
      announce(words);
    } finally {
      if (isAwaited()) box.removeAttribute("aria-busy");
    }
  }

  async #solve() {
    const found = await this.bench.ask("solve", this.place());
    announce(found.headline);
    return [
      element("p", { class: `headline${found.is_solved ? "" : " open"}${/^(endless )?draw/.test(found.headline) ? " even" : ""}`, text: found.headline }),
      ...factLists(found.facts),
      ...(found.moves.length ? [element("h3", { text: "What each move leads to" }),
        element("div", { class: "values" }, ...found.moves.map((one) => valued(one.name, one))),
        element("p", { class: "quiet", text: legend(found.moves) })] : []),
      ...(byId("tab-matrix").hidden ? [] : [element("p", { class: "quiet", text: "The panel Matrix shows why: the plans, their payoffs, and what each player knows." })]),
      element("details", {}, element("summary", { text: "The answer as text" }),
        element("pre", { text: found.text, tabindex: "0", role: "region", "aria-label": "the answer as text" })),
    ];
  }

  async #explain() {
    const found = await this.bench.ask("explain", this.place());
    const sections = element("div", { class: "definition" });
    sections.innerHTML = found.html;
    return [element("h3", { text: found.title }), ...(found.about ? [element("p", { text: found.about.replaceAll("`", "") })] : []), sections];
  }

  async #tree() {
    const algorithm = byId("algorithm").value || null;
    const depth = byId("depth").value === "" ? null : Number(byId("depth").value);
    const cutoff = algorithm === null || byId("cutoff").value === "" ? null : Number(byId("cutoff").value);
    const page = await this.bench.ask("tree", { ...this.place(), algorithm, depth, cutoff });
    const frame = element("iframe", { src: "frame.html", sandbox: "allow-scripts", title: "Game tree", class: "tree" });
    frame.onload = () => {
      frame.onload = null;
      frame.contentWindow.postMessage(page, "*");
    };
    return [frame];
  }

  async #matrix() {
    const { text } = this.place();
    const found = await this.bench.ask("matrix", { text });
    const table = element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "payoff matrix" });
    table.innerHTML = found.html;
    return [
      ...(found.why ? [`No matrix: ${found.why}.`] : found.words).map((text) => element("p", { class: "quiet", text })),
      ...(found.html ? [table] : []),
      element("h3", { text: "Information sets" }), setsTable(found.sets),
    ];
  }

  #tabs() {
    const tabs = [...document.querySelectorAll("[role=tab]")];
    for (const tab of tabs) tab.onclick = () => this.#select(tab);
    byId("tabs").addEventListener("keydown", (event) => {
      const shown = tabs.filter((tab) => !tab.hidden);
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = shown[(shown.indexOf(document.activeElement) + step + shown.length) % shown.length];
      this.#select(next);
      next.focus();
    });
  }

  #select(chosen) {
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = !isChosen;
    }
    if (chosen.id === "tab-rules") this.onRules();
  }
}

/** What was found, and behind a line how it was found, and what else is as good. */
function factLists(facts) {
  const parts = [[], []];
  let part = parts[0];
  for (const fact of facts) {
    if (fact[0]) part = parts[Number(BEHIND.has(fact[0]))];
    part.push(fact);
  }
  const [shown, behind] = parts;
  if (shown.length === 0 || behind.length === 0) return [factsList(facts)];
  return [factsList(shown), element("details", {}, element("summary", { text: "How this was found" }), factsList(behind))];
}

/** Labels with texts; a text without label belongs to the label before. */
function factsList(facts) {
  const list = element("dl", { class: "facts" });
  for (const [label, text] of facts) {
    if (label || list.lastChild === null) list.append(element("dt", { text: label }), element("dd"));
    list.lastChild.append(element("p", { text }));
  }
  return list;
}

function setsTable(sets) {
  const head = element("tr", {}, ...["Player", "Knows", "Can", "Positions"].map((text) => element("th", { scope: "col", text })));
  const body = sets.map((one) => element("tr", {}, element("th", { scope: "row", text: one.player }),
    element("td", { text: one.knows.join(", ") || "nothing yet" }), choices(one),
    element("td", { text: String(one.size) })));
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "information sets" },
    element("table", {}, element("caption", { text: "In each line the player cannot tell the positions apart." }),
      element("thead", {}, head), element("tbody", {}, ...body)));
}

/** The actions of an information set; those of dominated plans alone are struck out. */
function choices({ actions, dominated }) {
  const names = actions.map((text) => element(dominated.includes(text) ? "s" : "span", { text }));
  return element("td", {}, ...names.flatMap((name, n) => (n ? [", ", name] : [name])));
}
