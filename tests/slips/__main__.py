"""Sixty slips of the pen in twenty shipped games: how many does `gamedsl check` remark on?
`python -m tests.slips` goes through `slips.toml`, and prints a table and the count.

Options: games to take slips from, `--jobs N`. A line that begins with `!` is answered otherwise
than the file says, or changes nothing in the game; the exit status is 1 then, and where one of the
games is remarked on without any slip.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor

from tests.slips.corpus import Slip, is_answered, makes_a_difference, remarks, slips
from tests.whole_texts import unclaimed_text


def main() -> int:
    """The table, and whether it is as the file says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="of these games alone")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    chosen = [one for one in slips() if not options.games or one.game in options.games]
    games = sorted({one.game for one in chosen})
    with ProcessPoolExecutor(options.jobs) as pool:
        noticed, is_right = 0, True
        for slip, (said, differs) in zip(chosen, pool.map(_tried, chosen), strict=True):
            is_as_told = differs and is_answered(slip, said)
            mark = " " if is_as_told else "!"
            print(mark, f"{slip.game:18}{slip.kind:21}", " ".join(sorted({*said})) or "-")
            noticed += bool(said)
            is_right &= is_as_told
        for game, said in zip(games, pool.map(remarks, map(unclaimed_text, games)), strict=True):
            if said:
                print("!", f"{game:18}{'as it is':21}", " ".join(said))
                is_right = False
    print(f"{noticed} of {len(chosen)} slips in {len(games)} games are remarked on")
    return 0 if is_right else 1


def _tried(slip: Slip) -> tuple[list[str], bool]:
    return remarks(slip.text), makes_a_difference(slip)


if __name__ == "__main__":
    sys.exit(main())
