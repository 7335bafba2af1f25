"""The part of a game's definition about information: the hidden variables of players.

Information sets of `tree:` games are listed; for other games the section states the visibility of
variables, from which information sets follow.
"""

from __future__ import annotations

from gamedsl.game import LoadedGame
from gamedsl.model.nodes import Variable
from gamedsl.reports.counts.form_size import form_words
from gamedsl.reports.explanations.sections import Section
from gamedsl.solvers.feasibility.form_size import FormEstimate


def information_section(game: LoadedGame, form: FormEstimate | None = None) -> Section | None:
    """The section, with the size of the extensive form if known; None for perfect information."""
    facts = game.facts
    if not (facts.has_secrets or facts.is_simultaneous):
        return None
    formulas = [f"{v.name}: {_who_sees(game, v)}" for v in game.model.variables if v.viewers]
    formulas += [
        f"{move.name}: others see that it was played, not with what"
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
            f"{name} = {{{'; '.join(nodes)}}}" for name, nodes in sets.items() if len(nodes) > 1
        ]
    if facts.is_simultaneous:
        formulas.append("nobody sees the others' choices before choosing")
    sizes = () if form is None else form_words(form, game.facts.players)
    return Section("I(p)", "what a player cannot see", tuple(formulas), values=sizes)


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
