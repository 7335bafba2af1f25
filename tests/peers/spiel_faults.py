"""The known differences of OpenSpiel's games, met by `gamedsl compare`:
`python -m tests.peers.spiel_faults [NAME ...]`.

A row has a file with the usual rules, or changes to a file that follows OpenSpiel; the game of
OpenSpiel; and words of the difference that is to be met. Prints a line for each row; the exit
status is 1 if a difference is not met.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import gamedsl
from tests.peers.spiel_actions import BOXES

GAMES = Path(__file__).resolve().parents[2] / "games"


@dataclass(frozen=True, slots=True)
class Fault:
    """A difference that is known.

    Attributes:
        file: the file in `games`.
        peer: OpenSpiel's name, with parameters.
        said: words of the difference; "" where the games are the same.
        changes: texts of the file, and their replacements.
        parameters: of the file.
        limits: of `gamedsl.compare`.
        names: of actions of the file with the names there, where play tells too little.
    """

    file: str
    peer: str
    said: str
    changes: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def report(self) -> gamedsl.ComparisonReport:
        """The comparison."""
        text = (GAMES / f"{self.file}.game").read_text("utf-8")
        for old, new in self.changes.items():
            assert old in text, old
            text = text.replace(old, new, 1)
        ours = gamedsl.load(text, "python", **self.parameters)
        return gamedsl.compare(ours, f"openspiel:{self.peer}", names=self.names, **self.limits)


FAULTS = {
    "2048: a merge after a merge": Fault(
        "openspiel/twenty_forty_eight_score",
        "2048",
        "legal here alone: slide",
        parameters={"size": 4, "goal": 11},
        limits={"positions": 100, "plays": 10},
    ),
    "go fish: the drawn rank is told": Fault(
        "openspiel/go_fish",
        "go_fish(ranks=3,suits=2,initial_cards=1)",
        "tells this play from another there, not here",
        parameters={"ranks": 3, "suits": 2},
    ),
    "go fish: dealt on after a book": Fault(
        "openspiel/go_fish",
        "go_fish(ranks=2,suits=2,initial_cards=2)",
        "the game pays",
        parameters={"ranks": 2, "suits": 2, "begin": 2},
    ),
    "lines of action: a draw at the second occurrence": Fault(
        "openspiel/lines_of_action",
        "lines_of_action",
        "the game is over there alone",
        changes={"repeat man: draw\n": ""},
        limits={"positions": 300, "plays": 20},
    ),
    "quoridor: broken off": Fault(
        "openspiel/quoridor",
        "quoridor(board_size=5)",
        "the game is over there alone",
        parameters={"size": 5, "fences": 3},
        limits={"positions": 300, "plays": 30},
    ),
    "markov soccer: a goal in the last round": Fault(
        "openspiel/markov_soccer",
        "markov_soccer(horizon=7)",
        "the game pays",
        changes={
            "    if rounds == horizon: draw\n    if scorer != none: scorer wins": (
                "    if scorer != none: scorer wins\n    if rounds == horizon: draw"
            )
        },
        parameters={"horizon": 6},
        limits={"positions": 500, "plays": 2_000},
        names={
            "ball=c2": "(ball at 2,2)",
            "ball=c3": "(ball at 1,2)",
            "one=Ann": "(A's action first)",
            "one=Bob": "(B's action first)",
            **{f"choose({word})": word for word in ("up", "down", "left", "right", "stand")},
        },
    ),
    "go: superko": Fault(
        "go",
        "go(board_size=5,komi=7.0)",
        "legal there alone",
        parameters={"size": 5},
        limits={"positions": 300, "plays": 100},
    ),
    "oshi-zumo": Fault(
        "openspiel/oshi_zumo",
        "oshi_zumo(coins=6,size=2,min_bid=1)",
        "",
        parameters={"coins": 6, "size": 2, "least": 1},
    ),
    "battleship": Fault(
        "openspiel/battleship",
        "battleship(board_width=3,board_height=2,ship_sizes=[1;2],ship_values=[1;1],num_shots=3,"
        "allow_repeated_shots=false)",
        "",
        parameters={"wide": 3, "shots": 3},
    ),
    "battleship: what is sunk is heard": Fault(
        "openspiel/battleship",
        "battleship(board_width=2,board_height=2,ship_sizes=[1;2],ship_values=[1;1],num_shots=2,"
        "allow_repeated_shots=false)",
        "tells this play from another there, not here",
        changes={"sunk if is_sunk(opponent, ship[opponent, s]) else": "hit if true else"},
    ),
    "yacht: four of a kind counts five dice": Fault(
        "openspiel/yacht",
        "yacht(dice_sides=3,num_dice=5,rolls_per_turn=1)",
        "the game pays",
        changes={
            "total if has(4) else 0": "sum(4 * f for f in 1..6 where shown[f] >= 4)",
            "chance face in 1..6": "chance face in 1..3",
            "throws < 3 and": "throws < 1 and",  # nothing is thrown again
            "throws < 3\n    throws = 3": "throws < 1\n    throws = 1",
            "throws == 3": "throws == 1",
        },
        limits={"positions": 20, "plays": 120},
        names={
            **{f"write({ours})": f"Score in {theirs}" for theirs, ours in BOXES.items()},
            **{
                "; ".join(f"face={f}" for f in dice): f"Roll: {','.join(map(str, dice))}"
                for dice in product(range(1, 4), repeat=5)
            },
        },
    ),
    "xiangqi": Fault(
        "openspiel/xiangqi",
        "xiangqi",
        "",
        limits={"positions": 300, "plays": 10},
    ),
    "twixt": Fault(
        "openspiel/twixt",
        "twixt(board_size=6)",
        "",
        parameters={"size": 6},
        limits={"positions": 500, "plays": 20},
    ),
}
"""By what differs; without a difference, by the game."""


def main(names: list[str]) -> int:
    """Compare the rows that begin with one of the names, or all rows."""
    status = 0
    for name, fault in FAULTS.items():
        if names and not name.startswith(tuple(names)):
            continue
        begin = process_time()
        report = fault.report()
        difference = report.difference
        said = "" if difference is None else difference.said
        is_met = bool(said) == bool(fault.said) and fault.said in said
        status |= not is_met
        steps = "" if difference is None else f", after {len(difference.play)} steps"
        shown = f"{said[:60] or 'the same'}{steps}; {process_time() - begin:.1f} s of CPU"
        print(f"{'met' if is_met else 'NOT MET'}: {name}: {shown}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
