"""The game and position of a command, as typed; `inputs` loads the game and the state."""

from __future__ import annotations

from pathlib import Path

from gamedsl.cli.limits import NO_LIMITS, Limits
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments for the game and the position, as typed.

    Attributes:
        file: a path, `-` for standard input, or the name of a shipped game.
        parameters: settings `n=4`, one per parameter.
        at: moves to make first.
        state: a file with the state to begin in instead of S0.
        max_rounds: limit on the rounds of loops in a body; None: the language's default.
        engine: the engine of the game.
        quiet: whether to suppress progress and notes.
        limits: time and memory limits of the command.
    """

    file: str
    parameters: tuple[str, ...] = ()
    at: str = ""
    state: Path | None = None
    max_rounds: int | None = None
    engine: str = "auto"
    quiet: bool = False
    limits: Limits = NO_LIMITS
