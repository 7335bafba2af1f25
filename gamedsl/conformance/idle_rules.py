"""Parts of the rules whose removal changes nothing in positions of play.

In: a model with rules, positions with actions taken there. Out: the statements and conditions
without which legal actions, results, rewards, endings and payoffs of all positions looked at stay
as they are. One part is left out at a time, and the interpreter plays the remaining rules. Rules
about rare events are named, too, where the positions have no such event: the number of positions is
told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from time import process_time
from typing import TypeVar

from gamedsl.game.contract import Action, JointAction
from gamedsl.interpreter import RulesInterpreter
from gamedsl.interpreter.expressions import RuledOutError
from gamedsl.model import nodes
from gamedsl.model.errors import GameRuleError, IllegalActionError
from gamedsl.model.model import Model
from gamedsl.model.state import SIMULTANEOUS, State
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.walk import blocks_of, expressions_of, with_blocks, with_parts
from gamedsl.source.records import dataclass
from gamedsl.source.text import Span

MOST_POSITIONS = 400
"""Positions looked at, at most."""
MOST_ACTIONS = 4
"""Actions carried out in a position."""
MOST_OUTCOMES = 6
"""Outcomes of a chance event gone through, at most."""
MOST_RESULTS = 36
"""Results of an action with several chance events, at most."""

Part = TypeVar("Part")
Removed = tuple[Span, Model]
"""The place of a part, and the rules without the part."""


Moment = tuple[State, tuple[Action | JointAction, ...]]
"""A state in which players choose or the game is over, with actions taken there."""


@dataclass(frozen=True, slots=True)
class Removals:
    """The result of leaving out parts of the rules one at a time.

    Attributes:
        spans: the places of the parts that made no difference.
        tried: number of parts left out; parts: number of all parts.
        positions: number of positions in which the rules were compared.
    """

    spans: tuple[Span, ...]
    tried: int
    parts: int
    positions: int


def idle_rules(model: Model, positions: Sequence[Moment], *, rng: Random, ends: float) -> Removals:
    """The parts of the rules that make no difference, as far as tried until a time of
    `process_time`. Compared in the first positions, and as many others at random."""
    usual, others = list(positions[: MOST_POSITIONS // 2]), list(positions[MOST_POSITIONS // 2 :])
    rng.shuffle(others)
    moments = [*usual, *others][:MOST_POSITIONS]
    rng.shuffle(moments)
    whole, variants = RulesInterpreter(model), list(_variants(model))
    known: list[object] = []
    spans, tried = Counter[Span](), 0
    copies = Counter(span for span, _ in variants)
    """The rules with an effect hold a copy of its parts for each call."""
    for span, rest in variants:
        if process_time() > ends:
            break
        tried += 1
        try:
            other = RulesInterpreter(rest)
        except (GameRuleError, ValueError, KeyError):
            continue
        for place, moment in enumerate(moments):
            if place == len(known):
                known.append(_answer(whole, moment, place))
            if _answer(other, moment, place) != known[place] or process_time() > ends:
                break
        else:
            spans[span] += bool(moments)
    idle = [span for span, times in spans.items() if times == copies[span]]
    return Removals(_outermost(idle), tried, len(variants), len(moments))


def _outermost(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The places not within other places, in order."""
    kept: list[Span] = []
    for span in sorted(set(spans), key=lambda span: (span.start, -span.end)):
        if not kept or span.end > kept[-1].end:
            kept.append(span)
    return tuple(kept)


# --- the rules without a part --------------------------------------------------------------------


def _variants(model: Model) -> Iterator[Removed]:
    """The rules without each part of the moves and of `end`."""
    for place, move in enumerate(model.moves):
        for span, body in _without(move.body):
            moves = (*model.moves[:place], replace(move, body=body), *model.moves[place + 1 :])
            yield span, replace(model, moves=moves)
    for span, body in _without(model.end):
        yield span, replace(model, end=body)


def _without(block: nodes.Block) -> Iterator[tuple[Span, nodes.Block]]:
    """The block without each of its parts: statements, arms, operands of conditions."""
    for place, statement in enumerate(block):

        def put(*instead: nodes.Statement, place: int = place) -> nodes.Block:
            return (*block[:place], *instead, *block[place + 1 :])

        facts = facts_of(statement)
        if facts.over is not None or not (facts.binds or facts.draws or facts.ends):
            yield statement.span, put()
        for span, less in _less(statement):
            yield span, put(less)


def _less(statement: nodes.Statement) -> Iterator[tuple[Span, nodes.Statement]]:
    """The statement without each of its parts."""
    tests = expressions_of(statement) if isinstance(statement, nodes.Require | nodes.Branch) else ()
    for test in tests:
        for span, less in _operands_out(test):
            yield span, with_parts(statement, _instead(test, less))
    for block in blocks_of(statement):
        for span, rest in _without(block):
            yield span, with_blocks(statement, _instead(block, rest))


def _instead(old: Part, new: Part) -> Callable[[Part], Part]:
    """The function that puts a part in place of another part."""
    return lambda part: new if part is old else part


def _operands_out(condition: nodes.Expr) -> Iterator[tuple[Span, nodes.Expr]]:
    """An `and` or `or` without each operand."""
    if isinstance(condition, nodes.Logic) and len(condition.operands) > 1:
        for place, operand in enumerate(condition.operands):
            rest = (*condition.operands[:place], *condition.operands[place + 1 :])
            less = rest[0] if len(rest) == 1 else replace(condition, operands=rest)
            yield operand.span, less


# --- comparison ----------------------------------------------------------------------------------


def _answer(rules: RulesInterpreter, moment: Moment, place: int) -> object:
    """What the rules say in a state: the end, the payoffs, the legal actions, and the results of
    some, by the place of the moment; for failing rules the code."""
    state, actions = moment
    try:
        if rules.is_terminal(state):
            return rules.utilities(state)
        mover = rules.current_player(state)
        seats = rules.players if mover == SIMULTANEOUS else (None,)
        legal = tuple(rules.legal_actions(state, seat) for seat in seats)
        tried = list(actions)
        if mover != SIMULTANEOUS:
            step = max(1, len(legal[0]) // MOST_ACTIONS)
            tried += legal[0][place % step :: step]
        return legal, tuple(_results(rules, state, action, place) for action in tried)
    except GameRuleError as error:
        return error.code
    except (IllegalActionError, KeyError, RuledOutError, TypeError) as error:
        return type(error).__name__  # a removed part left a value that it had ruled out


def _results(
    rules: RulesInterpreter,
    state: State,
    action: Action | JointAction,
    place: int,
    most: int = MOST_RESULTS,
) -> tuple[object, ...]:
    """The rewards, cells and turn after an action, and, where a chance event is due, its outcomes
    and the results of some; the place in a body differs between rules."""
    after = rules.result(state, action)
    answer = rules.rewards(state, action), after.cells, after.turn
    if after.pending is None:
        return answer
    outcomes = rules.chance_outcomes(after)
    step = -(-len(outcomes) // min(MOST_OUTCOMES, most))
    drawn = [outcome for outcome, _ in outcomes[place % step :: step]]
    below = max(1, most // len(drawn))
    results = tuple(_results(rules, after, outcome, place, below) for outcome in drawn)
    return (*answer, tuple(outcomes), results)
