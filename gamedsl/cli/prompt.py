"""Input of lines, with editing, history and completion on a terminal.

The standard library's `readline` is optional and imported at the first prompt on a terminal; piped
input is echoed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from gamedsl.cli.boundary import wrong_usage
from gamedsl.cli.console import Console

LONGEST_LINE = 10_000
"""Limit on the characters of a line, as piped input may lack line ends."""


class LeaveError(Exception):
    """The user leaves, or the input has ended."""


class Prompt:
    """Reads lines from standard input."""

    def __init__(self) -> None:
        self._candidates: Callable[[], Iterable[str]] = tuple
        self._matches: list[str] = []
        self._editor: Any = None
        if sys.stdin.isatty():
            self._edit()

    def _edit(self) -> None:
        try:
            self._editor = import_module("readline")
        except ImportError:  # Windows: the console has editing and history built in
            return
        self._editor.set_completer(self._complete)
        self._editor.set_completer_delims("")
        is_libedit = "libedit" in (self._editor.__doc__ or "")
        self._editor.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")

    def ask(self, prompt: str, candidates: Callable[[], Iterable[str]]) -> str:
        """The next line, stripped of surrounding blanks. Raises LeaveError at the end of input."""
        self._candidates = candidates
        if sys.stdin.isatty():
            try:
                return input(prompt).strip()
            except EOFError:
                print()
                raise LeaveError from None
        line = sys.stdin.readline(LONGEST_LINE + 1)
        if not line:
            raise LeaveError
        if len(line) > LONGEST_LINE:
            raise wrong_usage(f"a line of more than {LONGEST_LINE:,} characters is no answer")
        Console().out(prompt + line.strip())
        return line.strip()

    def _complete(self, text: str, place: int) -> str | None:
        """The completions of the line as requested by `readline`: one by one, then None."""
        if place == 0:
            self._matches = completions(text, self._candidates())
        return self._matches[place] if place < len(self._matches) else None


def completions(text: str, candidates: Iterable[str]) -> list[str]:
    """The candidates with a given beginning, blanks ignored, without duplicates.

    A candidate with commas is left out if a version without commas is present.
    """
    begun = "".join(text.split())
    matches = dict.fromkeys(
        candidate for candidate in candidates if "".join(candidate.split()).startswith(begun)
    )
    return [
        candidate
        for candidate in matches
        if "," not in candidate or candidate.replace(",", "") not in matches
    ]
