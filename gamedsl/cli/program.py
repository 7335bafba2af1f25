"""The whole program: all commands are known, in the order in which help lists them."""

from __future__ import annotations

from gamedsl.cli.app import app
from gamedsl.cli.commands import answers, views, writing

__all__ = ["answers", "app", "views", "writing"]
