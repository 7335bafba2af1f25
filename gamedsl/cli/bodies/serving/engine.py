"""`gamedsl engine`: other programs play a game, by a line protocol on standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random
from threading import Lock
from time import perf_counter

from gamedsl.bridges.protocols.gtp import Gtp
from gamedsl.bridges.protocols.lines import LONGEST_LINE, JsonLines
from gamedsl.bridges.protocols.thinking import Thinker, Thought
from gamedsl.bridges.protocols.uci import Uci
from gamedsl.cli.console import explaining_output
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import load, start, supported
from gamedsl.cli.options import Protocol
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame, load_source
from gamedsl.game.contract import Action
from gamedsl.game.steps import step_of
from gamedsl.model import SIMULTANEOUS, GameRuleError, State, UnsupportedGameError
from gamedsl.model.limits import MOST_ROUNDS
from gamedsl.reports.solutions.advice import way_words
from gamedsl.solvers.advice.counsel import Advice, Counsel
from gamedsl.solvers.advice.sampled_play import SampledAnswer
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.solution import Solution

LEAP = 1e6
"""Seconds by which a clock leaps ahead in a hurry, beyond the time of any move."""
BEGINNINGS = {
    "uci": Protocol.UCI,
    "protocol_version": Protocol.GTP,
    "list_commands": Protocol.GTP,
    "name": Protocol.GTP,
}
"""First lines of other programs that tell their protocol."""


def run(
    request: Request,
    protocol: Protocol,
    seconds: float,
    max_positions: int | None,
    seed: int,
) -> ExitCode:
    """Answer lines until the input ends or the other program says `quit`."""
    game = load(request)
    root = start(game, request) if request.at or request.state is not None else None
    talk: JsonLines | Uci | Gtp | None = None
    output = _Output()
    while (line := _line()) is not None:
        if talk is None and not line.strip():
            continue
        if talk is None:
            rng, desk = Random(seed), _Desk(request, max_positions, seed)
            with supported():
                talk = desk.talk(_protocol(protocol, line), game, root, output, seconds, rng)
        talk.hear(line)
        output.check()
        if talk.is_over:
            return ExitCode.DONE
    if talk is not None:
        talk.end()
        output.check()
    return ExitCode.DONE


def _line() -> str | None:
    """The next line; None at the end of the input. The rest of a line that is too long is lost."""
    data = sys.stdin.buffer.readline(LONGEST_LINE)
    rest = data
    while len(rest) == LONGEST_LINE and not rest.endswith(b"\n"):
        rest = sys.stdin.buffer.readline(LONGEST_LINE)
    return data.decode("utf-8", "replace") if data else None


def _protocol(wanted: Protocol, line: str) -> Protocol:
    """The protocol asked for, or of the first line."""
    if wanted is not Protocol.AUTO:
        return wanted
    words = line.split()
    word = words[1] if len(words) > 1 and words[0].isdecimal() else words[0]
    return BEGINNINGS.get(word, Protocol.JSON)


class _Output:
    """Standard output for two threads: the lines are written whole."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._failure: OSError | None = None

    def write(self, text: str) -> None:
        """Write a line; a failure is kept for the main thread."""
        with self._lock:
            try:
                sys.stdout.write(text + "\n")
                sys.stdout.flush()
            except OSError as error:
                self._failure = error

    def check(self) -> None:
        """Raise the failure of a line that could not be written."""
        with explaining_output():
            if self._failure is not None:
                raise self._failure


class _Desk:
    """Makes the parts of a conversation."""

    def __init__(self, request: Request, max_positions: int | None, seed: int) -> None:
        self._request, self._max_positions, self._seed = request, max_positions, seed

    def talk(
        self,
        protocol: Protocol,
        game: LoadedGame,
        root: State | None,
        output: _Output,
        seconds: float,
        rng: Random,
    ) -> JsonLines | Uci | Gtp:
        """A conversation in a protocol. Raises UnsupportedGameError."""
        if protocol is Protocol.GTP:
            return Gtp(game, self._again, self._mind, output.write, seconds, root)
        thinker = Thinker(self._mind(game))
        if protocol is Protocol.UCI:
            return Uci(game, thinker, output.write, seconds, root)
        return JsonLines(game, thinker, output.write, seconds, rng, root)

    def _mind(self, game: LoadedGame) -> AdvisedMind:
        return AdvisedMind(game, self._max_positions, self._seed)

    def _again(self, settings: Mapping[str, str]) -> LoadedGame:
        """The game with further settings. Raises GameSourceError."""
        request = self._request
        own = dict(text.split("=", 1) for text in request.parameters)
        named = {name.strip(): value.strip() for name, value in own.items()} | dict(settings)
        game = load(replace(request, quiet=True))
        rounds = request.max_rounds or MOST_ROUNDS
        return load_source(game.source, named, request.engine, rounds)


class AdvisedMind:
    """The adviser of `best` and `play`, in a hurry when asked.

    The adviser asks a clock for the time left. In a hurry the clock leaps ahead at every look, so
    that every end is past, also an end set in the hurry.
    """

    def __init__(self, game: LoadedGame, max_positions: int | None, seed: int) -> None:
        self.game = game
        self._rng = Random(seed)
        self._hurries, self._ahead = False, 0.0
        self._counsel = Counsel(
            game, self._rng, 1.0, max_positions=max_positions, clock=self._clock
        )

    def _clock(self) -> float:
        self._ahead += LEAP * self._hurries
        return perf_counter() + self._ahead

    def hurry(self) -> None:
        """End the current `think` as soon as possible."""
        self._hurries = True

    def calm(self) -> None:
        """Take back `hurry`."""
        self._hurries = False

    def think(self, history: History, seconds: float) -> Thought:
        """A move after a play, in about so many seconds; the only legal move, or a move at random
        where nothing is advised."""
        state = history[-1][0]
        is_joint = self.game.current_player(state) == SIMULTANEOUS
        if not is_joint and len(only := self.game.legal_actions(state)) == 1:
            line = (self.game.action_name(state, only[0]),)
            return Thought(only[0], "the only legal move", line=line, is_final=True)
        self._counsel.seconds = seconds
        try:
            return self._thought(state, self._counsel.advise(history))
        except UnsupportedGameError as refusal:
            return self._at_random(state, str(refusal))
        except GameRuleError as error:
            return self._at_random(state, f"the rules of the game fail: {error}")

    def _at_random(self, state: State, why: str) -> Thought:
        def choose(player: int) -> Action:
            return self._rng.choice(self.game.legal_actions(state, player))

        return Thought(step_of(self.game, state, self._rng, choose), f"at random: {why}")

    def _thought(self, state: State, advice: Advice) -> Thought:
        mixed = tuple((local.player, local.choices) for local in advice.drawn)
        answer, how = advice.answer, way_words(self.game, advice)
        if advice.drawn or isinstance(answer, SampledAnswer):
            return Thought(advice.action, how, mixed=mixed, is_final=True)
        name = self.game.action_name(state, advice.action)
        if isinstance(answer, Solution):
            plies, value = None, answer.value
            with suppress(KeyError):
                value, plies = answer.value_at(state), answer.remoteness(state)
            line = (
                answer.principal_variation if answer.principal_variation[:1] == (name,) else (name,)
            )
            return Thought(
                advice.action, how, value, plies=plies, line=line,
                nodes=answer.positions, is_final=True,
            )  # fmt: skip
        return Thought(
            advice.action,
            how,
            value=answer.payoffs(self.game.facts),
            line=answer.line,
            nodes=answer.nodes,
            is_final=answer.is_exact,
        )
