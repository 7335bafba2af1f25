"""The names offered by every generated module, for writers of kernels.

A state is passed as its words, one argument per word; in games with chance, the number of the
pending chance event (0: a player decides) and the local variables of the event's body follow. A
kernel imports these names for the type checker only: its text is appended to the generated module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

State = tuple[int, ...]
Array = Any
"""A writable array of 64-bit integers, flat (in Python: a list). An array that represents a table
has a shape, `int64[rows, columns]`: row r, column c is number r * columns + c."""

end: Callable[..., tuple[int, ...]]
"""A denominator (0: not over) and one numerator per player."""
end_after: Callable[..., tuple[int, ...]]
"""Like `end`, for a state reached by an action from a state that was not terminal."""
payoffs_after: Callable[..., tuple[int, int, int]]
"""Like `end_after`, for a game of one player or two players; a single player gets a dummy opponent
with payoff 0 (for solving kernels only)."""
write_payoffs: Callable[..., int]
"""Writes the payoffs of an ending, like `end_after`, into an array from a place on (the last two
arguments); returns the denominator (for solving kernels only)."""
write_rewards: Callable[..., int]
"""Writes the rewards for an action or an outcome, like `write_payoffs` (for `induction_kernel`,
`playout_kernel` and the kernels of `chance` only)."""
SHARES: int
"""Numbers in a row of payoffs (for solving kernels only)."""
KEY_ROW: int
"""Numbers of a waiting key and its label (for `induction_kernel` only)."""
IS_NARROW: bool
"""Whether two edges share a number (like the next three names, for the kernels of `chance`)."""
LASTING: int
WHOLE: int
"""The discount: its numerator and its denominator."""
ERROR_BITS: int
VALUE_BITS: int
"""Bits of the error of a value, and of its absolute value (for `stage_kernel` only)."""
IS_GENERAL: bool
"""Whether values are numbers of payoffs, as interests are not opposed (for `stage_kernel` only)."""
PASSES: bool
"""Whether forced moves behind choices at once are passed over (for `stage_kernel` only)."""
OPENING: Array
"""int64[EVENTS + 1]: whether a chance event belongs to `setup`."""
PAYS: bool
"""Whether rewards or a discount change values (for `induction_kernel`, `playout_kernel` and
`uct_kernel` only)."""
IS_RANKED: bool
"""Whether players choose by ranks of values (for `induction_kernel` only)."""
legal: Callable[..., int]
"""Writes the ids of the legal actions, ascending, into an array from a place on (the last two
arguments); returns the place behind them."""
legal_count: Callable[..., int]
"""Number of legal actions."""
candidates: Callable[..., int]
"""Like `legal`, but some candidates may be illegal: ask `allowed`."""
allowed: Callable[..., bool]
"""Whether a candidate, the last argument, is legal."""
apply: Callable[..., State]
"""The state after the action in the last argument."""
walk: Callable[..., int]
"""Number of plays from a state that is not terminal. The last arguments are the number of plies, at
least 1 (2 if the last ply is only counted), whether the last ply is only counted, and an array for
actions with its first free place. Calls `goes_on` and `leaves`."""
pick: Callable[..., tuple[State, int]]
"""The state after a uniformly random legal action; the last arguments are a stream of random
numbers, a position in the stream and an array for actions. Returns the next position as well."""
draws: Callable[..., int]
"""At a chance event: writes the weight of each outcome into its last argument; returns their
sum."""
draw: Callable[..., State]
"""At a chance event: the state after the outcome in the last argument."""
prefetch: Callable[[Array, int], int]
"""Prefetches the memory of an element of an array; returns 0."""
exchange: Callable[[Array, int, int, int], int]
"""Atomic compare and exchange: returns the element of an array at a place, and replaces it by the
last argument if it equals the third."""
mixed: Callable[[int, int], int]
"""31 random bits that depend on both arguments: a stream and a position in the stream."""
turn_of: Callable[..., int]
"""The player to move."""
side_of: Callable[..., int]
"""The side of the player to move (`Facts.sides`): the player's number, except for partners."""
mover_of: Callable[..., int]
"""`side_of` if values have ranks, else `turn_of`."""
count_bits: Callable[[int], int]
"""Number of bits set in a number."""
nth_bit: Callable[[int, int], int]
"""The place of the bit of a number with so many bits set below it (the last argument)."""
highest: Callable[[int], int]
"""The place of the highest bit of a positive number."""
lowest: Callable[[int], int]
"""The place of the lowest bit of a number other than 0."""
numbers: Callable[[int], Array]
"""An array of zeros of a size known when the game is compiled; valid until the function returns."""
tail: Callable[[Array, int], Array]
"""The array without its first numbers, in the same memory."""
fault: Callable[[int, int, int], int]
"""Raises `Fault` with a guard's number, the guard's value, and a cell."""
PLAYERS: int
"""Number of players."""
ACTIONS: int
"""Number of actions of the game."""
ROW_SIZE: int
"""Maximal count of numbers for the legal actions of one ply, for simultaneous choices of all
players, plus one number per list."""
IS_JOINT: bool
"""Whether players may choose simultaneously."""
EVENT_AT: int
"""Index of the chance event's number in a state; -1 in a game without chance."""
LARGEST_EVENT: int
"""Maximal number of outcomes of a chance event."""
HAS_PICK: bool
"""Whether the game has `pick`."""
HAS_CANDIDATES: bool
"""Whether the game has `candidates` and `allowed`."""
STUCK_BY_HISTORY: bool
"""Whether `end` and `end_after` take the past and its length as further arguments."""
NO_MOVES: int
"""The guard for a player to move without legal action in a state that is not terminal."""
IS_BULK: bool
"""Whether perft counts the last ply without applying it (for `perft_kernel` only)."""
CAN_WALK: bool
"""Whether `walk` counts plays of this game."""

