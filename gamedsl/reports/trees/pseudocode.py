"""The textbook algorithms as pseudo-code, with the line of every step of a search.

After AIMA 3rd ed., figures 5.3 and 5.7 and sections 5.2.2, 5.4 and 5.5, and 4th ed., figure 5.11;
Star1, Star2 and paranoid search after the papers named in their modules. The modules of
`gamedsl.solvers.textbook` implement the algorithms in Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from gamedsl.reports.trees.data import (
    DrawnNode,
    GameTree,
    NodeKind,
    PlayPhase,
    SearchStep,
    ValueBound,
)
from gamedsl.solvers.textbook.trace import EventKind
from gamedsl.source.records import dataclass

ENDING = "if TERMINAL-TEST(s) then return UTILITY(s)"
CUT_OFF = "if CUTOFF-TEST(s, depth) then return EVAL(s)"
"""Replaces `ENDING` in a depth-limited search."""

MINIMAX = f"""\
function MINIMAX-SEARCH(s)
  v ← MAX-VALUE(s)
  return the action that v comes from
function MAX-VALUE(s)                      @max enter
  {ENDING}                                 @max end
  v ← −∞
  for each a in ACTIONS(s) do
    v ← MAX(v, MIN-VALUE(RESULT(s, a)))    @max value
  return v                                 @max leave
function MIN-VALUE(s)                      @min enter
  {ENDING}                                 @min end
  v ← +∞
  for each a in ACTIONS(s) do
    v ← MIN(v, MAX-VALUE(RESULT(s, a)))    @min value
  return v                                 @min leave
"""
ALPHA_BETA = f"""\
function ALPHA-BETA-SEARCH(s)
  v ← MAX-VALUE(s, −∞, +∞)
  return the action that v comes from
function MAX-VALUE(s, α, β)                      @max enter
  {ENDING}                                       @max end
  v ← −∞
  for each a in ACTIONS(s) do
    v ← MAX(v, MIN-VALUE(RESULT(s, a), α, β))    @max value
    if v ≥ β then return v                       @max cut
    α ← MAX(α, v)                                @max narrow
  return v                                       @max leave
function MIN-VALUE(s, α, β)                      @min enter
  {ENDING}                                       @min end
  v ← +∞
  for each a in ACTIONS(s) do
    v ← MIN(v, MAX-VALUE(RESULT(s, a), α, β))    @min value
    if v ≤ α then return v                       @min cut
    β ← MIN(β, v)                                @min narrow
  return v                                       @min leave
"""
EXPECTIMINIMAX = f"""\
function EXPECTIMINIMAX(s)                          @max enter @min enter @chance enter
  {ENDING}                                          @max end @min end @chance end
  if PLAYER(s) = MAX then v ← −∞
    for each a in ACTIONS(s) do
      v ← MAX(v, EXPECTIMINIMAX(RESULT(s, a)))      @max value
  if PLAYER(s) = MIN then v ← +∞
    for each a in ACTIONS(s) do
      v ← MIN(v, EXPECTIMINIMAX(RESULT(s, a)))      @min value
  if PLAYER(s) = CHANCE then v ← 0
    for each result r of the event do
      v ← v + P(r) · EXPECTIMINIMAX(RESULT(s, r))   @chance value
  return v                                          @max leave @min leave @chance leave
"""
PARANOID = f"""\
function PARANOID(s, α, β)                       @max enter @min enter
  {ENDING}                                       @max end @min end
  if PLAYER(s) = MAX then v ← −∞
    for each a in ACTIONS(s) do
      v ← MAX(v, PARANOID(RESULT(s, a), α, β))   @max value
      if v ≥ β then return v                     @max cut
      α ← MAX(α, v)                              @max narrow
  else v ← +∞, for all others are MIN
    for each a in ACTIONS(s) do
      v ← MIN(v, PARANOID(RESULT(s, a), α, β))   @min value
      if v ≤ α then return v                     @min cut
      β ← MIN(β, v)                              @min narrow
  return v                                       @max leave @min leave
"""
STAR_CHOICES = f"""\
  {ENDING}                                       @max end @min end @chance end
  if PLAYER(s) = MAX then v ← −∞
    for each a in ACTIONS(s) do
      v ← MAX(v, STAR(RESULT(s, a), α, β))       @max value
      if v ≥ β then return v                     @max cut
      α ← MAX(α, v)                              @max narrow
  if PLAYER(s) = MIN then v ← +∞
    for each a in ACTIONS(s) do
      v ← MIN(v, STAR(RESULT(s, a), α, β))       @min value
      if v ≤ α then return v                     @min cut
      β ← MIN(β, v)                              @min narrow
  if PLAYER(s) = CHANCE then
    l[r], h[r] ← least and greatest payoff of all, for each r
    write L and H for the sums of P(r) · l[r] and of P(r) · h[r]
