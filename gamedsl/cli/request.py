"""Which game and position a command is about, as typed; `inputs` makes a game and a state of it."""

from __future__ import annotations

from pathlib import Path

from gamedsl.cli.limits import NO_LIMITS, Limits
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments that say which game and position are meant, as typed.

    Attributes:
        file: a path, `-` for standard input, or the name of a shipped game.
        parameters: `n=4`, one a parameter that is set.
        at: moves to make first; state: a file with the state to begin in instead of S0.
        max_rounds: how many rounds the loops of one body may go; None: as the language has it.
        engine: what is to play the game.
        quiet: whether progress and remarks are unwanted.
        limits: what the command may take.
    """

    file: str
    parameters: tuple[str, ...] = ()
    at: str = ""
    state: Path | None = None
    max_rounds: int | None = None
    engine: str = "auto"
    quiet: bool = False
    limits: Limits = NO_LIMITS
