"""Floor 7: the door for Python: one function for each thing that the commands do.

Each is given a game first, loaded or as `load` takes it, and where it is about a position, that:
a state, or the moves that lead to it. What comes back is data; `print` and notebooks show it.
`gamedsl` offers these names itself, imported when they are first asked for.
"""

from gamedsl.python.agents import best_agent, person_agent, random_agent, search_agent
from gamedsl.python.answers import best, estimate, perft, playouts, search, solve, sum_value
from gamedsl.python.checking import check
from gamedsl.python.exercises import exercise, exercises, mark
from gamedsl.python.exports import efg, matrix, nfg
from gamedsl.python.tables import rows
from gamedsl.python.views import explain, tree

__all__ = [
    "best",
    "best_agent",
    "check",
    "efg",
    "estimate",
    "exercise",
    "exercises",
    "explain",
    "mark",
    "matrix",
    "nfg",
    "perft",
    "person_agent",
    "playouts",
    "random_agent",
    "rows",
    "search",
    "search_agent",
    "solve",
    "sum_value",
    "tree",
]