"""
STAR_CHANCE = """\
    for each result r of the event, unless l[r] = h[r], do
      A ← (α − (H − P(r) · h[r])) / P(r)
      B ← (β − (L − P(r) · l[r])) / P(r)
      v ← STAR(RESULT(s, r), MAX(A, l[r]), MIN(B, h[r]))
      l[r] ← v unless v ≤ A, h[r] ← v unless v ≥ B    @chance value
      if L ≥ β then return L, if H ≤ α then return H    @chance cut
    v ← L                                        @chance leave
  return v                                       @max leave @min leave
"""
ENTERED = "@max enter @min enter @chance enter"
STAR1 = f"function STAR(s, α, β)  {ENTERED}\n{STAR_CHOICES}{STAR_CHANCE}"
STAR2 = f"""\
function STAR(s, α, β)  {ENTERED}
{STAR_CHOICES}\
    for each r do PROBE(RESULT(s, r), l[r], h[r])
    if L ≥ β then return L, if H ≤ α then return H    @chance probed
{STAR_CHANCE}\
function PROBE(s, l, h)                          @probe enter
  if TERMINAL-TEST(s) then l ← h ← UTILITY(s)    @probe end
  if PLAYER(s) = CHANCE then leave l and h       @probe chance
  v ← STAR(RESULT(s, the first action), l, h)    @probe value
  look at no other action                        @probe cut
  if PLAYER(s) = MAX then l ← MAX(l, v) else h ← MIN(h, v)    @probe leave
"""
MAXN = f"""\
function MAX-N(s) returns a payoff for each player  @player enter @chance enter
  {ENDING}                                          @player end @chance end
  if PLAYER(s) = CHANCE then v ← (0, 0, ...)
    for each result r of the event do
      v ← v + P(r) · MAX-N(RESULT(s, r))            @chance value
  else p ← PLAYER(s)
    for each a in ACTIONS(s) do
      w ← MAX-N(RESULT(s, a))
      if there is no v yet, or w[p] > v[p] then v ← w    @player value
  return v                                          @player leave @chance leave
"""
UCT = """\
function MONTE-CARLO-TREE-SEARCH(s)
  tree ← a node for s
  while there is time do
    leaf ← SELECT(tree), by the greatest
      mean + C · √(ln n(parent) / n)        @play select
    child ← EXPAND(leaf)                    @play expand
    result ← SIMULATE(child), at random     @play simulate
    BACK-PROPAGATE(result, child)           @play back-propagate
  return the action tried most often
"""
TEXTS: Mapping[str, str] = {
    "minimax": MINIMAX,
    "alpha-beta": ALPHA_BETA,
    "expectiminimax": EXPECTIMINIMAX,
    "paranoid": PARANOID,
    "star1": STAR1,
    "star2": STAR2,
    "max^n": MAXN,
    "UCT": UCT,
}
"""By the name of the algorithm, as in a tree; `@` precedes the steps that belong to a line."""


@dataclass(frozen=True, slots=True)
class PseudoCode:
    """Lines, indented for display, and the line of each step of the search.

    Attributes:
        start: the line before the first step.
        places: `int[steps]`, places in `lines`.
    """

    lines: tuple[str, ...]
    start: int
    places: tuple[int, ...]


def pseudocode(tree: GameTree) -> PseudoCode | None:
    """The algorithm of the tree's search; None without pseudo-code for the algorithm."""
    text = TEXTS.get(_name(tree))
    if text is None or not tree.steps:
        return None
    if tree.nodes[0].kind is NodeKind.MIN:  # the book's searches begin with a move of MAX
        text = text.replace("  v ← MAX-VALUE(s", "  v ← MIN-VALUE(s", 1)
    if text != UCT and any(node.bound is ValueBound.ESTIMATE for node in tree.nodes):
        text = text.replace(ENDING, CUT_OFF)
    lines: list[str] = []
    places: dict[str, int] = {}
    for number, line in enumerate(text.splitlines()):
        words, *marks = line.split("@")
        lines.append(words.rstrip())
        places |= {mark.strip(): number for mark in marks}
    start = 0 if places.get("max enter") == 0 or places.get("player enter") == 0 else 1
    return PseudoCode(tuple(lines), start, _places(tree, places))


