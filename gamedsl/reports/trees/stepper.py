"""The page that steps through a search: style, controls, and script.

`as_html` fills the gaps in the pieces of HTML. The script receives the steps of the search and
contains no game logic: the display of step N combines the first N steps.
"""

from __future__ import annotations

STYLE = """
:root { color-scheme: light; --paper: #ffffff; --ink: #1f2933; --soft: #52606d;
  --line: #66707c; --edge: #d5dbe1; --button: #f1f4f7; --max: #dbe9f8; --min: #fbe3cb;
  --chance: #f4eeda; --shape: #eef2f6; --cut: #b93a0a; --here: #c2410c; --mark: #ffe9a8;
  --focus: #2f6fb3; --dim: #f1f2f3; --dim-ink: #5f6873 }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --paper: #14181d; --ink: #e8ebee; --soft: #b3bcc6;
    --line: #8d98a5; --edge: #3a434d; --button: #232a32; --max: #1d3b59; --min: #593816;
    --chance: #47401f; --shape: #2a323b; --cut: #ff9d6b; --here: #ffb27d; --mark: #5a4a10;
    --focus: #7fb4ee; --dim: #1b2026; --dim-ink: #a3adb8 } }
body { font: 16px/1.45 Helvetica, Arial, sans-serif; margin: 1rem; color: var(--ink);
  background: var(--paper) }
h1 { font-size: 1.25rem; margin: 0 0 .5rem } h2 { font-size: 1rem; margin: 0 0 .4rem }
#tree { overflow: auto; border: 1px solid var(--edge); border-radius: 6px;
  flex: 1 1 30rem; min-width: 0 }
#tree:focus-visible, button:focus-visible, input:focus-visible {
  outline: 3px solid var(--focus); outline-offset: 1px }
#tree svg { display: block; margin: auto; fill: var(--ink) }
#tree.fitted svg { width: 100%; height: auto; max-height: max(12rem, 100vh - 12rem) }
#tree .paper { fill: var(--paper) } #tree .board { fill: #1f2933 }
#tree .edge line { stroke: var(--line) } #tree .edge.chosen line { stroke: var(--ink) }
#tree .shape { stroke: var(--ink); fill: var(--shape) }
#tree .max .shape { fill: var(--max) } #tree .min .shape { fill: var(--min) }
#tree .chance .shape { fill: var(--chance) }
#tree .terminal .shape, #tree .rest .shape { fill: var(--paper) }
#tree .note, #tree .row-label { fill: var(--soft) } #tree .edge-label { fill: var(--ink) }
#tree .cut-note, #tree .window { fill: var(--cut) }
#tree .window { font-weight: bold }
#tree .pruned .shape { fill: var(--dim); stroke: var(--edge) }
#tree .pruned text { fill: var(--dim-ink) }
#tree .edge.pruned > line { stroke: var(--edge) }
#tree .edge.pruned .strike line { stroke: var(--cut) }
"""

STEPPER_STYLE = """
#tree { max-height: max(13rem, 100vh - 11.5rem) }
.panel { display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; margin: .4rem 0 }
.values { display: flex; gap: .8rem }
@media (max-width: 45rem) {
  body { margin: .6rem .8rem } h1 { font-size: 1.05rem } #event { min-height: 2.9em }
  button { padding: .25rem .5rem } .panel { gap: .3rem .5rem } }
.work { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start }
button { font: inherit; color: var(--ink); padding: .25rem .7rem; border-radius: 6px;
  border: 1px solid var(--line); background: var(--button); cursor: pointer }
button:disabled { color: var(--soft); border-style: dashed; cursor: default }
output { font-weight: bold; min-width: 2.2rem; display: inline-block; padding: 0 .2rem }
.changed { background: var(--mark); border-radius: 4px }
.was { color: var(--soft) }
#event { min-height: 1.45em; margin: .3rem 0 }
#question { border-left: 4px solid var(--here); padding-left: .6rem }
input[type=range] { flex: 1 1 5rem; min-width: 0 }
[hidden] { display: none !important }
#code { flex: 0 1 auto; margin: 0; max-width: 100%; overflow: auto }
#code pre { font: 13px/1.55 ui-monospace, Menlo, Consolas, monospace; margin: 0 }
#code span { display: block; padding: 0 .4rem; border-left: 4px solid transparent }
#code span[aria-current] { background: var(--mark); border-color: var(--here) }
#tree .node.todo .shape { fill: var(--paper); stroke: var(--line); stroke-dasharray: 3 3 }
#tree .node.todo.pruned .shape { stroke-dasharray: none }
#tree .edge.todo > line { stroke-dasharray: 3 3 }
#tree .node.here .shape { stroke: var(--here); stroke-width: 4 }
#tree .node { cursor: pointer }
#tree.grows .todo { visibility: hidden }
@media print {
  @page { size: landscape; margin: 12mm }
  button, input, label, .hint, .progress { display: none }
  #tree { border: 0; max-height: none; overflow: visible }
  #tree svg { width: 100%; height: auto; max-height: 150mm }
  #code span[aria-current] { font-weight: bold }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
"""

