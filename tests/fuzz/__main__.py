"""The long hunt: `python -m tests.fuzz --texts 2000 --mutants 500 --games 500 --seed 0`.

Prints every text that raises or hangs, with its seed, and how far the others came.
"""

from __future__ import annotations

import argparse
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable

from tests.fuzz.texts import derivation, letter_soup, mutant, shipped_texts, token_soup
from tests.fuzz.trial import trial
from tests.generation.dice import Dice, SeededDice
from tests.generation.games import written

SECONDS = 20
SLOW = 5.0


def main() -> None:
    """Try many texts and say what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--mutants", type=int, default=500)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    signal.signal(signal.SIGALRM, _too_long)
    kinds: tuple[tuple[str, int, Callable[[Dice], str]], ...] = (
        ("text", chosen.texts, _random_text),
        ("mutant", chosen.mutants, lambda dice: mutant(dice, dice.choose(shipped_texts()))),
        ("generated mutant", chosen.games, lambda dice: mutant(dice, written(dice))),
    )
    for kind, count, make in kinds:
        reached = Counter(
            _tried(kind, seed, make(SeededDice(seed)))
            for seed in range(chosen.seed, chosen.seed + count)
        )
        print(f"{kind}: " + ", ".join(f"{count} {stage}" for stage, count in reached.items()))


def _random_text(dice: Dice) -> str:
    return dice.choose((token_soup, derivation, derivation, letter_soup))(dice)


def _tried(kind: str, seed: int, text: str) -> str:
    started = time.monotonic()
    signal.alarm(SECONDS)
    try:
        reached = str(trial(text))
    except Exception:  # noqa: BLE001 (this is the hunt for them)
        print(f"--- {kind} {seed}\n{text}\n{traceback.format_exc(limit=-4)}")
        return "failed"
    finally:
        signal.alarm(0)
    if time.monotonic() - started > SLOW:
        print(f"--- {kind} {seed} took {time.monotonic() - started:.1f} s\n{text}")
    return reached


def _too_long(_signal: int, _frame: object) -> None:
    raise TimeoutError(f"longer than {SECONDS} seconds")


if __name__ == "__main__":
    main()
