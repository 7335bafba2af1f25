"""Checks of the Game contract in given states.

The result lists the violated laws with their states and is empty for a conforming game. Users run
the checks on their own games, the tests on every shipped and generated game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import islice, product

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, IllegalActionError, PayoffSum, State
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """A violated law and the state."""

    law: str
    message: str
    state: State


def broken_laws(game: Game, states: Iterable[State]) -> tuple[Violation, ...]:
    """The laws violated in these states."""
    return tuple(violation for state in states for violation in _broken(game, state))


def _broken(game: Game, state: State) -> Iterator[Violation]:
    for law in LAWS:
        for message in law(game, state):
            yield Violation(law.__name__.removeprefix("_").replace("_", " "), message, state)


def choices(game: Game, state: State) -> Iterator[Action | JointAction]:
    """All possible next actions, joint actions or chance outcomes."""
    player = game.current_player(state)
    if player == CHANCE:
        yield from (outcome for outcome, _ in game.chance_outcomes(state))
    elif player == SIMULTANEOUS:
        yield from product(*(game.legal_actions(state, p) for p in game.players))
    elif player != TERMINAL:
        yield from game.legal_actions(state)


def _a_player_moves_exactly_where_actions_are(game: Game, state: State) -> Iterator[str]:
    player = game.current_player(state)
    if game.is_terminal(state) != (player == TERMINAL):
        yield f"is_terminal is {game.is_terminal(state)} and the player is {player!r}"
    if player == SIMULTANEOUS:
        if not all(game.legal_actions(state, p) for p in game.players):
            yield "some player has no choice where all choose"
        return
    actions = game.legal_actions(state)
    if bool(actions) != (player >= 0):
        yield f"{count(len(actions), 'action')} where the player is {player!r}"


def _actions_ascend_within_their_count(game: Game, state: State) -> Iterator[str]:
    if game.current_player(state) < 0:
        return
    actions = game.legal_actions(state)
    if list(actions) != sorted(set(actions)):
        yield f"{actions} does not ascend"
    if actions and (actions[0] < 0 or actions[-1] >= game.facts.action_count):
        yield f"{actions} leaves 0..{game.facts.action_count - 1}"


def _names_and_actions_match(game: Game, state: State) -> Iterator[str]:
    if game.current_player(state) in {SIMULTANEOUS, TERMINAL}:
        return
    for choice in islice(choices(game, state), 40):
        name = game.action_name(state, choice)
        if game.action_named(state, name) != choice:
            yield f"{name} names another action"


def _results_are_equal_and_change_nothing(game: Game, state: State) -> Iterator[str]:
    before = (state.cells, state.turn, state.pending, state.history)
    for choice in islice(choices(game, state), 40):
        first, second = game.result(state, choice), game.result(state, choice)
        if first != second or hash(first) != hash(second):
            yield f"two results of {choice} differ"
    if (state.cells, state.turn, state.pending, state.history) != before:
        yield "the state was changed"


def _what_is_not_legal_is_refused(game: Game, state: State) -> Iterator[str]:
    if game.current_player(state) == SIMULTANEOUS:
        return
    possible = set(choices(game, state))
    wrong = next((a for a in range(game.facts.action_count + 1) if a not in possible), None)
    if wrong is None:
        return
    try:
        game.result(state, wrong)
    except IllegalActionError:
        return
    yield f"action {wrong} is not legal and was carried out"


def _utilities_are_the_facts(game: Game, state: State) -> Iterator[str]:
    if not game.is_terminal(state):
        try:
            game.utilities(state)
        except ValueError:
            return
        yield "a state that is not terminal has utilities"
        return
    payoffs = game.utilities(state)
    low, high = game.facts.utility_bounds
    if len(payoffs) != len(game.players) or not all(isinstance(u, Fraction) for u in payoffs):
        yield f"{payoffs} is not one fraction a player"
    if not all(low <= payoff <= high for payoff in payoffs):
        yield f"{payoffs} leaves {low}..{high}"
    if game.facts.payoff_sum is PayoffSum.ZERO and sum(payoffs) != 0:
        yield f"{payoffs} does not add up to zero"


def _rewards_are_the_facts(game: Game, state: State) -> Iterator[str]:
    if not game.facts.has_rewards:
        return
    for choice in islice(choices(game, state), 40):
        paid = game.rewards(state, choice)
        if len(paid) != len(game.players) or not all(
            isinstance(payoff, Fraction) for payoff in paid
        ):
            yield f"{paid} is not one fraction a player"
        if game.facts.payoff_sum is not PayoffSum.GENERAL and sum(paid) != 0:
            yield f"{paid} does not add up to zero"


def _chances_add_up_to_one(game: Game, state: State) -> Iterator[str]:
    if game.current_player(state) != CHANCE:
        return
    outcomes = game.chance_outcomes(state)
    if sum((share for _, share in outcomes), Fraction(0)) != 1:
        yield f"{outcomes} does not add up to one"
    if not all(share > 0 for _, share in outcomes):
        yield f"{outcomes} holds an outcome that cannot happen"
    if [outcome for outcome, _ in outcomes] != sorted({outcome for outcome, _ in outcomes}):
        yield f"{outcomes} does not ascend"


def _a_state_can_be_shown(game: Game, state: State) -> Iterator[str]:
    if not game.show(state).strip():
        yield "nothing is shown"


LAWS: tuple[Callable[[Game, State], Iterator[str]], ...] = (
    _a_player_moves_exactly_where_actions_are,
    _actions_ascend_within_their_count,
    _names_and_actions_match,
    _results_are_equal_and_change_nothing,
    _what_is_not_legal_is_refused,
    _utilities_are_the_facts,
    _rewards_are_the_facts,
    _chances_add_up_to_one,
    _a_state_can_be_shown,
)