PANEL = """\
<p id="event" role="status" aria-live="polite"></p>
<div id="question" class="panel" hidden>
<span id="asked"></span>
<button id="yes" type="button"><u>c</u>ut</button>
<button id="no" type="button"><u>l</u>ook on</button>
</div>
<div class="panel">
<button id="first" type="button" aria-label="to the beginning">|◀</button>
<button id="back" type="button">◀ back</button>
<button id="forward" type="button">forward ▶</button>
<button id="cut" type="button"{hidden}>next cut ▶▶</button>
<button id="last" type="button" aria-label="to the end">▶|</button>
</div>
<div class="panel">
<span class="values"{hidden}>
<span>v <output id="v"></output></span>
<span>α <output id="alpha"></output><span class="was" id="alpha-was"></span></span>
<span>β <output id="beta"></output><span class="was" id="beta-was"></span></span>
</span>
<span class="progress">step <span id="step"></span></span>
<input id="position" type="range" min="0" max="{count}" value="0" aria-label="step">
<label><input id="fit" type="checkbox"> fit</label>
</div>
"""

BELOW = """\
<div class="panel"{hidden}>
<label><input id="predict" type="checkbox"> predict the cuts</label>
<span id="score" role="status"></span>
</div>
<p class="hint">Keys: ← → step, Home and End<span{hidden}>, N next cut</span>; a click on a node\
 goes to its next step.<span id="addressed"> The step number is part of the address.</span></p>
"""

