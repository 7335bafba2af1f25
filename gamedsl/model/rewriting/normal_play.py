"""Normal play, proved on the rules: two players take turns, and who is to move at the end loses.

In: a model. Out: a `NormalPlay` with the rules written out for single cells, or `Unknown` with what
stands in the way. Impartial: in every position both players have the same moves. The theory is that
of R. Sprague (1935) and P. Grundy (1939), and of J. Conway, "On Numbers and Games" (1976), for
games in which the moves of the players differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

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
from gamedsl.model.values import Value
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

MOST_STEPS = 300_000
"""Of writing the rules out: two seconds."""
STUCK = ("stuck",)


@dataclass(frozen=True, slots=True)
class NormalPlay:
    """What is proved.

    Attributes:
        transitions: the moves of the player who begins, by what they do; of an impartial game those
            of both.
        endings: when play is over, besides having no move.
        ends_when_stuck: it is over where there is no move.
        is_impartial: both players have the same moves in every position, and play is over for one
            where it is for the other.
    """

    transitions: tuple[Transition, ...]
    endings: tuple[Proposition, ...]
    ends_when_stuck: bool
    is_impartial: bool


def normal_play(model: Model, form_of: FormOf | None = None) -> NormalPlay | Unknown:
    """What is proved of a game; or why it is not known to be normal play. `form_of` gives the
    normal form of its rules where others want it too."""
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
    one, other = model.players
    for mover, next_one in ((one, other), (other, one)):
        if any(move.turn != _surely(next_one) for move in form.transitions[mover]):
            return Unknown("players do not take turns after every move")
        if not all(_is_lost(ending, mover) for ending in _endings(form, mover)):
            return Unknown("that who is to move at the end loses is not proved")
    ways = [{replace(one, turn=frozenset()) for one in form.transitions[p]} for p in (one, other)]
    ends = [{ending.condition for ending in _endings(form, p)} for p in (one, other)]
    if not ends[0]:
        return Unknown("it has no end")
    return NormalPlay(
        tuple(sorted(ways[0], key=_order)),
        tuple(end for end in ends[0] if end != STUCK),
        STUCK in ends[0] and STUCK in ends[1],
        ways[0] == ways[1] and ends[0] == ends[1],
    )


def _endings(form: NormalForm, mover: Value) -> Iterator[GroundEnding]:
    for together in form.endings[mover]:
        yield from together


def _is_lost(ending: GroundEnding, mover: Value) -> bool:
    """Whether who is to move pays, and the other gets as much."""
    paid = {one: _sure(amounts) for one, amounts in ending.payoffs}
    loss = paid[mover]
    return loss < 0 and all(amount == -loss for one, amount in paid.items() if one != mover)


def _sure(amounts: CaseSet) -> int | Fraction:
    """The number where there is but one, else 0."""
    numbers = [amount for amount, _ in amounts]
    return numbers[0] if len(numbers) == 1 and isinstance(numbers[0], int | Fraction) else 0


def _surely(value: Value) -> CaseSet:
    return frozenset({(value, True)})


def _order(move: Transition) -> tuple[int, list[int], int]:
    """The same order in every process."""
    return move.group, sorted(number for number, _ in move.cells), len(str(move.legal))
