"""Functions that write payoffs and rewards of a game into arrays, for kernels that solve."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import INT, ROW, Operand, Value, call, name
from gamedsl.solvers.kernels.functions.standard import game_words

ROW_, AT, ACTION, PAYER = name("row", ROW), name("at", INT), name("action", INT), name("payer", INT)


def payoff_definitions(engine: CompiledEngine, shares: int = 3) -> Definitions:
    """The functions of `abi` that give the payoffs of an ending: `shares` numbers in an array, for
    one player with a second numerator of 0; for one player or two, and for two sides of partners,
    also two numerators."""
    words, titles = game_words(engine), share_titles(engine)
    f = FunctionBuilder("write_payoffs", *words, ROW_, AT)
    paid = f.results(titles, "end_after", *words)
    written = paid if shares > len(titles) - 1 else by_side(engine, paid)
    with f.when(paid[0].ne(0)):
        for n in range(shares):
            f.store(ROW_, AT + n, written[n] if n < len(written) else 0)
    f.give(paid[0])
    functions, aliases = [f.function], {}
    if len(engine.players) == 2:
        aliases["payoffs_after"] = "end_after"
    elif len(engine.players) == 1:
        f = FunctionBuilder("payoffs_after", *words)
        f.give(*f.results(titles, "end_after", *words), 0)
        functions.append(f.function)
    elif engine.model.facts.partners is not None:
        f = FunctionBuilder("payoffs_after", *words)
        f.give(*by_side(engine, f.results(titles, "end_after", *words)))
        functions.append(f.function)
    return Definitions({"SHARES": shares}, tuple(functions), aliases)


def by_side(engine: CompiledEngine, paid: Sequence[Value]) -> Sequence[Value]:
    """A denominator, and the numerator of the first player of each side."""
    sides = engine.model.facts.sides
    return [paid[0], *(paid[1 + sides.index(side)] for side in sorted(set(sides)))]


def reward_function(engine: CompiledEngine) -> Function:
    """`write_rewards(*state, action, row, at)`: the rewards of an action, or of an outcome, as
    `write_payoffs` writes the payoffs of an ending."""
    words = game_words(engine)
    f = FunctionBuilder("write_rewards", *words, ACTION, ROW_, AT)
    if engine.model.facts.has_rewards and engine.generated.events:
        with f.when(words[engine.generated.words].ne(0)):
            _write_rewards(f, engine, "pays")
    return _by_payer(f, engine, turn_of(words))


def paid_function(engine: CompiledEngine) -> Function:
    """`write_paid(payer, *state, action, row, at)`: as `write_rewards`, for the choice of a player,
    or of chance (-1)."""
    f = FunctionBuilder("write_paid", PAYER, *game_words(engine), ACTION, ROW_, AT)
    if engine.model.facts.has_rewards and engine.generated.events:
        with f.when(PAYER.eq(-1)):
            _write_rewards(f, engine, "pays")
    return _by_payer(f, engine, PAYER)


def _by_payer(f: FunctionBuilder, engine: CompiledEngine, payer: Value) -> Function:
    """Writes the rewards of a player's action; zeros in a game without rewards."""
    players = range(len(engine.players))
    for player in players if engine.model.facts.has_rewards else ():
        with f.when(payer.eq(player)):
            _write_rewards(f, engine, f"reward_{player}")
    _store_shares(f, [1, *(0 for _ in players)])
    return f.function


def _write_rewards(f: FunctionBuilder, engine: CompiledEngine, function: str) -> None:
    _store_shares(f, f.results(share_titles(engine), function, *game_words(engine), ACTION))


def _store_shares(f: FunctionBuilder, paid: Sequence[Operand]) -> None:
    for n, share in enumerate(paid):
        f.store(ROW_, AT + n, share)
    f.give(0)


def share_titles(engine: CompiledEngine) -> list[str]:
    """Names for a denominator and the numerators of all players."""
    return ["per", *(f"share_{player}" for player in range(len(engine.players)))]


def turn_of(words: tuple[Value, ...]) -> Value:
    """The player to move."""
    return call("turn_of", words, INT, can_fail=False)