# Repetition: kernels leave these names out for games without repetition rules.

RULES: int
"""Number of repetition rules."""
RULE_TIMES: Array
"""int64[RULES]: the number of occurrences at which each rule applies."""
RULE_ILLEGAL: Array
"""int64[RULES]: 1 if the occurrence is illegal, 0 if the occurrence ends the game."""
IS_MARKED: bool
"""Whether an entry of the past holds the rules for which it counts; else it counts for all
rules."""
PRINTS: int
"""The place of the fingerprints in an entry of the past, a number a rule, behind the state."""
ENTRY: int
"""Numbers in an entry of the past."""
GROUPS: int
"""Number of groups of moves, if repetitions may be illegal; else 0."""
fingerprint: Callable[..., int]
"""A number for a rule and a state, equal for states that are equal in the part compared by the
rule."""
store_state: Callable[..., int]
"""Writes the words of a state and its fingerprints into an array, from a place on (the last two
arguments)."""
same_position: Callable[..., bool]
"""Whether a state and the entry at a place of an array are equal in the part compared by a rule."""
unchanged: Callable[..., bool]
"""Whether a rule exempts unchanged steps, and a state and the entry at a place of an array are
equal in the part compared by the rule."""
repetition_payoffs: Callable[..., tuple[int, ...]]
"""Like `end`, for a state in which a rule, the first argument, ends the game."""
legal_in_group: Callable[..., int]
"""Like `legal`, for one group of moves, the first argument; without repetition rules."""

# Simultaneous choices.

legal_choices: Callable[..., int]
"""For simultaneous choices: returns 1 and writes each player's choices consecutively from a place
on, and their numbers. For a single mover: returns 0 and writes the moves and their number."""
apply_choice: Callable[..., State]
"""The choice (last argument) of a player (first argument) in a state, combined with the choices of
further players."""

# The following names are for the kernels of solving only (`table_layout`).

