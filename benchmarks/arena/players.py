"""Further players of matches: advisers in processes of their own, and OpenSpiel's searches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
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


class Follower(Lockstep):
    """Both systems on the way along a play, whose hands are drawn again."""

    def __init__(self, row: Row, made: Sequence[Any] = ()) -> None:
        self.made = made
        super().__init__(row)

    def draw(self, ids: Sequence[int], shares: Sequence[Any]) -> int:
        """The hand of the play."""
        at = len(self.history)
        return int(self.made[at]) if at < len(self.made) else super().draw(ids, shares)


class SpielPlayer:
    """OpenSpiel's Monte-Carlo tree search in C++, with as many simulations as fit the time, by the
    rate of the move before; of information sets where information is hidden, with a new position
    for each simulation.

    Steps of both systems may have several actions; the later actions of a step are kept.
    `exploration` is for payoffs from -1 to 1.
    """

    def __init__(self, row: Row, seconds: float, seed: int, exploration: float) -> None:
        self.name = f"OpenSpiel's MCTS, c = {exploration:g}"
        self.unadvised = 0
        self._budget, self._seconds, self._moves = seconds, 0.0, 0
        self._row, self._made = row, (exploration, seed)
        self._planned: list[Any] = []
        self._table = Follower(row)
        self._rate = 0.0
        self._first_rate = self._searched(self._first_choice(), SAMPLE)[1]
        self.begin()

    def begin(self) -> None:
        """Before a game: the rate at the beginning."""
        self._rate = self._first_rate

    def _first_choice(self) -> Any:
        """A state of OpenSpiel in which a player chooses, after random events of chance."""
        state, rng = self._table.theirs.clone(), Random(0)
        while state.is_chance_node():
            actions, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, shares)[0])
        return state

    def _searched(self, state: Any, simulations: int) -> tuple[int, float, float]:
        """The action for a state, the simulations of a second, the processor seconds."""
        import pyspiel

        exploration, seed = self._made
        game, seed = pyspiel.load_game(self._row.peer), seed + self._moves
        plays = pyspiel.RandomRolloutEvaluator(1, seed)
        if game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION:
            scale = exploration * (game.max_utility() - game.min_utility()) / 2
            last = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            bot = pyspiel.ISMCTSBot(seed, plays, scale, simulations, -1, last, False, True)
        else:
            bot = pyspiel.MCTSBot(game, plays, exploration, simulations, 1000, True, seed, False)
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
            self._table = Follower(self._row, made)
            self.begin()
        self._table.made = made
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
