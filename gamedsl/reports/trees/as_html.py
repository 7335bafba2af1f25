"""A game tree as one self-contained page; a tree with a search can be stepped through.

The page loads no external resources; the game is needed for small boards. Stable ids for other
programs: #tree, #event, #v, #alpha, #beta, #step, #first, #back, #forward, #cut (on to the next
cut), #last, #position, #predict, #question, #yes, #no, #score, #code with #line0, #line1, ...;
nodes are #n0, #n1, ..., edges #e1, #e2, ... `page.html#12` opens at step 12.
"""

from __future__ import annotations

import json
from dataclasses import replace
from html import escape

from gamedsl.game import LoadedGame
from gamedsl.reports.json_text import data_of
from gamedsl.reports.pages import page
from gamedsl.reports.svg import text_width
from gamedsl.reports.trees.as_svg import tree_svg
from gamedsl.reports.trees.boxes import NOTE_SIZE, VALUE_SIZE, Room
from gamedsl.reports.trees.data import (
    GameTree,
    NodeKind,
    SearchStep,
    ValueBound,
    bound_text,
    caption,
)
from gamedsl.reports.trees.pseudocode import PseudoCode, pseudocode
from gamedsl.reports.trees.stepper import BELOW, PANEL, SCRIPT, STEPPER_STYLE, STYLE
from gamedsl.solvers.textbook.trace import EventKind

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def tree_html(tree: GameTree, game: LoadedGame | None = None) -> str:
    """The page; without a search only a picture."""
    title = f"Game tree of {tree.title}" + (f": {tree.algorithm}" if tree.steps else "")
    if tree.steps:
        body, style, script = _stepper(tree, game)
    else:
        body, style, script = _region(tree_svg(tree, game)), STYLE, ""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
    body = f"<h1>{escape(title)}</h1>\n{body}"
    return page(title, body, style, head=policy, script=script)


def _stepper(tree: GameTree, game: LoadedGame | None) -> tuple[str, str, str]:
    """The content below the title, the style, and the script with the steps."""
    has_window = _has_window(tree)
    code = pseudocode(tree)
    hidden = "" if has_window else " hidden"
    panel = PANEL.format(count=len(tree.steps), hidden=hidden)
    picture = _region(tree_svg(bare(tree), game, room_of(tree)), grows=tree.root.visits is not None)
    result = escape(". ".join(caption(tree)[1:]))
    body = (
        f'{panel}<div class="work">\n{picture}{_code(code)}</div>\n'
        f'<p id="result" hidden>{result}</p>\n{BELOW.format(hidden=hidden)}'
        "<noscript><p>The steps need JavaScript.</p></noscript>\n"
    )
    script = (
        f'<script type="application/json" id="steps">{_data(tree, code)}</script>\n'
        f"<script>{SCRIPT}</script>\n"
    )
    return body, STYLE + STEPPER_STYLE, script


def bare(tree: GameTree) -> GameTree:
    """The tree before the search: without values, cuts and choices."""
    nodes = tuple(
        replace(
            node,
            value=None,
            bound=ValueBound.EXACT,
            cut=None,
            is_visited=True,
            is_chosen=False,
        )
        for node in tree.nodes
    )
    return replace(tree, nodes=nodes, algorithm=None, steps=(), visited=None, ties=None)


def room_of(tree: GameTree) -> Room:
    """The room for the texts of all steps, equal for nodes of a kind."""
    ends = {node.number for node in tree.nodes if node.kind is NodeKind.TERMINAL}
    inner = [step.shown for step in tree.steps if step.node not in ends]
    ending = [step.shown for step in tree.steps if step.node in ends]
    windows = [_window(step) for step in tree.steps] if _has_window(tree) else []
    return Room(
        _widest(inner, VALUE_SIZE), _widest(ending, VALUE_SIZE), _widest(windows, NOTE_SIZE)
    )


def _widest(texts: list[str], size: float) -> str:
    return max(texts, key=lambda text: text_width(text, size), default="")


def _has_window(tree: GameTree) -> bool:
    return any(step.alpha is not None or step.beta is not None for step in tree.steps)


def _window(step: SearchStep) -> str:
    return f"[{bound_text(step.alpha, '-∞')}, {bound_text(step.beta, '+∞')}]"


def _region(picture: str, *, grows: bool = False) -> str:
    """The tree; a tree that `grows` starts without nodes, and the search adds nodes."""
    kind = ' class="grows"' if grows else ""
    opening = f'<div id="tree"{kind} role="region" tabindex="0" aria-label="the tree">'
    return f"{opening}\n{picture}\n</div>\n"


def _code(code: PseudoCode | None) -> str:
    if code is None:
        return ""
    lines = "".join(
        f'<span id="line{number}">{escape(line)}</span>' for number, line in enumerate(code.lines)
    )
    return (
        f'<section id="code" aria-label="the algorithm" tabindex="0"><pre>{lines}</pre></section>\n'
    )


def _data(tree: GameTree, code: PseudoCode | None) -> str:
    """The script's data, safe inside a script element."""
    asked = _questions(tree)
    data = {
        "start": None if code is None else code.start,
        "steps": [
            _step(step, None if code is None else code.places[number], asked[number])
            for number, step in enumerate(tree.steps)
        ],
        "nodes": [
            {"kind": node.kind, "under": node.parent, "chosen": node.is_chosen}
            for node in tree.nodes
        ],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _step(step: SearchStep, line: int | None, asks: str) -> dict[str, object]:
    window = {"alpha": bound_text(step.alpha, "-∞"), "beta": bound_text(step.beta, "+∞")}
    names = "kind node alpha beta shown words pruned line asks"
    return data_of(step, names, line=line, asks=asks, **window)


def _questions(tree: GameTree) -> list[str]:
    """For each step the question afterwards: whether the rest of a node will be cut.

    The question is asked when a player's node has a new value and unvisited children.
    """
    questions = []
    seen: set[int] = set()
    has_window = _has_window(tree)
    for step in tree.steps:
        seen.add(step.node)
        node = tree.nodes[step.node]
        left = [child for child in tree.children(node) if child.number not in seen]
        is_asked = step.kind is EventKind.VALUE and node.player >= 0 and left and has_window
        names = ", ".join(child.label for child in left)
        questions.append(f"Can the search do without {names}?" if is_asked else "")
    return questions
