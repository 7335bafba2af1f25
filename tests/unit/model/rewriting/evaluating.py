"""Evaluating rewritten rules in states met in play, for the tests of this folder."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from gamedsl.game import library
from gamedsl.game.checking import checked_rules
from gamedsl.interpreter import RulesInterpreter
from gamedsl.interpreter.ends import Ends
from gamedsl.interpreter.environment import Environment
from gamedsl.interpreter.expressions import Expressions
from gamedsl.model import Model, State, nodes
from gamedsl.model.action_names import arguments_of, move_of
from gamedsl.model.rewriting.effects import Effect
from gamedsl.model.rewriting.endings import Endings
from gamedsl.model.values import Value
from gamedsl.source import SourceFile


def shipped(name: str, **parameters: str) -> Model:
    path = library.shipped_game(name)
    assert path is not None
    return checked_rules(SourceFile(str(path), path.read_text(encoding="utf-8")), parameters)


def edges(
    game: RulesInterpreter, plays: int, plies: int = 60, seed: int = 1
) -> Iterator[tuple[State, int, State]]:
    """All moves of the states of some random plays; chance nodes end a play."""
    chooser = random.Random(seed)
    seen: set[object] = set()
    for _ in range(plays):
        state = game.initial_state()
        for _ in range(plies):
            if state.pending is not None or game.is_terminal(state):
                break
            children = [(one, game.result(state, one)) for one in game.legal_actions(state)]
            if (state.cells, state.turn) not in seen:
                seen.add((state.cells, state.turn))
                yield from ((state, action, child) for action, child in children)
            state = chooser.choice(children)[1]


def arguments(game: RulesInterpreter, action: int) -> dict[int, Value]:
    """The parameters of an action by slot."""
    move = move_of(game.model.moves, action)
    slots = (parameter.slot for parameter in move.parameters)
    return dict(zip(slots, arguments_of(move, action), strict=True))


class Evaluator:
    """The interpreter's own evaluation of expressions that are not part of a file."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.expressions = Expressions(model.board, model.players)
        self.ends = Ends(self.expressions)

    def environment(
        self, state: State, slots: int, effect: Effect | None, held: dict[int, Value]
    ) -> Environment:
        """A state with arguments and the bindings of an effect in their slots."""
        env = Environment(list(state.cells), self.model.players[state.turn], slots)
        for slot, value in held.items():
            env.locals[slot] = value
        for slot, node in () if effect is None else effect.bindings:
            env.locals[slot] = self.expressions.meaning(node)(env)
        return env

    def value(self, node: nodes.Expr, env: Environment) -> Value:
        return self.expressions.meaning(node)(env)

    def ending(self, endings: Endings, env: Environment) -> tuple[Fraction, ...] | None:
        """The payoffs of the first ending whose condition holds."""
        for one in endings.endings:
            if self.value(one.condition, env) is True:
                return self.ends.outcome(one.outcome)(env)
        return None
