"""The names that every generated module offers, for those who write kernels against them.

A state is its words, one argument each; where the game has chance they are followed by the
number of the event at which it stands (0: a player decides) and the locals of the body. A kernel
imports these names for the type checker alone: its text is put behind the module that has them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

State = tuple[int, ...]
Array = Any
"""A writable array of 64-bit integers, flat (in Python: a list). Where it stands for a table its
shape is said as `int64[rows, columns]`: row r, column c is number r * columns + c."""

end: Callable[..., tuple[int, ...]]
"""A denominator (0: not over) and one numerator a player."""
end_after: Callable[..., tuple[int, ...]]
"""As `end`, for a state that an action has led to from one that was not over."""
payoffs_after: Callable[..., tuple[int, int, int]]
"""As `end_after`, of a game of one player or two; a single player has a second who gets 0 (for
kernels that solve alone)."""
legal: Callable[..., int]
"""Writes the ids of the legal actions, ascending, into an array from a place on (the last two
arguments); the place behind them."""
legal_count: Callable[..., int]
"""How many legal actions there are."""
candidates: Callable[..., int]
"""As `legal`, but some of them may not be legal: ask `allowed`."""
allowed: Callable[..., bool]
"""Whether a candidate, the last argument, is legal."""
apply: Callable[..., State]
"""The state after the action that is the last argument."""
walk: Callable[..., int]
"""Plays from a state that is not over; the last arguments are their plies, at least 1 (2 if the
last is only counted), whether it is, and an array for actions with its first free place. Asks
`goes_on` and `leaves`."""
pick: Callable[..., tuple[State, int]]
"""The state after a legal action, each as likely; the last arguments are a stream of random
numbers, a position in it and an array for actions. With the position behind those used."""
draws: Callable[..., int]
"""At a chance event: writes the weight of each outcome into its last argument; their sum."""
draw: Callable[..., State]
"""At a chance event: the state after the outcome that is the last argument."""
prefetch: Callable[[Array, int], int]
"""0; asks for the memory of a number of an array, without waiting for it."""
exchange: Callable[[Array, int, int, int], int]
"""What stands in an array at a place; if that is the third argument the last is put there, as one
step for all threads."""
mixed: Callable[[int, int], int]
"""31 random bits that depend on both arguments: a stream and a position in it."""
turn_of: Callable[..., int]
"""Who is to move."""
count_bits: Callable[[int], int]
"""How many bits of a number are 1."""
highest: Callable[[int], int]
"""The place of the highest bit of a number above 0."""
lowest: Callable[[int], int]
"""The place of the lowest bit of a number that is not 0."""
numbers: Callable[[int], Array]
"""So many zeros, a number known when the game is compiled; gone when the function returns."""
fault: Callable[[int, int, int], int]
"""Raises `Fault` with a guard's number, what it found, and a cell."""
PLAYERS: int
"""How many players there are."""
ACTIONS: int
"""How many actions the game has."""
ROW_SIZE: int
"""Array that the legal actions of one ply may need, those of all players where they choose at
once, and one more for each list."""
IS_JOINT: bool
"""Whether players may choose at once."""
EVENT_AT: int
"""Where in a state the number of the chance event stands; -1 in a game without chance."""
LARGEST_EVENT: int
"""How many outcomes a chance event has at most."""
NO_MOVES: int
"""The guard that says that the player to move cannot and the game is not over."""
IS_BULK: bool
"""Whether perft counts the last ply without carrying it out (for `perft_kernel` alone)."""
CAN_WALK: bool
"""Whether `walk` counts plays of this game."""

# Repetition: what a game without rules has none of, kernels leave out.

RULES: int
"""How many repetition rules there are."""
RULE_TIMES: Array
"""int64[RULES]: the occurrence that each rule speaks of."""
RULE_ILLEGAL: Array
"""int64[RULES]: 1 if that occurrence is illegal, 0 if it ends the game."""
IS_MARKED: bool
"""Whether an entry of the past says for which rules it counts; else it counts for all."""
ENTRY: int
"""Array in an entry of the past."""
GROUPS: int
"""How many groups of moves there are, if repetitions may be illegal; else 0."""
store_state: Callable[..., int]
"""Writes the words of a state into an array, from a place on (the last two arguments)."""
same_position: Callable[..., bool]
"""Whether a rule sees the same in a state and in the entry at a place of an array."""
unchanged: Callable[..., bool]
"""Whether a step to a state from another changes nothing of the variable that a rule watches."""
terminal_payoffs: Callable[..., tuple[int, ...]]
"""As `end`; the last two arguments are the past and its length."""
terminal_payoffs_after: Callable[..., tuple[int, ...]]
"""As `end_after`, with the past; in games with chance the same as `terminal_payoffs`."""
repetition_payoffs: Callable[..., tuple[int, ...]]
"""As `end`, for a state in which a rule, the first argument, ends the game."""
legal_in_group: Callable[..., int]
"""As `legal`, for one group of moves, the first argument; repetitions are not looked at."""

