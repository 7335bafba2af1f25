"""The names that every generated module offers, for those who write kernels against them.

A state is its words, one argument each; where the game has chance they are followed by the
number of the event at which it stands (0: a player decides) and the locals of the body. A kernel
imports these names for the type checker alone: its text is put behind the module that has them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

State = tuple[int, ...]
Numbers = Any
"""A writable array of 64-bit integers (in Python: a list)."""

end: Callable[..., tuple[int, ...]]
"""A denominator (0: not over) and one numerator a player."""
legal: Callable[..., int]
"""Writes the ids of the legal actions, ascending, into an array from a place on (the last two
arguments); the place behind them."""
legal_count: Callable[..., int]
"""How many legal actions there are."""
apply: Callable[..., State]
"""The state after the action that is the last argument."""
draws: Callable[..., int]
"""At a chance event: writes the weight of each outcome into its last argument; their sum."""
draw: Callable[..., State]
"""At a chance event: the state after the outcome that is the last argument."""
mixed: Callable[[int, int], int]
"""31 random bits that depend on both arguments: a stream and a position in it."""
turn_of: Callable[..., int]
"""Who is to move."""
numbers: Callable[[int], Numbers]
"""So many zeros."""
fault: Callable[[int, int, int], int]
"""Raises `Fault` with a guard's number, what it found, and a cell."""
repeated: Callable[..., tuple[int, ...]]
"""As `end`, for a state that has occurred too often."""
PLAYERS: int
"""How many players there are."""
EVENT_AT: int
"""Where in a state the number of the chance event stands; -1 in a game without chance."""
LARGEST_EVENT: int
"""How many outcomes a chance event has at most."""
REPEAT_TIMES: int
"""The occurrence of a state that ends the game by the rule `repeat state`; 0 without one."""
NO_MOVES: int
"""The guard that says that the player to move cannot and the game is not over."""
