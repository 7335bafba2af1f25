"""Games of one player for Gymnasium: `import gamedsl.gymnasium` registers them.

>>> import gymnasium, gamedsl.gymnasium
>>> environment = gymnasium.make("gamedsl/frozen_lake-v0")
>>> own = gamedsl.gymnasium.PuzzleEnvironment("my.game")
"""

from gamedsl.bridges.puzzle_environments import PuzzleEnvironment, register_all

__all__ = ["PuzzleEnvironment"]

register_all()
