"""gamedsl: rules of games as text, checked, played and solved.

>>> import gamedsl
>>> game = gamedsl.load("tic_tac_toe")
>>> state = game.initial_state()
>>> game.action_name(state, game.legal_actions(state)[0])
'mark(a1)'
"""

from gamedsl import registry
from gamedsl.version import __version__

TYPE_CHECKING = False  # as `typing` has it, which takes long to import

if TYPE_CHECKING:
    from gamedsl.archive.equilibria import SavedEquilibrium
    from gamedsl.archive.saved import SavedSolution, open_solution, save_solution
    from gamedsl.bridges.batches import batch
    from gamedsl.bridges.spiel_contract import from_openspiel
    from gamedsl.compiler.engine import CompiledEngine
    from gamedsl.game import Game, LoadedGame, load
    from gamedsl.game.accelerator import Accelerator
    from gamedsl.model import (
        CHANCE,
        SIMULTANEOUS,
        TERMINAL,
        Facts,
        GameRuleError,
        GameSourceError,
        IllegalActionError,
        Player,
        State,
        UnsupportedGameError,
    )
    from gamedsl.python.agents import (
        best_agent,
        engine_agent,
        person_agent,
        random_agent,
        search_agent,
    )
    from gamedsl.python.analyses import analyse, puzzles
    from gamedsl.python.answers import (
        best,
        estimate,
        perft,
        playouts,
        search,
        solve,
        sum_value,
    )
    from gamedsl.python.boards import board
    from gamedsl.python.checking import check
    from gamedsl.python.comparing import compare
    from gamedsl.python.exercises import exercise, exercises, mark
    from gamedsl.python.exports import efg, matrix, nfg
    from gamedsl.python.matches import match
    from gamedsl.python.progress import progress_bar
    from gamedsl.python.records import read_pgn, write_pgn
    from gamedsl.python.tables import rows
    from gamedsl.python.views import explain, tree
    from gamedsl.solvers.solution import Solution

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Facts",
    "Game",
    "GameRuleError",
    "GameSourceError",
    "IllegalActionError",
    "LoadedGame",
    "Player",
    "SavedEquilibrium",
    "SavedSolution",
    "State",
    "UnsupportedGameError",
    "__version__",
    "analyse",
    "batch",
    "best",
    "best_agent",
    "board",
    "check",
    "compare",
    "efg",
    "engine_agent",
    "estimate",
    "exercise",
    "exercises",
    "explain",
    "from_openspiel",
    "load",
    "mark",
    "match",
    "matrix",
    "nfg",
    "open_solution",
    "perft",
    "person_agent",
    "playouts",
    "progress_bar",
    "puzzles",
    "random_agent",
    "read_pgn",
    "rows",
    "save_solution",
    "search",
    "search_agent",
    "solve",
    "sum_value",
    "tree",
    "write_pgn",
]

_FLOORS = {
    "gamedsl.game": ("Game", "LoadedGame", "load"),
    "gamedsl.archive.equilibria": ("SavedEquilibrium",),
    "gamedsl.archive.saved": ("SavedSolution", "open_solution", "save_solution"),
    "gamedsl.bridges.batches": ("batch",),
    "gamedsl.bridges.spiel_contract": ("from_openspiel",),
    "gamedsl.python.agents": (
        "best_agent",
        "engine_agent",
        "person_agent",
        "random_agent",
        "search_agent",
    ),
    "gamedsl.python.analyses": ("analyse", "puzzles"),
    "gamedsl.python.answers": (
        "best",
        "estimate",
        "perft",
        "playouts",
        "search",
        "solve",
        "sum_value",
    ),
    "gamedsl.python.boards": ("board",),
    "gamedsl.python.checking": ("check",),
    "gamedsl.python.comparing": ("compare",),
    "gamedsl.python.exercises": ("exercise", "exercises", "mark"),
    "gamedsl.python.exports": ("efg", "matrix", "nfg"),
    "gamedsl.python.matches": ("match",),
    "gamedsl.python.progress": ("progress_bar",),
    "gamedsl.python.records": ("read_pgn", "write_pgn"),
    "gamedsl.python.tables": ("rows",),
    "gamedsl.python.views": ("explain", "tree"),
}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Names are imported when they are first asked for: what needs none starts at once."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        floor = next((floor for floor, names in _FLOORS.items() if name in names), "gamedsl.model")
        value = globals()[name] = getattr(import_module(floor), name)
        return value


def load_ipython_extension(shell: object) -> None:
    """`%load_ext gamedsl`: the cell `%%game`."""
    from gamedsl.python.cells import register_cells

    register_cells(shell)  # type: ignore[arg-type]  # a shell of IPython


def _accelerator(engine: "CompiledEngine") -> "Accelerator":
    from gamedsl.solvers.kernels.accelerator import KernelAccelerator

    return KernelAccelerator(engine)


def _draw(function: str, *arguments: object) -> str:
    from gamedsl.reports import notebook

    picture: str = getattr(notebook, function)(*arguments)
    return picture


def _say(sentence: str, solution: "Solution") -> object:
    from gamedsl.reports.solutions import sentences

    return getattr(sentences, sentence)(solution)


registry.accelerator = _accelerator
registry.draw = _draw
registry.say = _say


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
