"""Players that are programs of others: a process that is asked for moves, by JSON lines or UCI."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from gamedsl.game.encoding import state_to_json
from gamedsl.game.game import LoadedGame
from gamedsl.game.notebook import StateView
from gamedsl.model.errors import UnsupportedGameError

PATIENCE = 20.0
"""Seconds that a program may take beyond the time of a move."""
PROTOCOLS = ("json", "uci")


class EngineError(Exception):
    """Another program does not play: it cannot be started, ends, is silent, or refuses."""


class EngineAgent:
    """An agent for `game.play`: another program chooses. The program ends with `close`, or at the
    end of a `with` block."""

    def __init__(self, command: str | Sequence[str], seconds: float, protocol: str) -> None:
        """`command`: the program with its arguments; `seconds`: the time for a move.

        Raises EngineError if the program cannot be started, ValueError for an unknown protocol.
        """
        if protocol not in PROTOCOLS:
            raise ValueError(f"a protocol is json or uci, not {protocol!r}")
        self._words = shlex.split(command) if isinstance(command, str) else list(command)
        if not self._words:
            raise EngineError("the command of a program is needed")
        self._seconds, self._protocol = seconds, protocol
        self._lines: SimpleQueue[str] = SimpleQueue()
        try:
            self._process = subprocess.Popen(
                self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
            )
        except OSError as error:
            raise EngineError(f"`{self}` cannot be started: {error}") from error
        Thread(target=self._listen, daemon=True).start()
        if protocol == "uci":
            self._say("uci")
            self._answer_with("uciok")

    def __str__(self) -> str:
        return shlex.join(self._words)

    def __enter__(self) -> EngineAgent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, view: StateView) -> str:
        """The move of the program.

        Raises EngineError; UnsupportedGameError for a game with secrets, whose positions a program
        would see whole, or, by UCI, for a game without the men of chess.
        """
        game = view.game
        assert isinstance(game, LoadedGame), "agents play games with rules"
        if game.facts.has_secrets:
            raise UnsupportedGameError("another program is told the whole position, secrets too")
        if self._protocol == "json":
            return self._by_json(game, view)
        if game.notation is None:
            raise UnsupportedGameError("UCI writes positions with the men of chess")
        self._say(f"position fen {game.notation.position(view.state)}")
        self._say(f"go movetime {max(1, round(1000 * self._seconds))}")
        words = self._answer_with("bestmove").split()
        return words[1] if len(words) > 1 else ""

    def close(self) -> None:
        """End the program."""
        if self._process.poll() is None:
            try:
                self._say("quit" if self._protocol == "uci" else json.dumps({"do": "quit"}))
                self._process.wait(1)
            except (EngineError, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was not sent is lost
                if stream is not None:
                    stream.close()

    def _by_json(self, game: LoadedGame, view: StateView) -> str:
        self._ask({"do": "new", "state": state_to_json(game, view.state)})
        name = self._ask({"do": "best", "seconds": self._seconds}).get("action")
        if not isinstance(name, str):
            raise EngineError(f"`{self}` names no action")
        parts, viewer = name.split("+"), view.viewer or 0
        return parts[viewer] if len(parts) == len(game.players) > 1 else name

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self._say(json.dumps(request))
        line = self._answer_with("{")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise EngineError(f"`{self}` answers without JSON: {line[:80]}") from error
        if "error" in answer:
            raise EngineError(f"`{self}` answers: {answer['error']}")
        return dict(answer)

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None, "the input is a pipe"
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise EngineError(f"`{self}` has ended") from error

    def _answer_with(self, beginning: str) -> str:
        """The next line with a beginning."""
        ends = monotonic() + self._seconds + PATIENCE
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, ends - monotonic()))
            except Empty:
                raise EngineError(f"`{self}` is silent") from None
            if not line:
                raise EngineError(f"`{self}` has ended")
            if line.startswith(beginning):
                return line

    def _listen(self) -> None:
        assert self._process.stdout is not None, "the output is a pipe"
        try:
            for line in self._process.stdout:
                self._lines.put(line.strip() or " ")
        except (OSError, ValueError):
            pass  # closed, or no text
        self._lines.put("")
