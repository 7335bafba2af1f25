"""A learner in the manner of AlphaZero, in NumPy: a minute on a small board.

`python examples/alpha_zero.py` plays tic-tac-toe against itself for a minute, and prints how a
player by the network alone, without search, does against random moves before and after. `python
examples/alpha_zero.py connect_small --seconds 300` takes any game of two opposed players who take
turns, without chance and secrets. Needs `pip install 'gamedsl[gymnasium]'`.

The method is that of D. Silver et al., "A general reinforcement learning algorithm that masters
chess, shogi, and Go through self-play", 2018: a network gives probabilities of moves and a value;
a tree search improves both; plays by the search are what the network learns from.
"""

from __future__ import annotations

import argparse
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more threads are slower for small matrices
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import gamedsl
from gamedsl.bridges.moments import Moment, Numbered
from gamedsl.model.state import TERMINAL

HIDDEN, RATE, PLAYS, SEARCHES = 96, 0.02, 32, 24
"""Units of a layer, rate of learning, plays at once, simulations for a move."""
EXPLORATION, NOISE, EARLY = 1.5, 0.3, 4
"""Weight of the network's probabilities, noise at the root, and plies with a move by lot."""


class Network:
    """Two layers of rectified units, then the scores of moves and a value between -1 and 1."""

    def __init__(self, size: int, actions: int, rng: np.random.Generator) -> None:
        shapes = [(size, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, actions), (HIDDEN, 1)]
        scales = [(2 / rows) ** 0.5 for rows, _ in shapes[:2]] + [0.01, 0.01]
        pairs = zip(shapes, scales, strict=True)
        self.weights = [scale * rng.standard_normal(shape) for shape, scale in pairs]
        self.weights += [np.zeros(columns) for _, columns in shapes]
        self.speeds = [np.zeros_like(weight) for weight in self.weights]

    def forward(self, seen: np.ndarray) -> list[np.ndarray]:
        """The layers, the scores, and the values: float[n, ...]."""
        first, second, moves, value, *biases = self.weights
        one = np.maximum(seen @ first + biases[0], 0)
        two = np.maximum(one @ second + biases[1], 0)
        return [one, two, two @ moves + biases[2], np.tanh(two @ value + biases[3])]

    def learn(self, seen: np.ndarray, shares: np.ndarray, results: np.ndarray) -> None:
        """A step of descent with momentum: cross entropy of moves, squared error of values."""
        one, two, scores, values = self.forward(seen)
        by_moves = (softmax(scores) - shares) / len(seen)
        by_value = 2 * (values - results[:, None]) * (1 - values**2) / len(seen)
        above = (by_moves @ self.weights[2].T + by_value @ self.weights[3].T) * (two > 0)
        below = (above @ self.weights[1].T) * (one > 0)
        errors = below, above, by_moves, by_value
        gradients = [layer.T @ e for layer, e in zip((seen, one, two, two), errors, strict=True)]
        gradients += [error.sum(0) for error in errors]
        for weight, speed, gradient in zip(self.weights, self.speeds, gradients, strict=True):
            speed *= 0.9
            speed -= RATE * gradient
            weight += speed


def softmax(scores: np.ndarray) -> np.ndarray:
    """Probabilities of scores, by rows."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: np.ndarray = powers / powers.sum(axis=-1, keepdims=True)
    return shares


class Node:
    """A position of a tree, with the visits and the total payoff of each legal action."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.legal = np.array(moment.legal(moment.mover) if moment.mover >= 0 else (), int)
        self.prior = np.zeros(len(self.legal))
        self.visits, self.total = np.zeros(len(self.legal)), np.zeros(len(self.legal))
        self.children: dict[int, Node] = {}

    def choice(self) -> int:
        """The place of the action with the greatest upper bound (PUCT)."""
        mean = self.total / np.maximum(self.visits, 1)
        bonus = EXPLORATION * self.prior * (1 + self.visits.sum()) ** 0.5 / (1 + self.visits)
        return int((mean + bonus).argmax())


