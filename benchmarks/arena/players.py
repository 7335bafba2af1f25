"""Players of a match: advisers in processes of their own, OpenSpiel's searches, chance."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import thread_time
from typing import Any, Protocol

from tests.peers.spiel_lockstep import Lockstep, Row, Step

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("worker.py")
SAMPLE = 300
"""Simulations that tell how many OpenSpiel makes in a second."""


class Player(Protocol):
    """Chooses steps.

    Attributes:
        name: for the report.
        seconds: processor time used.
        moves: moves made.
    """

    name: str
    seconds: float
    moves: int

    def choose(self, table: Lockstep, steps: Sequence[Step], moves: Sequence[str]) -> Step:
        """A step from a position, reached by moves."""
        ...


class AdviserPlayer:
    """The adviser of a checkout of this project."""

    def __init__(self, row: Row, seconds: float, seed: int, folder: Path = ROOT) -> None:
        self.name = f"adviser of {folder.name}"
        self.seconds, self.after, self.moves, self.exact = 0.0, 0.0, 0, 0
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment,
        )  # fmt: skip
        order = {
            "game": str(row.path), "parameters": dict(row.parameters), "seconds": seconds,
            "seed": seed,
        }  # fmt: skip
        self._ask(order)

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None, "the process has pipes"
        assert self._process.stdout is not None, "the process has pipes"
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def choose(self, table: Lockstep, steps: Sequence[Step], moves: Sequence[str]) -> Step:
        """The step with the adviser's action."""
        answer = self._ask({"moves": list(moves)})
        self.seconds += answer["seconds"]
        self.after += answer["after"]
        self.exact += answer["is_exact"]
        self.moves += 1
        game, state = table.game, table.state
        return next(s for s in steps if game.action_name(state, s.ours[0]) == answer["move"])


class SpielPlayer:
    """OpenSpiel's Monte-Carlo tree search in C++, with as many simulations as fit the time."""

    def __init__(self, row: Row, seconds: float, seed: int, exploration: float) -> None:
        self.name = f"OpenSpiel's MCTS, c = {exploration:g}"
        self.seconds, self.moves = 0.0, 0
        self._made: tuple[Any, ...] = (row, exploration, seed)
        state = Lockstep(row).theirs
        bot = self._bot(SAMPLE)
        began = thread_time()
        bot.step(state)
        self._simulations = max(10, int(SAMPLE * seconds / (thread_time() - began)))
        self._searcher = self._bot(self._simulations)

    def _bot(self, simulations: int) -> Any:
        import pyspiel

        row, exploration, seed = self._made
        return pyspiel.MCTSBot(
            pyspiel.load_game(row.peer), pyspiel.RandomRolloutEvaluator(1, seed), exploration,
            simulations, 1000, True, seed, False,
        )  # fmt: skip

    def choose(self, table: Lockstep, steps: Sequence[Step], moves: Sequence[str]) -> Step:
        """The step with the search's action."""
        began = thread_time()
        action = self._searcher.step(table.theirs)
        self.seconds += thread_time() - began
        self.moves += 1
        return next(step for step in steps if step.theirs[0] == action)


class RandomPlayer:
    """Chooses uniformly."""

    def __init__(self, seed: int) -> None:
        self.name, self.seconds, self.moves = "chance", 0.0, 0
        self._rng = Random(seed)

    def choose(self, table: Lockstep, steps: Sequence[Step], moves: Sequence[str]) -> Step:
        """Any step."""
        self.moves += 1
        return self._rng.choice(steps)
