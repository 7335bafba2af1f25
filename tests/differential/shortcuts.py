"""Shortcuts of generated code against the long way: what only kernels ask for.

In: an engine and a state that it made. Out: the first difference as a sentence, or None.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.faults import Fault
from gamedsl.model import GameRuleError, State

FAILS = "fails"


def shortcut_difference(engine: object, state: State) -> str | None:
    """Candidates that are allowed are the legal actions; what is picked at random follows on one
    of them, and each may be picked; the end after a move is the end."""
    if not isinstance(engine, CompiledEngine) or state.pending is not None:
        return None
    if answer(lambda: engine.is_terminal(state)) is not False:
        return None
    return _of_candidates(engine, state) or _of_picks(engine, state) or _of_ends(engine, state)


def answer(question: Callable[[], object]) -> object:
    try:
        return question()
    except (Fault, GameRuleError):
        return FAILS


def _of_candidates(engine: CompiledEngine, state: State) -> str | None:
    if not engine.generated.can_pick:
        return None
    functions, words = engine.functions, engine.words_of(state)

    def picked() -> list[int]:
        out = [0] * (engine.model.facts.action_count + 1)
        count = functions["candidates"](*words, out, 0)
        return sorted(a for a in out[:count] if functions["allowed"](*words, a))

    def legal() -> list[int]:
        """The legal actions, also where an earlier position comes back: kernels look at that."""
        out = [0] * (engine.model.facts.action_count + 1)
        return list(out[: functions["legal"](*words, out, 0)])

    one, other = answer(legal), answer(picked)
    return None if one == other else f"legal are {one}, allowed candidates {other}"


def _of_picks(engine: CompiledEngine, state: State) -> str | None:
    functions, words = engine.functions, engine.words_of(state)
    legal = answer(lambda: engine._raw_legal(state))
    has_pick = engine.generated.can_walk and not engine.generated.can_pick
    if not has_pick or not isinstance(legal, tuple) or not 0 < len(legal) <= 8:
        return None
    after = {answer(lambda action=action: functions["apply"](*words, action)) for action in legal}
    out = [0] * (engine.model.facts.action_count + 1)
    picks = [
        partial(functions["pick"], *words, 7, number, out) for number in range(20 * len(legal))
    ]
    picked = {found[0] if (found := answer(pick)) != FAILS else FAILS for pick in picks}
    return None if picked == after else f"picked are {picked}, legal actions lead to {after}"


def _of_ends(engine: CompiledEngine, state: State) -> str | None:
    functions, words = engine.functions, engine.words_of(state)
    legal = answer(lambda: engine._raw_legal(state))
    is_plain = not (engine.model.facts.is_simultaneous or engine.generated.stuck_by_history)
    if not is_plain or engine.generated.events or not isinstance(legal, tuple):
        return None
    for action in legal:
        child = answer(lambda action=action: functions["apply"](*words, action))
        if child == FAILS:
            continue
        one = answer(lambda child=child: functions["end"](*child))
        other = answer(lambda child=child: functions["end_after"](*child))
        if one != other:
            return f"after action {action} the end is {one}, asked after a move {other}"
    return None
