"""What mass runs are asked for on the command line: seeds of generated games."""

from __future__ import annotations

import argparse
import sys


def seeds_asked_for(description: str | None) -> argparse.Namespace:
    """`first`, `count` and `seconds`: no more games than that, and no longer."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("first", type=int, help="the first seed")
    parser.add_argument("count", nargs="?", type=int, help="games; without it as --seconds says")
    parser.add_argument("--seconds", type=float, help="seconds that the run takes, about")
    chosen = parser.parse_args()
    if chosen.count is None and chosen.seconds is None:
        parser.error("say how many games, or how many seconds")
    chosen.count = sys.maxsize if chosen.count is None else chosen.count
    chosen.seconds = float("inf") if chosen.seconds is None else chosen.seconds
    return chosen
