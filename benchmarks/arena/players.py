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
from tests.peers.spiel_lockstep import Lockstep, Row, Step

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("worker.py")
SAMPLE = 300
"""Simulations that tell how many OpenSpiel makes in a second."""
FASTER = 1.3
"""Greatest factor between the rates of two moves."""
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
        paths = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
        environment = {**os.environ, "PYTHONPATH": paths}
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

    def effort(self) -> dict[str, float]:
        """Processor seconds of moves and after their answers, moves, and moves proved."""
        return {
            "seconds": self._seconds, "after": self._after, "moves": self._moves,
            "exact": self._exact,
        }  # fmt: skip

    def used(self) -> str:
        """The processor time, in words."""
        mean, after = (t / max(1, self._moves) for t in (self._seconds, self._after))
        proved = f"{self._exact} of {self._moves} moves proved"
        return f"{self.name}: {mean:.3f} s a move (+{after:.3f} s after), {proved}"

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


class SpielPlayer:
    """OpenSpiel's Monte-Carlo tree search in C++, with as many simulations as fit the time, by the
    rate of the move before.

    Steps of both systems may have several actions; the later actions of a step are kept.
    """

    def __init__(self, row: Row, seconds: float, seed: int, exploration: float) -> None:
        self.name = f"OpenSpiel's MCTS, c = {exploration:g}"
        self.unadvised = 0
        self._budget, self._seconds, self._moves = seconds, 0.0, 0
        self._row, self._made = row, (exploration, seed)
        self._planned: list[Any] = []
        self._table = Lockstep(row)
        self._rate = 0.0
        self._first_rate = self._searched(self._table.theirs.clone(), SAMPLE)[1]
        self.begin()

    def begin(self) -> None:
        """Before a game: the rate at the beginning."""
        self._rate = self._first_rate

    def _searched(self, state: Any, simulations: int) -> tuple[int, float, float]:
        """The action for a state, the simulations of a second, the processor seconds."""
        import pyspiel

        exploration, seed = self._made
        bot = pyspiel.MCTSBot(
            pyspiel.load_game(self._row.peer),
            pyspiel.RandomRolloutEvaluator(1, seed + self._moves), exploration,
            simulations, 1000, True, seed + self._moves, False,
        )  # fmt: skip
        began = thread_time()
        action = bot.step(state)
        seconds = max(thread_time() - began, 1e-6)
        return action, simulations / seconds, seconds

    def prepare(self, history: History) -> None:
        """Nothing."""

    def choose(self, history: History, player: int) -> Action:
        """The search's action, or the only legal action: where neither can move in Othello,
        OpenSpiel's game is over."""
        legal = self._table.game.legal_actions(history[-1][0], player)
        if len(legal) == 1:
            return legal[0]
        made = [action for _, action in history[:-1]]
        if self._planned[: len(made)] != made or len(self._planned) == len(made):
            self._follow(made)
            self._moves += 1
            self._planned = [*made, *self._chosen().ours]
        action: Action = self._planned[len(made)]
        return action

    def _chosen(self) -> Step:
        """The step whose actions in OpenSpiel the search chooses one after another; the time of the
        step is shared between them."""
        steps, state = self._table.steps(), self._table.theirs.clone()
        length = len(steps[0].theirs)
        for place in range(length):
            simulations = max(10, int(self._rate * self._budget / length))
            action, rate, seconds = self._searched(state, simulations)
            # a search that ends early has a proof, and its rate means nothing
            self._rate = max(self._rate / FASTER, min(rate, self._rate * FASTER))
            self._seconds += seconds
            steps = [step for step in steps if step.theirs[place] == action]
            state.apply_action(action)
        return steps[0]

    def _follow(self, made: list[Any]) -> None:
        """Brings both systems to the position after a play, from where they are if on the way."""
        known = [action for _, action in self._table.history]
        if known != made[: len(known)] or len(known) > len(made):
            self._table = Lockstep(self._row)
            self.begin()
        while len(self._table.history) < len(made):
            waiting = made[len(self._table.history) :]
            steps = self._table.steps()
            self._table.go(next(s for s in steps if list(s.ours) == waiting[: len(s.ours)]))

    def effort(self) -> dict[str, float]:
        """Processor seconds of moves, and moves."""
        return {"seconds": self._seconds, "moves": self._moves}

    def used(self) -> str:
        """The processor time, in words."""
        return f"{self.name}: {self._seconds / max(1, self._moves):.3f} s a move"