WIDTH: int
"""Numbers in the key of a state, and in the entry of a table; the last number has room for a
code."""
SHIFT: int
"""The first bit of the code in the last number of an entry."""
KEY_BITS: int
"""Bits of the key in the last number; marks lie between key and code (for `retrograde_kernel`)."""
CLASS_BITS: int
"""Number of bits of a code for the number of a payoff; plies lie above."""
MOST_CODE: int
"""The largest code."""
pack_key: Callable[..., int]
"""Writes the key of a state into an array, from a place on (the last two arguments)."""
unpack_key: Callable[[Array, int], State]
"""The state whose key lies in an array from a place on."""
hash_key: Callable[[Array, int], int]
"""31 bits that depend on the key in an array from a place on."""
is_state: Callable[..., int]
"""1 if words represent a state of the rules, else 0 (for `entries_kernel` only)."""
IMAGE: int
"""Offset of the least image's key in the record of a state (for `bounds_kernel` and
`alpha_beta_kernel`)."""
RECORD: int
"""Numbers in the record of a state (for `alpha_beta_kernel` and `proof_number_kernel`)."""
SYMMETRIC: bool
"""Whether states have images (for `alpha_beta_kernel` only)."""
SWAPS: bool
"""Whether players are swapped, so that the first player is to move in every entry (like the names
below, for `retrograde_kernel` only)."""
MIRRORED: int
"""The marks of images with swapped players (see `symmetry.orbits`)."""
marks_after: Callable[..., int]
"""The marks of a state's entry, given the marks of the state (the last argument)."""
all_marks: Callable[..., int]
"""The marks of an entry (the last argument), and all equivalent marks."""
images_of: Callable[..., int]
"""Number of states represented by an entry with some of its marks (the last argument)."""
least_image: Callable[..., State]
"""The least of the images of a state under symmetries (for `alpha_beta_kernel`, too)."""
SLOTS: int
"""Entries of a bucket (for `bounds_kernel` only)."""
FORESEES: bool
"""Whether `wins_at_once` can ever be true (for `alpha_beta_kernel` and `playout_kernel`)."""
wins_at_once: Callable[..., bool]
"""Whether the player to move surely has an immediately winning action (for `alpha_beta_kernel` and
`playout_kernel`)."""
payoffs_of_win: Callable[..., tuple[int, ...]]
"""Like `end`, if the player to move wins, for two players (for `playout_kernel` only)."""
threats: Callable[..., int]
"""Number of squares that would win at once for the player who is not to move (for
`alpha_beta_kernel` only)."""
HAS_PROSPECTS: bool
"""Whether `prospects` can ever exclude a player's win (for `alpha_beta_kernel` only)."""
prospects: Callable[..., int]
"""The players who can still win: 1 for the first player, plus 2 for the second (for
`alpha_beta_kernel` only)."""
REST: Array
"""int64[2, 2]: for each player, what both players are paid where the player cannot win and gets the
most (for `alpha_beta_kernel` only)."""
WON: Array
"""int64[2, 2]: for each player, what both players are paid by a foreseen win of the player (for
`alpha_beta_kernel` only)."""
KNOWS_LINES: bool
"""Whether the order of successors is known from the rules: by `threats` and `RANKS` (for
`alpha_beta_kernel` only)."""
RANKS: Array
"""int64[ACTIONS]: the rank of each action by the lines through the cells that the action fills (for
`alpha_beta_kernel` only)."""
STRIDE: int
"""Distance of buckets in numbers (for `bounds_kernel` only)."""

ESTIMATES: bool
"""Whether plays that are broken off end with the file's `evaluate` (for `playout_kernel` and
`uct_kernel`)."""

RECORDS: bool
"""Whether plays note which player has made which action (for `playout_kernel` only)."""

LEARNS: bool
"""Whether plays prefer, of two legal actions drawn, the action that has paid more (for
`playout_kernel` and `uct_kernel`); implies `RECORDS`, and payoffs at the end alone."""

write_estimates: Callable[[State, Array, int], int]
"""Writes the estimates of a state as a play that is broken off (see `uct_kernel`)."""

# The following names are for the kernels of UCT and of alpha-beta with `evaluate` (`search.uct`,
# `search.cutoff`); `FORESEES` as above.

SIDES: int
"""Players whose payoffs are kept: 1 where payoffs are opposed, else all."""
UNIT: int
"""Units in a payoff of 1."""
LOWEST: int
HIGHEST: int
"""Bounds of all payoffs, in units."""
estimate: Callable[..., tuple[int, int]]
"""The file's `evaluate` for a side, the first argument, in a state: a denominator and a
numerator."""
same_words: Callable[..., bool]
"""Whether two states are equal."""
QUIESCES: bool
"""Whether `evaluate` has a condition (for `cutoff_kernel` only)."""
is_quiet: Callable[..., bool]
"""Whether an estimate may stand for a state, by the condition of the file's `evaluate` (for
`cutoff_kernel` only)."""
ENDLESS: Array
"""int64[SIDES]: payoffs of a play that is broken off, in units; int64[PLAYERS] for
`outcome_sampling_kernel`, which has `UNIT`, too."""

