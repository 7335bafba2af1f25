"""More games than the tests play: `python -m tests.peers 100 [NAME ...]`.

Prints a line for each game that a peer knows: how many plays, how they ended, what differed. The
exit status is 1 if anything did.
"""

from __future__ import annotations

import argparse
from collections import Counter

from tests.peers.chess_lockstep import VARIANTS, play


def main() -> None:
    """Play, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=100, help="plays of each game")
    parser.add_argument("names", nargs="*", metavar="NAME", help="these games alone")
    chosen = parser.parse_args()
    differences = 0
    for name in chosen.names or VARIANTS:
        played = [play(VARIANTS[name], number) for number in range(chosen.count)]
        reasons = Counter(one.reason for one in played if not one.difference)
        told = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
        castled, passing, promoted = (sum(one.kinds[kind] for one in played) for kind in range(3))
        differing = [one.difference for one in played if one.difference]
        differences += len(differing)
        print(
            f"{name}: {len(played)} plays, {sum(one.plies for one in played)} plies; {told}; "
            f"{castled} times castled, {passing} times taken in passing, {promoted} promoted; "
            f"{sum(one.misses_repetition for one in played)} repetitions missed; "
            f"{len(differing)} differences",
            *differing,
            sep="\n  ",
            flush=True,
        )
    raise SystemExit(bool(differences))


if __name__ == "__main__":
    main()