# Choices made at once.

legal_choices: Callable[..., int]
"""Where players choose at once, 1: their choices are written one behind the other from a place on,
and their numbers. Where one moves, 0, and so for the moves and their number."""
apply_choice: Callable[..., State]
"""The choice (last argument) of a player (first) in a state, put together with those of others."""

# What follows is there for the kernels of solving alone (`table_layout`).

WIDTH: int
"""Array in the key of a state, and in the entry of a table; the last has room for a code."""
SHIFT: int
"""The first bit of the code in the last number of an entry."""
KEY_BITS: int
"""Bits of the key in that number; between key and code are marks (for `retrograde_kernel`)."""
CLASS_BITS: int
"""How many bits of a code are the number of a payoff; above them are plies."""
MOST_CODE: int
"""The largest code."""
pack_key: Callable[..., int]
"""Writes the key of a state into an array, from a place on (the last two arguments)."""
unpack_key: Callable[[Array, int], State]
"""The state whose key lies in an array from a place on."""
hash_key: Callable[[Array, int], int]
"""31 bits that depend on the key that lies in an array from a place on."""
is_state: Callable[..., int]
"""1 if words are those of a state of the rules, else 0 (for `entries_kernel` alone)."""
IMAGE: int
"""Where in the record of a state the key of its least image begins (for it alone)."""
RECORD: int
"""Numbers in the record of a state (for it alone)."""
SYMMETRIC: bool
"""Whether there are images of states (for `alpha_beta_kernel` alone)."""
SWAPS: bool
"""Whether players are swapped, so that it is the first one's turn in every entry (for
`retrograde_kernel` alone, as what follows)."""
MIRRORED: int
"""The marks of images in which they are (see `symmetry.orbits`)."""
marks_after: Callable[..., int]
"""The marks of a state's entry, given those that it would have (the last argument)."""
all_marks: Callable[..., int]
"""The marks of an entry (the last argument), and others that say the same."""
images_of: Callable[..., int]
"""How many states some of these marks (the last argument) stand for."""
least_image: Callable[..., State]
"""The least of the images of a state under symmetries (for `alpha_beta_kernel`, too)."""
SLOTS: int
"""Entries of a bucket (for `bounds_kernel` alone)."""
FORESEES: bool
"""Whether `wins_at_once` ever says yes (for `alpha_beta_kernel` and `playout_kernel`)."""
wins_at_once: Callable[..., bool]
"""Whether the player to move surely has an action that wins at once (for these)."""
payoffs_of_win: Callable[..., tuple[int, ...]]
"""As `end`, if the player to move wins, where there are two (for `playout_kernel` alone)."""
threats: Callable[..., int]
"""How many squares would win at once for the player who is not to move (for `alpha_beta_kernel`
alone)."""
HAS_PROSPECTS: bool
"""Whether `prospects` ever says that somebody cannot win (for `alpha_beta_kernel` alone)."""
prospects: Callable[..., int]
"""Who may still win: 1 for the first player, and 2 for the second (for the same alone)."""
REST: int
"""What who cannot win gets at best: 0 if there is a draw, else -1 (for the same alone)."""
STRIDE: int
"""Numbers from one bucket to the next (for `bounds_kernel` alone)."""

# What follows is there for the kernel of games by turns alone (`chance.turns.turn_text`).

SLOW_WIDTH: int
"""Words of a state that hold slow variables."""
STATE_WIDTH: int
"""Words of a state, those of a chance event among them."""
ENDS_BY_SLOW: bool
"""Whether slow variables alone say that play is over."""
joined_state: Callable[[Array, int, Array, int], State]
"""The state with the slow variables that lie in an array from a place on, and all else that lies
in another one."""
write_slow: Callable[..., int]
"""Writes the slow variables of a state into an array, from a place on (the last two arguments)."""
write_quick: Callable[..., int]
"""Writes all of a state but its slow variables, from a place on."""
same_quick: Callable[..., bool]
"""Whether a state, but for slow variables, lies in an array from a place on."""
hash_slow: Callable[[Array, int], int]
"""31 bits that depend on the slow variables that lie in an array from a place on."""
paid_first: Callable[..., tuple[int, int]]
"""What an action, the last argument, pays the first player: a denominator and a numerator; a
denominator of 0 where a second player does not pay that."""
end_first: Callable[..., tuple[int, int]]
"""What an end pays the first player: a denominator (0: not over; -1: a second player does not pay
that) and a numerator."""

# What follows is there for the kernels of puzzles alone (`puzzles.patterns.cell_text`).

CELLS: int
"""How many cells the variable has whose values moves only carry about."""
cell_digits: Callable[..., int]
"""Writes what these cells hold in a state into an array (the last argument)."""
weigh: Callable[..., int]
"""For each of these cells, adds its number times the weight of what it holds to the entry of the
array of the last argument that is for the group of what it holds (groups, weights, array)."""
