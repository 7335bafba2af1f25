"""Tabular Q-learning on a puzzle as an environment of Gymnasium, held against the exact solution.

`python examples/q_learning.py` learns to walk through a small world; `python examples/q_learning.py
my.game --plays 5000` learns any game of one player. Needs `pip install 'gamedsl[gymnasium]'`.

The table has a row for each observation, and a number for each action: an estimate of the sum of
payments from there on (C. Watkins, 1989). Estimates begin with the greatest payment, so that what
has not been tried looks good. What is learnt is compared with `gamedsl.solve`.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable

import numpy as np

import gamedsl
from gamedsl.gymnasium import PuzzleEnvironment

Table = dict[bytes, np.ndarray]
DISCOUNT = 0.99
"""Of later payments: whoever only waits gets less."""


def play(
    walk: PuzzleEnvironment,
    table: Table,
    rng: np.random.Generator,
    explores: float,
    learns: Callable[[bytes, int, float, bytes, bool], None] | None = None,
) -> float:
    """One play; a share `explores` of the actions is random. Returns what the play has paid."""
    seen, info = walk.reset(seed=int(rng.integers(2**31)))
    total, over = 0.0, False
    while not over:
        legal = np.flatnonzero(info["action_mask"])
        values = table[seen.tobytes()][legal] + 1e-9 * rng.random(len(legal))  # ties by lot
        action = int(rng.choice(legal) if rng.random() < explores else legal[values.argmax()])
        before = seen.tobytes()
        seen, reward, ended, cut, info = walk.step(action)
        if learns is not None:
            learns(before, action, float(reward), seen.tobytes(), ended)
        total, over = total + float(reward), ended or cut
    return total


def learn(walk: PuzzleEnvironment, plays: int, rng: np.random.Generator, table: Table) -> None:
    """Fill the table: the rate of learning and the share of random actions fall to a hundredth."""
    for number in range(plays):
        rate = 0.01 ** (number / plays)

        def update(
            before: bytes, action: int, reward: float, after: bytes, ended: bool, rate: float = rate
        ) -> None:
            ahead = 0.0 if ended else DISCOUNT * table[after].max()
            table[before][action] += 0.5 * rate * (reward + ahead - table[before][action])

        play(walk, table, rng, 0.1 * rate, update)


def main(arguments: list[str] | None = None) -> None:
    """Learn, and print what random and learnt plays are paid, and what best play is paid."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="grid_world")
    parser.add_argument("--plays", type=int, default=1500)
    parser.add_argument("--tests", type=int, default=300, help="plays without learning")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    walk = PuzzleEnvironment(options.game, longest=100)
    actions, rng = walk.numbered.action_count, np.random.default_rng(options.seed)
    table: Table = defaultdict(lambda: np.full(actions, walk.numbered.payoff_bounds[1]))
    tests = options.tests
    random = sum(play(walk, table, rng, 1.0) for _ in range(tests)) / tests
    learn(walk, options.plays, rng, table)
    learnt = sum(play(walk, table, rng, 0.0) for _ in range(tests)) / tests
    best = gamedsl.solve(walk.numbered.game).value
    print(f"random play   {random:.3f} a play")
    print(f"learnt play   {learnt:.3f} after {options.plays:,} plays, {len(table):,} positions")
    print(f"best play     {'not solved' if best is None else f'{float(best[0]):.3f}'}")


if __name__ == "__main__":
    main()
