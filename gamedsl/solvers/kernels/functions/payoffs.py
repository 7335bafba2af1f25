"""Functions that write payoffs and rewards of a game into arrays, for kernels that solve."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import INT, ROW, Operand, Value, call, name
from gamedsl.solvers.kernels.functions.standard import game_words

ROW_, AT, ACTION = name("row", ROW), name("at", INT), name("action", INT)


def payoff_definitions(engine: CompiledEngine, shares: int = 3) -> Definitions:
    """The functions of `abi` that give the payoffs of an ending: `shares` numbers in an array, for
    one player with a second numerator of 0; for one player or two also two numerators."""
    words, titles = game_words(engine), share_titles(engine)
    f = FunctionBuilder("write_payoffs", *words, ROW_, AT)
    paid = f.results(titles, "end_after", *words)
    with f.when(paid[0].ne(0)):
        for n in range(shares):
            f.store(ROW_, AT + n, paid[n] if n < len(paid) else 0)
    f.give(paid[0])
    functions, aliases = [f.function], {}
    if len(engine.players) == 2:
        aliases["payoffs_after"] = "end_after"
    elif len(engine.players) == 1:
        f = FunctionBuilder("payoffs_after", *words)
        f.give(*f.results(titles, "end_after", *words), 0)
        functions.append(f.function)
    return Definitions({"SHARES": shares}, tuple(functions), aliases)


def reward_function(engine: CompiledEngine) -> Function:
    """`write_rewards(*state, action, row, at)`: the rewards of an action, or of an outcome, as
    `write_payoffs` writes the payoffs of an ending."""
    words, players = game_words(engine), range(len(engine.players))
    f = FunctionBuilder("write_rewards", *words, ACTION, ROW_, AT)

    def write(paid: Sequence[Operand]) -> None:
        for n, share in enumerate(paid):
            f.store(ROW_, AT + n, share)
        f.give(0)

    if engine.model.facts.has_rewards:
        if engine.generated.events:
            with f.when(words[engine.generated.words].ne(0)):
                write(f.results(share_titles(engine), "pays", *words, ACTION))
        for player in players:
            with f.when(turn_of(words).eq(player)):
                write(f.results(share_titles(engine), f"reward_{player}", *words, ACTION))
    write([1, *(0 for _ in players)])
    return f.function


def share_titles(engine: CompiledEngine) -> list[str]:
    """Names for a denominator and the numerators of all players."""
    return ["per", *(f"share_{player}" for player in range(len(engine.players)))]


def turn_of(words: tuple[Value, ...]) -> Value:
    """The player to move."""
    return call("turn_of", words, INT, can_fail=False)
