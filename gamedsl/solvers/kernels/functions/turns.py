"""Functions for the kernel of games by turns: slow variables, and the first player's payoffs."""

from __future__ import annotations

from functools import reduce

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import INT, ROW, ZERO, Value, all_of, load, mixed, name, words_of
from gamedsl.compiler.layout import WORD
from gamedsl.solvers.kernels.functions.payoffs import share_titles, turn_of
from gamedsl.solvers.kernels.functions.standard import game_words

ROW_, SLOW, QUICK = (name(title, ROW) for title in ("row", "slow", "quick"))
AT, PLACE, ACTION = (name(title, INT) for title in ("at", "place", "action"))


def turn_definitions(
    engine: CompiledEngine, masks: tuple[int, ...], *, ends_by_slow: bool
) -> Definitions:
    """The functions and constants that `turns_kernel` needs of a game in addition to those of all
    games; `masks`: the bits of slow variables in each word."""
    words = game_words(engine)
    places = [n for n, mask in enumerate(masks) if mask]
    slow = [words[n] & masks[n] for n in places]
    full = (1 << WORD) - 1
    quick = [word & full & ~masks[n] if n in places else word for n, word in enumerate(words)]
    stored = FunctionBuilder("joined_state", SLOW, AT, QUICK, PLACE)
    joined = [load(QUICK, PLACE + n) for n in range(len(words))]
    for part, n in enumerate(places):
        joined[n] = load(SLOW, AT + part) | joined[n]
    stored.give(words_of(joined))
    same = FunctionBuilder("same_quick", *words, ROW_, AT)
    same.give(all_of(term.eq(load(ROW_, AT + n)) for n, term in enumerate(quick)))
    hashed = FunctionBuilder("hash_slow", ROW_, AT)
    keys = (load(ROW_, AT + part) for part in range(len(places)))
    hashed.give(reduce(lambda term, key: mixed(key, term), keys, ZERO))
    constants = {
        "SLOW_WIDTH": len(places),
        "STATE_WIDTH": len(words),
        "ENDS_BY_SLOW": ends_by_slow,
    }
    functions = (
        stored.function,
        _writing("write_slow", words, slow),
        _writing("write_quick", words, quick),
        same.function,
        hashed.function,
        _paid_first(engine),
        _end_first(engine),
    )
    return Definitions(constants, functions)


def _writing(title: str, words: tuple[Value, ...], numbers: list[Value]) -> Function:
    f = FunctionBuilder(title, *words, ROW_, AT)
    for part, number in enumerate(numbers):
        f.store(ROW_, AT + part, number)
    f.give(0)
    return f.function


def _paid_first(engine: CompiledEngine) -> Function:
    """`paid_first(*state, action)`."""
    words = game_words(engine)
    f = FunctionBuilder("paid_first", *words, ACTION)
    for player in range(len(engine.players)) if engine.model.facts.has_rewards else ():
        with f.when(turn_of(words).eq(player)):
            _give_first(f, f.results(share_titles(engine), f"reward_{player}", *words, ACTION), 0)
    f.give(1, 0)
    return f.function


def _end_first(engine: CompiledEngine) -> Function:
    """`end_first(*state)`."""
    words = game_words(engine)
    f = FunctionBuilder("end_first", *words)
    _give_first(f, f.results(share_titles(engine), "end", *words), -1)
    return f.function


def _give_first(f: FunctionBuilder, paid: list[Value], unpaid: int) -> None:
    """Return the denominator and the first player's numerator; the denominator `unpaid` if a second
    player does not pay."""
    per, first, *second = paid
    for other in second:
        with f.when((first + other).ne(0)):
            f.give(unpaid, 0)
    f.give(per, first)
