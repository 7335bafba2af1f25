"""Further players of matches: advisers in processes of their own, and OpenSpiel's searches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import thread_time
from typing import Any

from gamedsl.game import LoadedGame
from gamedsl.game.contract import Action, History
from tests.peers.spiel_lockstep import Lockstep, Row

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("worker.py")
SAMPLE = 300
"""Simulations that tell how many OpenSpiel makes in a second."""
WARMING = 10.0
"""Seconds in which machine code is compiled and optimised before play."""


class AdviserPlayer:
    """The adviser of a checkout of this project. `seconds` is processor time of a move."""

    def __init__(
        self,
        game: LoadedGame,
        row: Row,
        seconds: float,
        seed: int,
        folder: Path = ROOT,
        warming: float = WARMING,
    ) -> None:
        self.name = f"adviser of {folder.name}"
        self.unadvised = 0
        self._game = game
        self._seconds, self._after, self._moves, self._exact = 0.0, 0.0, 0, 0
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment,
        )  # fmt: skip
        self._ask(
            game=str(row.path), parameters=dict(row.parameters), seconds=seconds, seed=seed,
            warming=warming,
        )  # fmt: skip

    def _ask(self, **question: Any) -> dict[str, Any]:
        assert self._process.stdin is not None, "the process has pipes"
        assert self._process.stdout is not None, "the process has pipes"
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def prepare(self, history: History) -> None:
        """Nothing: the process is prepared."""

    def choose(self, history: History, player: int) -> Action:
        """The adviser's action."""
        game = self._game
        moves = [game.action_name(state, action) for state, action in history if action is not None]
        answer = self._ask(moves=moves)
        self._seconds += answer["seconds"]
        self._after += answer["after"]
        self._exact += answer["is_exact"]
        self._moves += 1
        action = game.action_named(history[-1][0], answer["move"])
        assert isinstance(action, int), "one player is to move"
        return action

    def used(self) -> str:
        """The processor time, in words."""
        mean, after = (t / max(1, self._moves) for t in (self._seconds, self._after))
        proved = f"{self._exact} of {self._moves} moves proved"
        return f"{self.name}: {mean:.3f} s a move (+{after:.3f} s after), {proved}"

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


class SpielPlayer:
    """OpenSpiel's Monte-Carlo tree search in C++, with as many simulations as fit the time.

    Steps of both systems may have several actions; the later actions of a step are kept.
    """

    def __init__(self, row: Row, seconds: float, seed: int, exploration: float) -> None:
        self.name = f"OpenSpiel's MCTS, c = {exploration:g}"
        self.unadvised = 0
        self._seconds, self._moves = 0.0, 0
        self._row, self._made = row, (exploration, seed)
        self._planned: list[Any] = []
        state = Lockstep(row).theirs
        bot = self._bot(SAMPLE)
        began = thread_time()
        bot.step(state)
        simulations = max(10, int(SAMPLE * seconds / (thread_time() - began)))
        self._searcher = self._bot(simulations)

    def _bot(self, simulations: int) -> Any:
        import pyspiel

        exploration, seed = self._made
        return pyspiel.MCTSBot(
            pyspiel.load_game(self._row.peer), pyspiel.RandomRolloutEvaluator(1, seed), exploration,
            simulations, 1000, True, seed, False,
        )  # fmt: skip

    def prepare(self, history: History) -> None:
        """Nothing."""

    def choose(self, history: History, player: int) -> Action:
        """The search's action."""
        made = [action for _, action in history[:-1]]
        if self._planned[: len(made)] != made or len(self._planned) == len(made):
            table = self._table(made)
            began = thread_time()
            chosen = self._searcher.step(table.theirs)
            self._seconds += thread_time() - began
            self._moves += 1
            step = next(step for step in table.steps() if step.theirs[0] == chosen)
            self._planned = [*made, *step.ours]
        action: Action = self._planned[len(made)]
        return action

    def _table(self, made: list[Any]) -> Lockstep:
        """Both systems after the actions of a play."""
        table = Lockstep(self._row)
        while len(table.history) < len(made):
            waiting = made[len(table.history) :]
            table.go(next(s for s in table.steps() if list(s.ours) == waiting[: len(s.ours)]))
        return table

    def used(self) -> str:
        """The processor time, in words."""
        return f"{self.name}: {self._seconds / max(1, self._moves):.3f} s a move"
