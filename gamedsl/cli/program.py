"""The complete program: imports all commands, in the order of the help."""

from __future__ import annotations

from gamedsl.cli.app import app
from gamedsl.cli.commands import answers, designing, views, writing

__all__ = ["answers", "app", "designing", "views", "writing"]