SCRIPT = """
"use strict";
const { steps, nodes, start } = JSON.parse(document.getElementById("steps").textContent);
const get = (id) => document.getElementById(id);
get("addressed").hidden = window !== window.parent; // the address of a frame is not seen
const own = nodes.map(() => []), struck = nodes.map(() => []);
steps.forEach((step, i) => {
  const last = own[step.node].at(-1);
  const goesOn = last && step.kind !== "enter";
  own[step.node].push({
    i, value: step.shown || (last ? last.value : ""), v: goesOn ? step.shown || last.v : "" });
  for (const child of step.pruned) struck[child].push(i);
});
const parts = nodes.map((_, n) => ({
  node: get("n" + n), edge: get("e" + n), value: get("n" + n).querySelector(".value"),
  window: get("n" + n).querySelector(".window"),
  strike: get("e" + n) && get("e" + n).querySelector(".strike"), state: "",
}));
const score = { right: 0, asked: 0, answered: new Set() };
let at = 0, verdict = "";

function latest(n, number) {
  const list = own[n];
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].i < number) low = middle + 1; else high = middle;
  }
  return list[low - 1];
}
const cuts = [];
function draw() {
  const step = at ? steps[at - 1] : null, isOver = at === steps.length;
  nodes.forEach(({ under, chosen }, n) => {
    const last = latest(n, at), part = parts[n];
    const isOpen = last && steps[last.i].kind !== "leave";
    const isStruck = !last && struck[n].some((i) => i < at);
    cuts[n] = isStruck || (!last && under >= 0 && cuts[under]);
    const value = last ? last.value : "";
    const window = isOpen && part.window
      ? "[" + steps[last.i].alpha + ", " + steps[last.i].beta + "]" : "";
    const isHere = step !== null && step.node === n, isChosen = isOver && chosen;
    const state = [!last, cuts[n], isStruck, isHere, isChosen, value, window].join();
    if (state === part.state) return;
    part.state = state;
    for (const place of [part.node, part.edge]) {
      if (!place) continue;
      place.classList.toggle("todo", !last);
      place.classList.toggle("pruned", cuts[n]);
      place.classList.toggle("chosen", isChosen);
      place.classList.toggle("here", isHere);
    }
    if (part.strike) part.strike.setAttribute("visibility", isStruck ? "visible" : "hidden");
    if (part.value && nodes[n].kind !== "rest") part.value.textContent = value;
    if (part.window) part.window.textContent = window;
  });
}
function bound(id, now, before) {
  const isNew = before !== now;
  get(id).textContent = now;
  get(id).classList.toggle("changed", isNew);
  get(id + "-was").textContent = isNew ? " was " + before : "";
}
function follow(node) {
  const box = get("tree").getBoundingClientRect(), it = node.getBoundingClientRect();
  const edge = 24;
  if (it.left < box.left + edge || it.right > box.right - edge)
    get("tree").scrollLeft += it.left + it.width / 2 - box.left - box.width / 2;
  if (it.top < box.top + edge || it.bottom > box.bottom - edge)
    get("tree").scrollTop += it.top + it.height / 2 - box.top - box.height / 2;
}
const asks = () => get("predict").checked && at > 0 && at < steps.length
  && steps[at - 1].asks && !score.answered.has(at);
function show(number) {
  at = Math.max(0, Math.min(steps.length, number));
  const step = at ? steps[at - 1] : null;
  draw();
  get("event").textContent = verdict + (step ? step.words : "Before the search.");
  verdict = "";
  const same = step && step.kind !== "enter";
  const earlier = same ? latest(step.node, at - 1) : undefined;
  const before = earlier ? steps[earlier.i] : step;
  bound("alpha", step ? step.alpha : "-\\u221e", before ? before.alpha : "-\\u221e");
  bound("beta", step ? step.beta : "+\\u221e", before ? before.beta : "+\\u221e");
  get("v").textContent = (step && latest(step.node, at)?.v) || "\\u2013";
  get("step").textContent = at + " of " + steps.length;
  get("position").value = at;
  get("first").disabled = get("back").disabled = at === 0;
  get("last").disabled = at === steps.length;
  get("forward").disabled = at === steps.length || asks();
  get("result").hidden = at < steps.length;
  get("question").hidden = !asks();
  get("asked").textContent = asks() ? steps[at - 1].asks : "";
  const line = get("line" + (step ? step.line : start));
  for (const old of document.querySelectorAll("#code [aria-current]"))
    old.removeAttribute("aria-current");
  if (line) line.setAttribute("aria-current", "step");
  follow(parts[step ? step.node : 0].node);
  if (location.hash !== "#" + at && (at || location.hash))
    history.replaceState(null, "", "#" + at);
}
function forward() { if (!asks()) show(at + 1); }
function nextCut() {
  const isNext = get("predict").checked ? (s, i) => s.asks && !score.answered.has(i + 1)
    : (s) => s.kind === "cut";
  if (asks()) return;
  const found = steps.findIndex((step, i) => i >= at && isNext(step, i));
  if (found < 0) verdict = "Nothing is cut from here on. ";
  show(found < 0 ? steps.length : found + 1);
}
function answer(isCut) {
  if (!asks()) return;
  const isRight = (steps[at].kind === "cut") === isCut;
  score.answered.add(at);
  score.asked += 1;
  score.right += isRight;
  get("score").textContent = score.right + " of " + score.asked + " right";
  verdict = isRight ? "Right. " : "No. ";
  show(at + 1);
}
get("first").onclick = () => show(0);
get("back").onclick = () => show(at - 1);
get("forward").onclick = forward;
get("last").onclick = () => show(steps.length);
get("cut").onclick = nextCut;
get("yes").onclick = () => answer(true);
get("no").onclick = () => answer(false);
get("predict").onchange = () => show(at);
get("position").oninput = (event) => show(Number(event.target.value));
get("fit").onchange = (event) => {
  get("tree").classList.toggle("fitted", event.target.checked);
  show(at);
};
nodes.forEach((_, n) => parts[n].node.addEventListener("click", () => {
  if (get("predict").checked || !own[n].length) return;
  show((own[n].find(({ i }) => i >= at) || own[n][0]).i + 1);
}));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const does = {
    ArrowLeft: () => show(at - 1), ArrowRight: forward, Home: () => show(0),
    End: () => show(steps.length), n: nextCut, c: () => answer(true), l: () => answer(false),
  }[event.key];
  if (does) { event.preventDefault(); does(); }
});
window.addEventListener("hashchange", fromAddress);
function fromAddress() {
  const number = Number(location.hash.slice(1));
  show(Number.isInteger(number) ? number : 0);
}
const svg = get("tree").querySelector("svg");
get("fit").checked = get("tree").clientWidth / svg.clientWidth > 0.55;
svg.style.maxWidth = 1.6 * svg.clientWidth + "px";
get("tree").classList.toggle("fitted", get("fit").checked);
fromAddress();
"""
