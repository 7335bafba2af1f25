"""The paths of the pages about diagnostic codes; no other module knows the paths.

A checkout has the pages in `docs/language/errors/` beside the package; an installed wheel has the
pages as package data.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def pages_directory() -> Path:
    """The directory of the pages `E0102.md`, one per diagnostic code."""
    return _first_that_exists(
        _PACKAGE / "_errors", _PACKAGE.parent / "docs" / "language" / "errors"
    )


@cache
def pages() -> dict[str, Path]:
    """The pages by diagnostic code, in order."""
    return {path.stem: path for path in sorted(pages_directory().glob("[EW][0-9]*.md"))}


def _first_that_exists(*candidates: Path) -> Path:
    for candidate in candidates:
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"gamedsl is not installed completely: no {candidates[0]}")
