"""Games and solutions as data of NetworkX, pandas, Polars, Arrow, NashPy and python-chess.

Each function imports its tool when called; without the tool, an error names the extra to install.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from gamedsl.bridges.extras import needed
from gamedsl.bridges.protocols.uci import variant_name
from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.game import LoadedGame
from gamedsl.game.notations.chess import ChessNotation
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import Player, State
from gamedsl.solvers.equilibria.extensive_form import extensive_form
from gamedsl.solvers.graphs.graph import explore
from gamedsl.solvers.normal_form.reduced import reduced_form
from gamedsl.solvers.solution import Solution

EXTRA = "tables"
MOST_STATES = 10_000
MOST_NODES = 100_000
MODULES = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow"}
"""Tools for tables with their modules."""


def to_networkx(
    game: Game,
    root: State | None = None,
    *,
    solution: Solution | None = None,
    max_states: int = MOST_STATES,
) -> Any:
    """The states from a position on (default: S0) as a `networkx.MultiDiGraph`.

    Nodes are states, in order of distance, with `to_move` (a name, `chance`, `simultaneous` or
    `terminal`), `payoffs` (None before the end), and `value` where the solution knows the state. An
    edge stands for an action: `action` is the name, `chance` the probability of an outcome, else
    None, `rewards` the payments on the way, if any. Numbers are exact.

    Raises:
        MissingExtraError: NetworkX is not installed.
        OutOfBudgetError: there are more than `max_states` states.
    """
    (networkx,) = needed(EXTRA, "networkx")
    explored = explore(game, root, max_positions=max_states)
    drawn = networkx.MultiDiGraph(name=game.name)
    for number, state in enumerate(explored.states):
        mover: Player = game.current_player(state)
        drawn.add_node(state, to_move=mover.name, payoffs=explored.payoffs.get(number))
        if solution is not None and state in solution:
            drawn.nodes[state]["value"] = solution.value_at(state)
    for number, state in enumerate(explored.states):
        chances = explored.chances.get(number)
        rewards = explored.rewards[number] if explored.rewards else None
        actions: Iterable[Action | JointAction] = explored.actions[number]
        for place, action in enumerate(actions):
            drawn.add_edge(
                state,
                explored.states[explored.successors[number][place]],
                action=game.action_name(state, action),
                chance=None if chances is None else chances[place],
                rewards=None if rewards is None else rewards[place],
            )
    return drawn


def to_frame(rows: Iterable[Mapping[str, object]], tool: str = "pandas") -> Any:
    """Rows, as of `gamedsl.rows(solution)`, as a table: of `"pandas"`, `"polars"` or `"arrow"`.

    States become texts, the digits of their cells; fractions become decimals.

    Raises:
        MissingExtraError: the tool is not installed.
        ValueError: the tool is unknown.
    """
    if tool not in MODULES:
        raise ValueError(f"tables are made by {', '.join(MODULES)}, not by {tool!r}")
    (module,) = needed(EXTRA, MODULES[tool])
    columns: dict[str, list[object]] = {}
    for row in rows:
        for name, value in row.items():
            columns.setdefault(name, []).append(_plain(value))
    return module.table(columns) if tool == "arrow" else module.DataFrame(columns)


def _plain(value: object) -> object:
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, State):
        return " ".join("-" if digit is None else str(digit) for digit in value.cells)
    return value if value is None or isinstance(value, str | int | float) else str(value)


def to_nashpy(game: Game, *, max_nodes: int = MOST_NODES) -> Any:
    """The reduced normal form of a game of two players as a `nashpy.Game`, in decimals; rows are
    the strategies of the first player, in the order of `gamedsl.matrix`.

    Raises:
        MissingExtraError: NashPy is not installed.
        OutOfHistoriesError: the game tree has more than `max_nodes`.
        UnsupportedGameError: another number of players, too many plans, or imperfect recall.
    """
    nashpy, numpy = needed(EXTRA, "nashpy", "numpy")
    if len(game.players) != 2:
        raise UnsupportedGameError(f"NashPy has games of two players, not of {len(game.players)}")
    form = reduced_form(extensive_form(game, max_histories=max_nodes)).normal
    payoffs = numpy.array([[float(x) for x in form.payoffs[p]] for p in form.profiles()])
    return nashpy.Game(*payoffs.T.reshape(2, *form.sizes))


def to_chess(game: LoadedGame, state: State | None = None) -> Any:
    """A state (default: S0) as a `chess.Board`, of the variant with the title of the game if
    python-chess has the variant.

    Raises:
        MissingExtraError: python-chess is not installed.
        UnsupportedGameError: the game has no men of chess.
    """
    chess, variants = needed("chess", "chess", "chess.variant")
    fen = _notation(game).position(game.initial_state() if state is None else state)
    try:
        kind = variants.find_variant(variant_name(game.name))
    except ValueError:
        kind = chess.Board
    return kind(fen)


def from_chess(game: LoadedGame, board: Any) -> State:
    """The state of a `chess.Board`, its moves played by the rules of the game: the memory of
    repeated positions is that of the moves.

    Raises:
        UnsupportedGameError: the game has no men of chess.
        ValueError: the board is no position, or its moves are no play, of the game.
    """
    notation, first = _notation(game), board.root()
    is_start = notation.position(game.initial_state()).split()[:3] == first.fen().split()[:3]
    state = game.initial_state() if is_start else notation.state(first.fen())
    for number, move in enumerate(board.move_stack, 1):
        meant = notation.read(state, move.uci())
        if len(meant) != 1:
            raise ValueError(f"move {number}, {move.uci()}, is not legal in {game.name}")
        state = game.result(state, meant[0])
    return state


def _notation(game: LoadedGame) -> ChessNotation:
    if game.notation is None:
        raise UnsupportedGameError(f"{game.name} has no men of chess")
    return game.notation
