"""What the exit status of the command means; documented in docs/machine_interface.md."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit statuses of every command. They are part of the machine interface."""

    DONE = 0
    """Done; where the command asks a question, the answer is yes."""
    NO = 1
    """Done, and the answer is no: findings in a file, a claim that does not hold, a file that
    would be reformatted."""
    USAGE = 2
    """The command line itself is wrong: an unknown option, no such file, an illegal move."""
    UNDECIDED = 3
    """Gave up inside the limits that were set; what was found so far is printed."""
    UNSUPPORTED = 4
    """The file is valid, but no solver here applies to such a game; the reason is printed."""
    INTERNAL = 70
    """A bug of this program (EX_SOFTWARE of sysexits.h)."""
    INTERRUPTED = 130
    """Interrupted from the keyboard (128 + SIGINT)."""
    TERMINATED = 143
    """Ended by SIGTERM (128 + SIGTERM)."""