class Learner:
    """A game, a network, and plays of the network against itself."""

    def __init__(self, game: Numbered, seed: int) -> None:
        facts = game.game.facts
        is_hidden = facts.has_chance or facts.has_secrets or facts.is_simultaneous
        if is_hidden or len(facts.players) != 2:
            raise SystemExit(f"{game.game.name}: two players who take turns and see all are needed")
        self.game, self.rng = game, np.random.default_rng(seed)
        self.largest = max(map(abs, game.payoff_bounds)) or 1.0
        self.network = Network(game.planes.size, game.action_count, self.rng)
        self.examples: list[tuple[np.ndarray, np.ndarray, float]] = []

    def seen(self, moments: list[Moment]) -> np.ndarray:
        """The observations of the players to move, float[n, size]."""
        rows = np.zeros((len(moments), self.game.planes.size))
        for row, moment in zip(rows, moments, strict=True):
            ones, shares = self.game.planes.observation(moment.state, moment.mover, moment.movers)
            row[ones] = 1
            for place, share in shares:
                row[place] = share
        return rows

    def paid(self, moment: Moment) -> float:
        """The payoff of the first player at the end, between -1 and 1."""
        return float(moment.returns[0]) / self.largest

    def expand(self, nodes: list[Node]) -> list[float]:
        """Ask the network for all nodes at once; the values for the first player."""
        going = [node for node in nodes if node.moment.mover != TERMINAL]
        values = iter(())
        if going:
            *_, scores, worths = self.network.forward(self.seen([n.moment for n in going]))
            for node, row in zip(going, scores, strict=True):
                node.prior = softmax(row[node.legal])
            signs = [1 if node.moment.mover == 0 else -1 for node in going]
            values = iter(worths[:, 0] * signs)
        ends = [node.moment for node in nodes]
        return [self.paid(m) if m.mover == TERMINAL else float(next(values)) for m in ends]

    def search(self, roots: list[Node], count: int) -> None:
        """Simulations in all trees side by side."""
        for _ in range(count):
            paths: list[list[tuple[Node, int]]] = []
            leaves = []
            for root in roots:
                node, path = root, []
                while node.moment.mover != TERMINAL:
                    place = node.choice()
                    path.append((node, place))
                    if place not in node.children:
                        after = node.moment.after(int(node.legal[place]))
                        node.children[place] = node = Node(after)
                        break
                    node = node.children[place]
                paths.append(path)
                leaves.append(node)
            for path, value in zip(paths, self.expand(leaves), strict=True):
                for node, place in path:
                    node.visits[place] += 1
                    node.total[place] += value if node.moment.mover == 0 else -value

    def play(self, plays: int, searches: int) -> None:
        """Plays against itself, side by side; their positions are kept as examples."""
        roots = [Node(self.game.first) for _ in range(plays)]
        self.expand(roots)
        told: list[list[tuple[np.ndarray, np.ndarray, int]]] = [[] for _ in roots]
        ply = 0
        while going := [n for n, root in enumerate(roots) if root.moment.mover != TERMINAL]:
            for n in going:
                noise = self.rng.dirichlet(np.ones(len(roots[n].legal)))
                roots[n].prior = (1 - NOISE) * roots[n].prior + NOISE * noise
            self.search([roots[n] for n in going], searches)
            for n in going:
                root = roots[n]
                shares = np.zeros(self.game.action_count)
                shares[root.legal] = root.visits / root.visits.sum()
                told[n].append((self.seen([root.moment])[0], shares, root.moment.mover))
                by_lot = self.rng.choice(len(root.legal), p=shares[root.legal])
                place = int(by_lot if ply < EARLY else root.visits.argmax())
                roots[n] = root.children[place]
            ply += 1
        for root, steps in zip(roots, told, strict=True):
            result = self.paid(root.moment)
            self.examples += [(s, p, result if who == 0 else -result) for s, p, who in steps]
        del self.examples[:-20_000]

    def train(self, steps: int) -> None:
        """Steps of descent on random examples."""
        for _ in range(steps):
            chosen = self.rng.integers(len(self.examples), size=128)
            seen, shares, results = zip(*(self.examples[n] for n in chosen), strict=True)
            self.network.learn(np.array(seen), np.array(shares), np.array(results))

    def score(self, plays: int) -> float:
        """The mean score of the network alone against random moves: win 1, draw 1/2; both seats."""
        total = 0.0
        for number in range(plays):
            moment = self.game.first
            while moment.mover != TERMINAL:
                legal = np.array(moment.legal(moment.mover))
                action = self.rng.choice(legal)
                if moment.mover == number % 2:
                    *_, scores, _ = self.network.forward(self.seen([moment]))
                    action = legal[scores[0][legal].argmax()]
                moment = moment.after(int(action))
            paid = self.paid(moment) * (1 if number % 2 == 0 else -1)
            total += 0.5 + 0.5 * float(np.sign(paid))
        return total / plays


def main(arguments: list[str] | None = None) -> None:
    """Learn, and print the score against random moves before and after."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="tic_tac_toe")
    parser.add_argument("--seconds", type=float, default=45, help="of processor time")
    parser.add_argument("--rounds", type=int, default=10_000, help="at most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    learner = Learner(Numbered(gamedsl.load(options.game), longest=200), options.seed)
    print(f"before: {learner.score(200):.3f} against random moves")
    start, plays = time.process_time(), 0
    for _ in range(options.rounds):
        learner.play(PLAYS, SEARCHES)
        learner.train(150)
        plays += PLAYS
        if time.process_time() - start > options.seconds:
            break
    print(f"after:  {learner.score(200):.3f} against random moves, {plays:,} plays against itself")


if __name__ == "__main__":
    main()
