"""A game tree as one self-contained page; with a search, one that steps through it.

In: a `GameTree`, and the game for small boards. Out: HTML that loads nothing from anywhere. Ids
that other programs may rely on: #tree, #event, #alpha, #beta, #step, #first, #back, #forward,
#cut (on to the next cut), #last, #position; nodes are #n0, #n1, ..., edges #e1, #e2, ...
The page is made of the steps alone; its script decides nothing about games.
"""

from __future__ import annotations

import json
from html import escape

from gamedsl.game import LoadedGame
from gamedsl.reports.trees.as_svg import tree_svg
from gamedsl.reports.trees.data import GameTree, SearchStep, bound_text, value_text

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

_STYLE = """
body { font: 16px/1.45 Helvetica, Arial, sans-serif; margin: 1rem; color: #1f2933;
       background: #fff }
h1 { font-size: 1.25rem; margin: 0 0 .5rem }
#tree { overflow: auto; max-height: 72vh; border: 1px solid #d5dbe1; border-radius: 6px }
.panel { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .6rem 0 }
button { font: inherit; padding: .25rem .7rem; border: 1px solid #66707c; border-radius: 6px;
         background: #f1f4f7; cursor: pointer }
button:disabled { color: #9aa3ac; border-color: #d5dbe1; cursor: default }
button:focus-visible, input:focus-visible { outline: 3px solid #2f6fb3 }
output { font-weight: bold; min-width: 2.2rem; display: inline-block }
#event { min-height: 1.5em; font-size: 1.1rem; margin: .4rem 0 }
input[type=range] { flex: 1 1 12rem }
.node.todo { opacity: .28 } .node.todo .value { visibility: hidden }
.edge.todo { opacity: .28 } .node.pruned { opacity: 1 }
.node.here .shape { stroke: #c2410c; stroke-width: 4 }
.node.waiting .value, .node.waiting .cut-note { visibility: hidden }
"""

_SCRIPT = """
"use strict";
const { steps, finals } = JSON.parse(document.getElementById("steps").textContent);
const get = (id) => document.getElementById(id);
const texts = (n) => get("n" + n).querySelector(".value");
let at = 0;
function show(number) {
  at = Math.max(0, Math.min(steps.length, number));
  const seen = new Set(), done = new Set(), cut = new Set(), struck = new Set();
  const values = new Map();
  for (let i = 0; i < at; i++) {
    const step = steps[i];
    seen.add(step.node);
    if (step.kind === "leave") done.add(step.node);
    if (step.shown) values.set(step.node, step.shown);
    for (const child of step.pruned) { cut.add(child); struck.add(child); }
  }
  const step = at ? steps[at - 1] : null;
  const cutNodes = new Set(steps.slice(0, at).filter((s) => s.kind === "cut").map((s) => s.node));
  for (const final of finals) {
    const n = final.node, node = get("n" + n), edge = get("e" + n);
    const isCut = cut.has(n) || cut.has(final.under);
    if (isCut) cut.add(n);
    node.classList.toggle("todo", !seen.has(n));
    node.classList.toggle("waiting", !cutNodes.has(n) && !done.has(n) && !values.has(n));
    node.classList.toggle("here", step !== null && step.node === n);
    node.classList.toggle("chosen", at === steps.length && final.chosen);
    node.classList.toggle("pruned", isCut);
    const note = node.querySelector(".cut-note");
    if (note) note.style.visibility = cutNodes.has(n) ? "visible" : "hidden";
    const text = texts(n);
    if (text) text.textContent = values.get(n) || "";
    if (edge) {
      edge.classList.toggle("todo", !seen.has(n) && !isCut);
      edge.classList.toggle("chosen", at === steps.length && final.chosen);
      edge.classList.toggle("pruned", isCut);
      edge.querySelector(".strike").setAttribute("visibility",
        struck.has(n) ? "visible" : "hidden");
    }
  }
  get("event").textContent = step ? step.words : "Before the search.";
  get("alpha").textContent = step ? step.alpha : "-\\u221e";
  get("beta").textContent = step ? step.beta : "+\\u221e";
  get("step").textContent = at + " of " + steps.length;
  get("position").value = at;
  get("first").disabled = get("back").disabled = at === 0;
  get("last").disabled = get("forward").disabled = at === steps.length;
  get("cut").disabled = nextCut() < 0;
}
const nextCut = () => steps.findIndex((step, i) => i >= at && step.kind === "cut");
get("first").onclick = () => show(0);
get("back").onclick = () => show(at - 1);
get("forward").onclick = () => show(at + 1);
get("last").onclick = () => show(steps.length);
get("cut").onclick = () => show(nextCut() + 1);
get("position").oninput = (event) => show(Number(event.target.value));
document.addEventListener("keydown", (event) => {
  const goes = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length };
  if (event.key in goes && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    show(goes[event.key]);
  }
});
show(0);
"""

_PANEL = """\
<p id="event" role="status" aria-live="polite"></p>
<div class="panel">
<span{hidden}>α <output id="alpha"></output></span>
<span{hidden}>β <output id="beta"></output></span>
<button id="first" type="button" aria-label="to the beginning">|◀</button>
<button id="back" type="button">◀ back</button>
<button id="forward" type="button">forward ▶</button>
<button id="cut" type="button">next cut ▶▶</button>
<button id="last" type="button" aria-label="to the end">▶|</button>
<span>step <span id="step"></span></span>
<input id="position" type="range" min="0" max="{count}" value="0" aria-label="step">
</div>
<p>The arrow keys step too; Home and End go to the ends.</p>
"""


def tree_html(tree: GameTree, game: LoadedGame | None = None) -> str:
    """The page; without a search it is a picture alone."""
    title = escape(f"Game tree of {tree.title}")
    panel = script = ""
    if tree.steps:
        title += escape(f": {tree.algorithm}")
        has_window = any(s.alpha is not None or s.beta is not None for s in tree.steps)
        panel = _PANEL.format(count=len(tree.steps), hidden="" if has_window else " hidden")
        script = (
            f'<script type="application/json" id="steps">{_data(tree)}</script>\n'
            f"<script>{_SCRIPT}</script>\n"
        )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n{panel}"
        f'<div id="tree" tabindex="0" aria-label="the tree">\n{tree_svg(tree, game)}\n</div>\n'
        f"</main>\n{script}</body>\n</html>\n"
    )


def _data(tree: GameTree) -> str:
    """What the script needs, safe inside a script element."""
    data = {
        "steps": [_step(step) for step in tree.steps],
        "finals": [
            {
                "node": node.number,
                "under": node.parent,
                "chosen": node.is_chosen,
                "value": value_text(node.value, node.bound),
            }
            for node in tree.nodes
        ],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _step(step: SearchStep) -> dict[str, object]:
    return {
        "kind": step.kind,
        "node": step.node,
        "alpha": bound_text(step.alpha, "-∞"),
        "beta": bound_text(step.beta, "+∞"),
        "shown": step.shown,
        "words": step.words,
        "pruned": list(step.pruned),
    }
