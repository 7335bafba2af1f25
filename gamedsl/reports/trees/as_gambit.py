"""Games in Gambit's formats: the tree as `.efg`, the normal form as `.nfg`, with exact numbers.

Gambit and `load` read the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from gamedsl.solvers.graphs.walk import WalkNode
from gamedsl.solvers.normal_form.form import NormalForm


def efg_text(title: str, players: Sequence[str], nodes: Sequence[WalkNode]) -> str:
    """An extensive game: a line per node, in the order of a walk through the tree."""
    lines = [f"EFG 2 R {_quoted(title)} {_listed(players)}", '""', ""]
    outcomes: dict[tuple[Fraction, ...], int] = {}
    lines += [_line(node, outcomes) for node in nodes]
    return "\n".join(lines) + "\n"


def _line(node: WalkNode, outcomes: dict[tuple[Fraction, ...], int]) -> str:
    if node.player is None:
        number = outcomes.setdefault(node.payoffs, len(outcomes) + 1)
        return f't "" {number} "" {{ {", ".join(map(str, node.payoffs))} }}'
    if node.player < 0:
        pairs = zip(node.actions, node.weights, strict=True)
        actions = " ".join(f"{_quoted(name)} {weight}" for name, weight in pairs)
        return f'c "" {node.information_set} "" {{ {actions} }} 0'
    return f'p "" {node.player + 1} {node.information_set} "" {_listed(node.actions)} 0'


def nfg_text(title: str, form: NormalForm) -> str:
    """A strategic game: payoffs with the first player's strategy changing fastest."""
    names = " ".join(_listed(strategies) for strategies in form.strategies)
    head = f'NFG 1 R {_quoted(title)} {_listed(form.players)} {{ {names} }} ""'
    return "\n".join([head, "", *_cells(form)]) + "\n"


def _cells(form: NormalForm) -> Iterator[str]:
    for choices in product(*map(range, reversed(form.sizes[1:]))):
        rest = tuple(reversed(choices))
        paid = (form.payoffs[strategy, *rest] for strategy in range(form.sizes[0]))
        yield "  ".join(" ".join(map(str, payoffs)) for payoffs in paid)


def _listed(names: Iterable[str]) -> str:
    return "{ " + " ".join(map(_quoted, names)) + " }"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
