"""The catalogue of diagnostics and the library of games are complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = {page.stem: page for page in (ROOT / "docs" / "language" / "errors").glob("*.md")}
GAMES = sorted((ROOT / "games").rglob("*.game"))


def codes_in_the_program() -> set[str]:
    """Every diagnostic code that occurs as a text in the package."""
    return {
        code
        for path in (ROOT / "gamedsl").rglob("*.py")
        for code in re.findall(r"[\"']([EW]\d{4})[\"']", path.read_text("utf-8"))
    }


def test_every_code_has_a_page() -> None:
    assert codes_in_the_program()
    assert not sorted(codes_in_the_program() - set(PAGES))


def test_every_page_is_about_a_code_of_the_program() -> None:
    assert not sorted(set(PAGES) - codes_in_the_program())


@pytest.mark.parametrize("code", sorted(PAGES))
def test_a_page_opens_with_its_code_and_shows_an_example(code: str) -> None:
    text = PAGES[code].read_text("utf-8")
    assert text.startswith(f"# {code}: ")
    assert "```" in text or "`-D " in text


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)
def test_a_shipped_game_explains_itself_and_makes_a_claim(game: Path) -> None:
    lines = game.read_text("utf-8").splitlines()
    assert lines[0].startswith("# "), "open with a comment: the rules in words"
    assert any(line.startswith("expect ") for line in lines), "claim at least one fact"
