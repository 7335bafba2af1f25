"""More games than the tests play: `python -m tests.peers 100 [NAME ...]`.

Prints a line for each game that an installed peer knows: how many plays, how they ended, what
occurred in them, what differed. The exit status is 1 if anything did.
"""

from __future__ import annotations

import argparse
from collections import Counter
from importlib import import_module
from importlib.util import find_spec

PEERS = {
    "chess": "tests.peers.chess_lockstep",
    "draughts": "tests.peers.draughts_lockstep",
    "pyspiel": "tests.peers.spiel_lockstep",
}
"""The module of a peer -> that of its games."""


def main() -> None:
    """Play, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=100, help="plays of each game")
    parser.add_argument("names", nargs="*", metavar="NAME", help="these games alone")
    chosen = parser.parse_args()
    differences = 0
    for peer, module in PEERS.items():
        if find_spec(peer) is None:
            print(f"{peer} is not installed")
            continue
        lockstep = import_module(module)
        for name in lockstep.VARIANTS:
            if chosen.names and name not in chosen.names:
                continue
            played = [lockstep.play(name, number) for number in range(chosen.count)]
            differing = [one.difference for one in played if one.difference]
            differences += len(differing)
            plies = f"{sum(one.plies for one in played)} plies"
            reasons = Counter(one.reason for one in played if not one.difference)
            noted = sum((one.notes for one in played), Counter[str]())
            told = [f"{count} {what}" for what, count in (*reasons.most_common(), *noted.items())]
            print(f"{name}: {len(played)} plays, {plies};", ", ".join(told), end="; ")
            print(f"{len(differing)} differences", *differing, sep="\n  ", flush=True)
    raise SystemExit(bool(differences))


if __name__ == "__main__":
    main()
