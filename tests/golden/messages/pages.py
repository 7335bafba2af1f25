"""The bad examples of the catalogue, and what `check` says about a text.

In: `docs/language/errors/`. Out: texts by code, and findings rendered as a reader meets them.
"""

from __future__ import annotations

import re
from pathlib import Path

from gamedsl.cli.asked.answers import CheckOptions
from gamedsl.cli.bodies.check import check_file
from gamedsl.source import SourceFile
from gamedsl.source.render import render

CATALOGUE = Path(__file__).resolve().parents[3] / "docs" / "language" / "errors"
EXAMPLE = re.compile(r"^```gamedsl-bad\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODES = sorted(page.stem for page in CATALOGUE.glob("*.md"))


def bad_examples(code: str) -> list[str]:
    """The games with this mistake that the page of a code shows."""
    return EXAMPLE.findall((CATALOGUE / f"{code}.md").read_text("utf-8"))


def told(text: str, *settings: str, max_positions: int = 10_000) -> str:
    """Everything that `gamedsl check` says about a text."""
    options = CheckOptions(list(settings), positions=300, max_positions=max_positions)
    report = check_file(("my.game", SourceFile("my.game", text)), options)
    return "".join(f"{render(found)}\n" for found in report.findings())
