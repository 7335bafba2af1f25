"""The part of a game's definition about information: the hidden variables of players.

Information sets of `tree:` games are listed; for other games the section states the visibility of
variables, from which information sets follow.
"""

from __future__ import annotations

from gamedsl.game import LoadedGame
from gamedsl.model import Player
from gamedsl.model.nodes import Variable
from gamedsl.reports.counts.form_size import form_words
from gamedsl.reports.explanations.sections import Section
from gamedsl.reports.formulas.tree import (
    Formula,
    Group,
    Indexed,
    Kind,
    Line,
    Word,
    joined,
    prose,
    row,
)
from gamedsl.solvers.feasibility.form_size import FormEstimate

MOST_CELLS = 8
"""Cells of a variable listed one by one."""


def information_section(game: LoadedGame, form: FormEstimate | None = None) -> Section | None:
    """The section, with the size of the extensive form if known; None for perfect information."""
    facts = game.facts
    if not (facts.has_secrets or facts.is_simultaneous):
        return None
    formulas = [
        row(Word(v.name), ": ", prose(_who_sees(game, v)))
        for v in game.model.variables
        if v.viewers
    ]
    formulas += [
        row(
            Word(move.name, Kind.OPERATOR),
            ": ",
            prose("others see that it was played, not with what"),
        )
        for move in game.model.moves
        if move.is_secret
    ]
    if game.model.tree is not None:
        sets: dict[str, list[str]] = {}
        for node in game.model.tree.nodes:
            if node.player >= 0:
                where = " ".join(node.path) or "the root"
                sets.setdefault(node.information_set, []).append(where)
        formulas += [
            row(Word(name), " = ", Group("{", joined("; ", map(prose, nodes)), "}"))
            for name, nodes in sets.items()
            if len(nodes) > 1
        ]
    if facts.is_simultaneous:
        formulas.append(prose("nobody sees the others' choices before choosing"))
    sizes = () if form is None else form_words(form, game.facts.players)
    return Section("I(p)", "what a player cannot see", tuple(map(Line, formulas)), values=sizes,
                   spelled=_information_sets(game))  # fmt: skip


def _information_sets(game: LoadedGame) -> tuple[Line, ...]:
    """The set of states that a player cannot tell apart, by the part of a state that is seen."""
    if not any(variable.viewers for variable in game.model.variables):
        return ()
    head = row("I(s, p) = { s' : o(s', p) = o(s, p), now and after every earlier move }")
    seen = [
        row("o(s, ", Word(player.name, Kind.VALUE), ") = (", joined(", ", _seen(game, player)), ")")
        for player in game.players
    ]
    return tuple(map(Line, (head, *seen)))


def _seen(game: LoadedGame, player: Player) -> list[Formula]:
    """The variables, and the cells of variables, that a player sees."""
    parts: list[Formula] = [Word("turn")] if len(game.players) > 1 else []
    for variable in game.model.variables:
        if variable.is_constant:
            continue
        if not variable.viewers:
            parts.append(Word(variable.name))
            continue
        cells = [n for n in variable.cells if player in (variable.viewers[n] or ())]
        if len(cells) == len(variable.cells):
            parts.append(Word(variable.name))
        elif len(cells) <= MOST_CELLS:
            parts += [_cell(variable, cell) for cell in cells]
        else:
            parts.append(row("the cells of ", Word(variable.name), " seen by this player"))
    return parts


def _cell(variable: Variable, number: int) -> Formula:
    """`card[Ann]`."""
    name, _, indices = variable.cell_name(number).partition("[")
    return Indexed(Word(name), Word(indices.removesuffix("]"), Kind.VALUE))


def _who_sees(game: LoadedGame, variable: Variable) -> str:
    viewers = variable.viewers or ()
    seen_by = [viewers[number] for number in variable.cells]
    if len(set(seen_by)) == 1:
        (alike,) = set(seen_by)
        names = [player.name for player in game.players if player in alike]
        return (
            f"seen by {' and '.join(names)}{' alone' * (len(names) == 1)}"
            if names
            else ("seen by nobody")
        )
    if all(len(players) == 1 for players in seen_by):
        return "each cell is seen by its player alone"
    if all(len(players) == len(game.players) - 1 for players in seen_by):
        return "each cell is seen by all players but one"
    return "each cell is seen by its players alone"
