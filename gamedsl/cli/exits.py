"""The exit statuses of the command; documented in docs/machine_interface.md."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit statuses of every command, a part of the machine interface."""

    DONE = 0
    """Done; if the command asks a question, the answer is yes."""
    NO = 1
    """Done, and the answer is no: findings in a file, a false claim, a file that would be
    reformatted.
    """
    USAGE = 2
    """The command line is wrong: an unknown option, a missing file, an illegal move."""
    UNDECIDED = 3
    """Gave up at a limit; the results so far are printed."""
    UNSUPPORTED = 4
    """The file is valid, but no solver applies to the game; the reason is printed."""
    INTERNAL = 70
    """A bug of the program (EX_SOFTWARE of sysexits.h)."""
    INTERRUPTED = 130
    """Interrupted from the keyboard (128 + SIGINT)."""
    TERMINATED = 143
    """Ended by SIGTERM (128 + SIGTERM)."""
