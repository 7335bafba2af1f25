"""A game solved by a kernel and by Python, compared in every state that can be reached."""

from __future__ import annotations

import random
from pathlib import Path

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import SearchLimits
from gamedsl.model import GameRuleError, UnsupportedGameError
from gamedsl.solvers.exact.constant_sum import neutral_payoff
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.graphs.graph import OutOfBudgetError, Vector
from gamedsl.solvers.kernels.induction import KernelInduction, ReturningPlayError
from gamedsl.solvers.kernels.retrograde.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.transposition_table import refusal
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution, Status, move_values
from gamedsl.solvers.solved_table import SolvedTable


def random_race(seed: int, *, returns: bool = False, alone: bool = False) -> str:
    """A race over squares to one of several ends with payoffs of all sorts; some moves give
    another. `returns`: the last square is followed by the first. `alone`: of one player."""
    draw = random.Random(seed)
    last = draw.randint(8, 40)
    lines = [f'game "Race {seed}"', "players A, B", "", "state:", f"    at: 0..{last} = 0", ""]
    for name in range(draw.randint(1, 3)):
        steps = ", ".join(map(str, sorted(draw.sample(range(1, 6), draw.randint(1, 3)))))
        lines.append(f"move go{name}(n in {{{steps}}}):")
        if returns:
            lines.append(f"    at = (at * {draw.randint(1, 2)} + n) % {last + 1}")
        else:
            lines += [f"    require at + n <= {last}", "    at += n"]
        lines += draw.choice(([], [f"    if at % {draw.randint(2, 5)} == 0: again"]))
        lines.append("")
    lines.append("end:")
    for square in sorted(draw.sample(range(1, last), draw.randint(1, last // 2))):
        payoff = f"{draw.randint(-3, 3)} / {draw.randint(1, 3)}"
        lines.append(f"    if at == {square}: payoff p: ({payoff} if p == A else -({payoff}))")
    lines.append(f"    if stuck: {draw.choice(['turn loses', 'turn wins', 'draw'])}")
    endless = draw.choice(["A wins", "B wins", "draw"])
    lines += [f"endless: {endless}"] if returns or draw.random() < 0.7 else []
    text = "\n".join(lines) + "\n"
    return text.replace("A, B", "A").replace("B wins", "A loses") if alone else text


def random_duel(seed: int) -> str:
    """Two numbers that go round, the same for both players; some moves give another."""
    draw = random.Random(seed)
    last = draw.randint(3, 6)
    lines = [f'game "Duel {seed}"', "players A, B", "", "state:"]
    lines += [f"    at[players]: 0..{last} = 0", ""]
    for name in range(draw.randint(1, 2)):
        steps = ", ".join(map(str, sorted(draw.sample(range(1, 4), 2))))
        who = draw.choice(("turn", "turn", "opponent"))
        lines.append(f"move go{name}(n in {{{steps}}}):")
        lines.append(f"    at[{who}] = (at[{who}] + n) % {last + 1}")
        lines += draw.choice(([], [f"    if at[turn] == {draw.randint(0, last)}: again"]))
        lines.append("")
    lines.append("end:")
    for _ in range(draw.randint(1, 3)):
        own, other = draw.randint(1, last), draw.randint(0, last)
        payoff = f"{draw.randint(-3, 3)} / {draw.randint(1, 3)}"
        lines.append(f"    if at[turn] == {own} and at[opponent] == {other}:")
        lines.append(f"        payoff p: ({payoff} if p == turn else -({payoff}))")
    return "\n".join([*lines, "endless: draw"]) + "\n"


def difference(
    game: LoadedGame, most: int, *, native: bool = False, folder: Path | None = None
) -> str | None:
    """What kernels say otherwise than Python; None where nothing, or why it cannot be told."""
    assert isinstance(game.engine, CompiledEngine)
    if (reason := refusal(game.engine, any_values=True)) is not None:
        return f"not compared: {reason}"
    wanted = by_python(game, most)
    if isinstance(wanted, Solution) and wanted.status is Status.OPEN:
        return "not compared: too many positions"
    if game.is_terminal(root := game.initial_state()):
        return "not compared: over at once"
    limits = SearchLimits(positions=most, bytes=1 << 30)
    options = {"native": native, "folder": folder}
    solver = SolverName.NATIVE_INDUCTION
    try:
        try:
            settled = KernelInduction(game.engine, **options).solve(root, limits)
        except ReturningPlayError:
            solver = SolverName.NATIVE_RETROGRADE
            settled = KernelRetrograde(game.engine, **options).solve(root, limits)
    except UnsupportedGameError as error:
        return refused(wanted, error)
    except OutOfBudgetError as error:
        return f"the kernel needs {error}"
    except GameRuleError as error:
        return None if wanted == error.code else f"{wanted}, the kernel raises {error.code}"
    if not isinstance(wanted, Solution):
        return f"{wanted}, the kernel solves it"
    assert isinstance(wanted.solved, SolvedGraph)
    is_by_team = wanted.solver is SolverName.TEAM and not settled.counts_plies
    if not (is_by_team or solver.startswith(str(wanted.solver))):
        return f"Python uses {wanted.solver}"
    table = SolvedTable(game, root, settled, solver)
    if (len(table), settled.endings) != (wanted.positions, wanted.terminals):
        return f"{wanted.positions} ({wanted.terminals}) positions, not {len(table)}"
    if list(table.states) != list(wanted.solved.states):
        return "other states, or in another order"
    return next((str(state) for state in table.states if not agree(state, wanted, table)), None)


def by_python(game: LoadedGame, most: int) -> Solution | str:
    """The solution of all rules; the code of the error, or why it is refused."""
    try:
        return solve(game, options=SolveOptions(max_positions=most, uses_slice=False))
    except GameRuleError as error:
        return error.code
    except UnsupportedGameError as error:
        return error.reason


def refused(wanted: Solution | str, error: UnsupportedGameError) -> str:
    """Whether a refusal is right: interests are not opposed, or play is endless and not worth
    anything; then Python refuses too, or says that ties matter."""
    is_opposed = isinstance(wanted, Solution) and par_of_all(wanted) is not None
    return f"refused: {error.reason}" if is_opposed else f"not compared: {error.reason}"


def par_of_all(wanted: Solution) -> Vector | None:
    """What is neither ahead nor behind in a solved graph."""
    assert isinstance(wanted.solved, SolvedGraph)
    graph = wanted.solved.graph
    return neutral_payoff(graph.outcomes(), graph.game.facts.endless, graph.game.facts.sides)


def agree(state: object, wanted: Solution, table: SolvedTable) -> bool:
    """Whether values, plies, choices and best moves of a state are the same."""
    solved = wanted.solved
    assert solved is not None
    return (
        state in table
        and table.value(state) == solved.value(state)
        and table.remoteness(state) == solved.remoteness(state)
        and table.choice(state) == solved.choice(state)
        and move_values(table, state) == move_values(solved, state)
    )


def random_interests(seed: int) -> str:
    """A race of one to four players with payoffs of any sort; some pay on the way, or discount."""
    draw = random.Random(seed)
    players = ["A", "B", "C", "D"][: draw.randint(1, 4)]
    last = draw.randint(8, 30)
    lines = [f'game "Interests {seed}"', f"players {', '.join(players)}"]
    lines += draw.choice(([], [], [f"discount = {draw.randint(1, 9)}/10"]))
    lines += ["", "state:", f"    at: 0..{last} = 0", ""]
    pays = draw.random() < 0.5
    for name in range(draw.randint(1, 3)):
        steps = ", ".join(map(str, sorted(draw.sample(range(1, 6), draw.randint(1, 3)))))
        lines += [f"move go{name}(n in {{{steps}}}):", f"    require at + n <= {last}"]
        lines += ["    at += n"]
        if pays:
            who = draw.choice(("turn", draw.choice(players)))
            amount = draw.choice(("n", "-n", "at"))
            lines.append(f"    reward {who}: {amount} / {draw.randint(1, 4)}")
        lines += draw.choice(([], [f"    if at % {draw.randint(2, 5)} == 0: again"]))
        lines.append("")
    lines.append("end:")
    for square in sorted(draw.sample(range(1, last), draw.randint(1, last // 2))):
        shares = [f"{draw.randint(-2, 2)} if p == {player}" for player in players]
        lines.append(f"    if at == {square}: payoff p: ({' else '.join(shares)} else 0)")
    lines.append("    if stuck: payoff p: (1 if p == turn else 0)")
    return "\n".join(lines) + "\n"
