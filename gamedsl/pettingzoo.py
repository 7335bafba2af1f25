"""Games of the language as environments of PettingZoo.

>>> from gamedsl.pettingzoo import env, parallel_env
>>> environment = env("connect_four")
"""

from gamedsl.bridges.turn_environments import env, parallel_env

__all__ = ["env", "parallel_env"]