# The following names are for the kernel of outcome sampling only (`search.outcome_sampling`).

CONCEALED: Array
"""int64[ACTIONS]: 1 + the number of the move, for the actions of secret moves; else 0."""
RECALLS: bool
"""Whether what a player knows is all that the player has observed, not the present state alone."""
sight: Callable[..., int]
"""A hash of what a player, the first argument, sees of a state."""

# The following names are for the kernels of solving by layers only (`batches`).

level_of: Callable[..., int]
"""The level of a state, which every move raises; the level of the first state is 0."""
LOW_RISE: int
HIGH_RISE: int
"""The least and the greatest rise of the level by a move."""

# The following names are for the kernel of games by turns only (`functions.turns`).

SLOW_WIDTH: int
"""Words of a state that hold slow variables."""
STATE_WIDTH: int
"""Words of a state, including the words of a chance event."""
ENDS_BY_SLOW: bool
"""Whether the end of play depends on slow variables only."""
joined_state: Callable[[Array, int, Array, int], State]
"""The state with the slow variables in an array from a place on, and the remaining variables in a
second array."""
write_slow: Callable[..., int]
"""Writes the slow variables of a state into an array, from a place on (the last two arguments)."""
write_quick: Callable[..., int]
"""Writes all variables of a state except the slow variables, from a place on."""
same_quick: Callable[..., bool]
"""Whether a state equals, except for slow variables, the state in an array from a place on."""
hash_slow: Callable[[Array, int], int]
"""31 bits that depend on the slow variables in an array from a place on."""
paid_first: Callable[..., tuple[int, int]]
"""The first player's reward for an action, the last argument: a denominator and a numerator; the
denominator is 0 if a second player does not pay the reward."""
end_first: Callable[..., tuple[int, int]]
"""The first player's payoff of an end: a denominator (0: not over; -1: a second player does not pay
the payoff) and a numerator."""

# The following names are for the kernels of puzzles only (`puzzles.patterns.cell_definitions`).

CELLS: int
"""Number of cells looked at: of the variable whose values are only carried about by moves, or all
cells (for `layers_kernel`; 0 if a state is wider than its words)."""
cell_digits: Callable[..., int]
"""Writes the contents of these cells in a state into an array, from a place on (the last two
arguments)."""
weigh: Callable[..., int]
"""For each of these cells with content d, adds the cell's number times weights[d] to
array[groups[d]] (the last arguments: groups, weights, array)."""

# The following names are for the kernel that lists states only (`listing`).

STATE_WORDS: int
"""Numbers of a state, including the words of a chance event."""
loaded: Callable[[Array, int], State]
"""The state in an array, from a place on."""
put: Callable[..., int]
"""Writes the numbers of a state into an array, from a place on (the last two arguments)."""
put_end: Callable[..., int]
"""Writes the numbers of `end` in the same way; returns the denominator."""

# The following names are for the kernel of plays side by side only (`vectorised`).

PLANE_WORDS: int
"""Numbers of an observation, 8 bytes each."""
MASK_WORDS: int
"""Numbers of a mask of legal actions, 8 bytes each."""
SEATS: int
"""Observations of a play: 1 for the player to move, or one for each player."""
write_mask: Callable[..., int]
"""Writes the mask of the legal actions into an array, from a place on, and lists further legal
actions in a second array, from a place on (the last four arguments). Returns the place behind the
list; -1 where no action is legal. Writes nothing in a game with choices at once."""
write_planes: Callable[..., int]
"""Writes the observation of a player, the first argument, into an array, from a place on (the last
two arguments); the second argument is the player to move, -2 where all choose."""
write_paid: Callable[..., int]
"""Writes the rewards for an action of a player, the first argument, or for an outcome of chance
(-1), like `write_rewards`."""
