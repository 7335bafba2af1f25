"""gamedsl: rules of games as text, checked, played and solved.

>>> import gamedsl
>>> game = gamedsl.load("tic_tac_toe")
>>> state = game.initial_state()
>>> game.action_name(state, game.legal_actions(state)[0])
'mark(a1)'
"""

from gamedsl import registry
from gamedsl.version import __version__ as __version__

TYPE_CHECKING = False  # as `typing` has it, which takes long to import

if TYPE_CHECKING:
    from gamedsl.archive.equilibria import SavedEquilibrium as SavedEquilibrium
    from gamedsl.archive.saved import SavedSolution as SavedSolution
    from gamedsl.archive.saved import open_solution as open_solution
    from gamedsl.archive.saved import save_solution as save_solution
    from gamedsl.bridges.batches import batch as batch
    from gamedsl.bridges.spiel_contract import from_openspiel as from_openspiel
    from gamedsl.compiler.engine import CompiledEngine
    from gamedsl.game import Game as Game
    from gamedsl.game import LoadedGame as LoadedGame
    from gamedsl.game import load as load
    from gamedsl.game.accelerator import Accelerator
    from gamedsl.model import CHANCE as CHANCE
    from gamedsl.model import SIMULTANEOUS as SIMULTANEOUS
    from gamedsl.model import TERMINAL as TERMINAL
    from gamedsl.model import Facts as Facts
    from gamedsl.model import GameRuleError as GameRuleError
    from gamedsl.model import GameSourceError as GameSourceError
    from gamedsl.model import IllegalActionError as IllegalActionError
    from gamedsl.model import Player as Player
    from gamedsl.model import State as State
    from gamedsl.model import UnsupportedGameError as UnsupportedGameError
    from gamedsl.python.agents import best_agent as best_agent
    from gamedsl.python.agents import engine_agent as engine_agent
    from gamedsl.python.agents import person_agent as person_agent
    from gamedsl.python.agents import random_agent as random_agent
    from gamedsl.python.agents import search_agent as search_agent
    from gamedsl.python.analyses import analyse as analyse
    from gamedsl.python.analyses import puzzles as puzzles
    from gamedsl.python.answers import best as best
    from gamedsl.python.answers import estimate as estimate
    from gamedsl.python.answers import perft as perft
    from gamedsl.python.answers import playouts as playouts
    from gamedsl.python.answers import search as search
    from gamedsl.python.answers import solve as solve
    from gamedsl.python.answers import sum_value as sum_value
    from gamedsl.python.boards import board as board
    from gamedsl.python.checking import check as check
    from gamedsl.python.comparing import compare as compare
    from gamedsl.python.exercises import exercise as exercise
    from gamedsl.python.exercises import exercises as exercises
    from gamedsl.python.exercises import mark as mark
    from gamedsl.python.exports import efg as efg
    from gamedsl.python.exports import matrix as matrix
    from gamedsl.python.exports import nfg as nfg
    from gamedsl.python.matches import match as match
    from gamedsl.python.progress import progress_bar as progress_bar
    from gamedsl.python.records import read_pgn as read_pgn
    from gamedsl.python.records import write_pgn as write_pgn
    from gamedsl.python.tables import rows as rows
    from gamedsl.python.views import explain as explain
    from gamedsl.python.views import tree as tree
    from gamedsl.solvers.solution import Solution

_FLOORS = {
    "gamedsl.model": "CHANCE SIMULTANEOUS TERMINAL Facts GameRuleError "
    "GameSourceError IllegalActionError Player State UnsupportedGameError",
    "gamedsl.game": "Game LoadedGame load",
    "gamedsl.archive.equilibria": "SavedEquilibrium",
    "gamedsl.archive.saved": "SavedSolution open_solution save_solution",
    "gamedsl.bridges.batches": "batch",
    "gamedsl.bridges.spiel_contract": "from_openspiel",
    "gamedsl.python.agents": "best_agent engine_agent person_agent random_agent search_agent",
    "gamedsl.python.analyses": "analyse puzzles",
    "gamedsl.python.answers": "best estimate perft playouts search solve sum_value",
    "gamedsl.python.boards": "board",
    "gamedsl.python.checking": "check",
    "gamedsl.python.comparing": "compare",
    "gamedsl.python.exercises": "exercise exercises mark",
    "gamedsl.python.exports": "efg matrix nfg",
    "gamedsl.python.matches": "match",
    "gamedsl.python.progress": "progress_bar",
    "gamedsl.python.records": "read_pgn write_pgn",
    "gamedsl.python.tables": "rows",
    "gamedsl.python.views": "explain tree",
}
"""The public names by the modules that define the names."""
_PLACES = {name: floor for floor, names in _FLOORS.items() for name in names.split()}

__all__ = sorted(["__version__", *_PLACES])


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Names are imported when they are first asked for: what needs none starts at once."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(_PLACES[name]), name)
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
