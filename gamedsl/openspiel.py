"""Games of the language for OpenSpiel: `import gamedsl.openspiel` registers them.

>>> import pyspiel, gamedsl.openspiel
>>> game = pyspiel.load_game("gamedsl(file=breakthrough,width=6)")

`register` gives a game a name of its own, `load` returns the `pyspiel.Game` at once, `policy` the
strategies of a solution.
"""

from gamedsl.bridges.policies import policy
from gamedsl.bridges.spiel_games import load, register, register_all

__all__ = ["load", "policy", "register"]

register_all()
