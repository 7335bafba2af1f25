"""Prove normal play: two players alternate, and the player to move at the end loses.

The result is a `NormalPlay` with the rules written out for single cells, or `Unknown` with the
obstacle. A game is impartial if both players have the same moves in every position. The theory is
by R. Sprague (1935) and P. Grundy (1939), and by J. Conway, "On Numbers and Games" (1976), for
games in which the players' moves differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.normal_forms import (
    CaseSet,
    FormOf,
    GroundEnding,
    NormalForm,
    Transition,
    normal_form,
)
from gamedsl.model.rewriting.propositions import Proposition
from gamedsl.model.statement_facts import facts_in
from gamedsl.model.values import Value
from gamedsl.model.walk import expressions_of_move
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

MOST_STEPS = 300_000
"""Limit on the steps of writing out the rules: two seconds."""
STUCK = ("stuck",)


@dataclass(frozen=True, slots=True)
class NormalPlay:
    """A proof of normal play.

    Attributes:
        transitions: the effects of the starting player's moves; in an impartial game, of both
            players'.
        endings: the conditions under which play is over, besides having no move.
        ends_when_stuck: whether play is over if there is no move.
        is_impartial: whether both players have the same moves in every position, and play is over
            for a player exactly if play is over for the opponent.
    """

    transitions: tuple[Transition, ...]
    endings: tuple[Proposition, ...]
    ends_when_stuck: bool
    is_impartial: bool


def normal_play(model: Model, form_of: FormOf | None = None) -> NormalPlay | Unknown:
    """The proof for a game, or the reason why there is no proof.

    `form_of` returns the normal form of the rules, for callers that share the normal form.
    """
    facts = model.facts
    if len(model.players) != 2:
        return Unknown(f"it has {count(len(model.players), 'player')}, not two")
    if facts.has_chance:
        return Unknown("chance has a part in it")
    if model.repeats or model.endless is not None:
        return Unknown("its rules say what becomes of play that returns or never ends")
    form = (form_of or partial(normal_form, model, MOST_STEPS))()
    if isinstance(form, Unknown):
        return form
    first, second = model.players
    for mover, opponent in ((first, second), (second, first)):
        if any(move.turn != _surely(opponent) for move in form.transitions[mover]):
            return Unknown("players do not take turns after every move")
        if not all(_is_lost(ending, mover) for ending in _endings(form, mover)):
            return Unknown("that the player to move at the end loses is not proved")
    transitions = [
        {replace(move, turn=frozenset()) for move in form.transitions[p]} for p in (first, second)
    ]
    ends = [{ending.condition for ending in _endings(form, p)} for p in (first, second)]
    if not ends[0]:
        return Unknown("it has no end")
    return NormalPlay(
        tuple(sorted(transitions[0], key=_order)),
        tuple(end for end in ends[0] if end != STUCK),
        STUCK in ends[0] and STUCK in ends[1],
        transitions[0] == transitions[1] and ends[0] == ends[1],
    )


def is_impartial(model: Model) -> bool:
    """Whether the statements as written prove normal play with equal moves for both players, and no
    ending besides having no move.

    The proof needs no rules written out: no move mentions a player to move or changes the turn, and
    `end:` says nothing but that the player to move loses where nobody can move. Rules that say the
    same in another way are left to `normal_play`.
    """
    facts = model.facts
    alternates = (
        len(model.players) == 2
        and facts.pays_at_the_end
        and not (facts.has_chance or facts.is_simultaneous or facts.has_secrets or facts.is_tree)
        and not model.repeats
        and model.endless is None
    )
    return alternates and all(map(_is_anybodys, model.moves)) and _stuck_loses(model.end)


def _is_anybodys(move: nodes.Move) -> bool:
    """Whether a move is the same for both players, and passes the turn."""
    mentions = any(node.asks in {"turn", "me", "moves"} for node in expressions_of_move(move))
    return not mentions and not any(
        row.sets_turn or row.keeps_turn or row.draws for row in facts_in(move.body)
    )


def _stuck_loses(end: nodes.Block) -> bool:
    """Whether `end:` is `if stuck: turn loses`, or `opponent wins`."""
    match end:
        case (
            nodes.Branch(
                branches=((nodes.Stuck(player=None), (nodes.Win() as win,)),), otherwise=()
            ),
        ):
            amount = win.amount
            is_positive = amount is None or (amount.known is not None and amount.known > 0)  # type: ignore[operator]
            named = win.player.asks == "turn" if win.sign < 0 else win.player.called == "other"
            return named and is_positive
    return False


def _endings(form: NormalForm, mover: Value) -> Iterator[GroundEnding]:
    for together in form.endings[mover]:
        yield from together


def _is_lost(ending: GroundEnding, mover: Value) -> bool:
    """Whether the player to move loses an amount that the opponent wins."""
    paid = {player: _sure(amounts) for player, amounts in ending.payoffs}
    loss = paid[mover]
    return loss < 0 and all(amount == -loss for player, amount in paid.items() if player != mover)


def _sure(amounts: CaseSet) -> int | Fraction:
    """The number if unique, else 0."""
    numbers = [amount for amount, _ in amounts]
    return numbers[0] if len(numbers) == 1 and isinstance(numbers[0], int | Fraction) else 0


def _surely(value: Value) -> CaseSet:
    return frozenset({(value, True)})


def _order(move: Transition) -> tuple[int, list[int], int]:
    """A sort key that is equal in every process."""
    return move.group, sorted(number for number, _ in move.cells), len(str(move.legal))