def _name(tree: GameTree) -> str:
    """The algorithm's name; h-minimax is cut-off minimax, or with chance cut-off expectiminimax."""
    if tree.algorithm != "h-minimax":
        return tree.algorithm or ""
    has_chance = any(node.kind is NodeKind.CHANCE for node in tree.nodes)
    return "expectiminimax" if has_chance else "minimax"


def _places(tree: GameTree, places: Mapping[str, int]) -> tuple[int, ...]:
    leaves, probes = _leaves(tree), _Probes(tree)
    line_numbers = []
    for step in tree.steps:
        node = tree.nodes[step.node]
        if isinstance(step.kind, PlayPhase):
            line_numbers.append(places[f"play {step.kind}"])
            continue
        event, function = str(step.kind), _function(tree, node)
        if step.kind is EventKind.LEAVE:
            is_cut = _is_cut(function, step)
            event = "end" if step.node in leaves else "cut" if is_cut else "leave"
        line_numbers.append(places[probes.mark(step, function, event)])
    return tuple(line_numbers)


class _Probes:
    """The two passes of Star2 below a chance event: outcomes are probed, then searched."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.is_at_work = tree.algorithm == "star2"
        self.open: list[_Visit] = []

    def mark(self, step: SearchStep, function: str, event: str) -> str:
        """The mark of a step; steps come in order."""
        if not self.is_at_work:
            return f"{function} {event}"
        if step.kind is EventKind.ENTER:
            self.open.append(self._visit(step.node, self.open[-1] if self.open else None))
        visit = self.open.pop() if step.kind is EventKind.LEAVE else self.open[-1]
        is_chance = self.tree.nodes[step.node].kind is NodeKind.CHANCE
        if visit.is_probe:
            is_left = step.kind is EventKind.LEAVE and event != "end"
            return f"probe {('chance' if is_chance else 'leave') if is_left else event}"
        is_probed = is_chance and event == "cut" and not visit.searches
        return f"{function} {'probed' if is_probed else event}"

    def _visit(self, node: int, parent: _Visit | None) -> _Visit:
        is_first = parent is not None and node not in parent.entered
        is_outcome = parent is not None and self.tree.nodes[parent.node].kind is NodeKind.CHANCE
        if parent is not None:
            parent.entered.add(node)
            parent.searches |= not is_first
        return _Visit(node, is_outcome and is_first)


@dataclass(slots=True)
class _Visit:
    """A node under search.

    Attributes:
        is_probe: whether the visit is a probe.
        entered: the children entered.
        searches: whether a child was entered twice.
    """

    node: int
    is_probe: bool
    entered: set[int] = field(default_factory=set)
    searches: bool = False


def _leaves(tree: GameTree) -> set[int]:
    """Nodes that the search entered without entering children in the drawing.

    A node searched below the drawn depth counts as inner, as values were reported for the node.
    """
    inner = {step.node for step in tree.steps if step.kind is EventKind.VALUE}
    seen = {step.node for step in tree.steps}
    return seen - inner - {tree.nodes[node].parent for node in seen}


def _is_cut(kind: str, step: SearchStep) -> bool:
    """Whether a node is left because the value passed the window, even after the last action."""
    if not isinstance(step.value, Fraction):
        return False
    is_high = step.beta is not None and step.value >= step.beta
    is_low = step.alpha is not None and step.value <= step.alpha
    if kind == NodeKind.CHANCE:
        return is_high or is_low
    return is_high if kind == NodeKind.MAX else is_low


def _function(tree: GameTree, node: DrawnNode) -> str:
    """The active function; at a terminal node the next player's function, as players alternate."""
    if tree.algorithm == "paranoid":
        return NodeKind.MAX if node.player == tree.nodes[0].player else NodeKind.MIN
    kind = node.kind
    if kind is NodeKind.TERMINAL:
        kind = NodeKind.MAX if node.parent < 0 else tree.nodes[node.parent].kind
        if len(tree.players) > 1:
            kind = {NodeKind.MAX: NodeKind.MIN, NodeKind.MIN: NodeKind.MAX}.get(kind, kind)
    is_vector = tree.algorithm == "max^n" and kind is not NodeKind.CHANCE
    return NodeKind.PLAYER if is_vector else kind
