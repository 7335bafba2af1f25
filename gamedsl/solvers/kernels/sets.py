"""Positions counted on sets of positions, without storing single positions.

In: a compiled engine. Out: the sizes of the layers: positions by the length of a shortest play. A
layer is a decision diagram, the next layer is made of all its successors at once (J. R. Burch and
others, "Symbolic model checking: 10^20 states and beyond", 1990). Where every move raises a proved
level equally, layers have no position in common; elsewhere the positions of earlier layers are
taken away.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.symbolic.diagrams import NO_LIBRARY, Function, has_library
from gamedsl.compiler.symbolic.relation import Relation
from gamedsl.game.accelerator import Progress
from gamedsl.model import State, UnsupportedGameError
from gamedsl.model.errors import GameRuleError
from gamedsl.model.rewriting.levels import levels_of


def layers(
    engine: CompiledEngine, root: State, most_bytes: int, progress: Progress | None
) -> Iterator[tuple[int, int]]:
    """The number of positions and of endings among them, for 0, 1, 2, ... plies.

    Raises UnsupportedGameError, MemoryError; while the iterator is used, MemoryError, and
    GameRuleError where the rules fail in a position of the next layer.
    """
    if not has_library():
        raise UnsupportedGameError(NO_LIBRARY)
    model, facts = engine.model, engine.model.facts
    unknown = (
        ("chance", facts.has_chance),
        ("choices at once", facts.is_simultaneous),
        ("rules about repetition", bool(model.repeats)),
        ("`is greatest`", any(move.greatest for move in model.moves)),  # lists, and takes back
    )
    reasons = [f"no {words}" for words, is_there in unknown if is_there]
    if reasons:
        raise UnsupportedGameError(f"sets of positions know {' and '.join(reasons)}")
    relation = Relation(engine.kernel_module, model, most_bytes)
    if engine.is_terminal(root):
        return iter([(1, 1)])
    levels = levels_of(model)
    is_disjoint = 0 < levels.low == levels.high
    return _layers(engine, relation, relation.only(engine.words_of(root)), is_disjoint, progress)


def _layers(
    engine: CompiledEngine,
    relation: Relation,
    layer: Function,
    is_disjoint: bool,
    progress: Progress | None,
) -> Iterator[tuple[int, int]]:
    counted, seen = 0, layer
    while not relation.is_empty(layer):
        failing = layer & relation.failing
        if not relation.is_empty(failing):
            raise _error(engine, engine.packing.position(relation.example(failing)))
        size = relation.count(layer)
        yield size, relation.count(layer & relation.over)
        counted += size
        layer = layer & ~relation.over
        after = []
        for successors in relation.after(layer):
            after.append(successors)
            if progress is not None:
                progress(counted, size)
        layer = relation.union(after)
        del after, successors, failing
        if not is_disjoint:
            layer = layer & ~seen
            seen = seen | layer
        relation.forget()


def _error(engine: CompiledEngine, state: State) -> GameRuleError:
    """The error of the rules in a state. Raises UnsupportedGameError if the state shows none."""
    try:
        if engine.is_terminal(state):
            engine.utilities(state)
        else:
            for action in engine.legal_actions(state):
                engine.result(state, action)
    except GameRuleError as error:
        return error
    raise UnsupportedGameError("an error of the rules on sets of positions, and on no single one")
