"""The examples of README.md are true: every command prints what the page shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import gamedsl

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of the page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def transcript() -> list[tuple[str, str]]:
    """Commands of the transcripts with what the page shows below them."""
    parts = re.split(r"^\$ ", "".join(blocks("console")), flags=re.MULTILINE)[1:]
    return [(part.split("\n", 1)[0], part.split("\n", 1)[1].rstrip()) for part in parts]


def without_times(text: str) -> str:
    return re.sub(r"\d+(\.\d+)? s$", "? s", text, flags=re.MULTILINE)


@pytest.mark.parametrize(("command", "shown"), transcript(), ids=[c for c, _ in transcript()])
def test_a_command_of_the_transcript_prints_what_the_page_shows(command: str, shown: str) -> None:
    python = shlex.quote(sys.executable)
    script = f'gamedsl() {{ {python} -m gamedsl "$@"; }}\n{command}'
    ran = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode in {0, 1}, ran.stderr
    assert without_times(ran.stdout.rstrip()) == without_times(shown)


def test_there_are_two_commands_one_for_the_main_job_and_one_for_the_tests() -> None:
    main, tests = (block.strip() for block in blocks("sh"))
    assert main.endswith("gamedsl solve games/tic_tac_toe.game")
    _, python, pytest_command = tests.rpartition("python -m pytest ")
    assert python
    in_ci = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "install '.[dev]'" in in_ci
    assert "'.[dev]'" in tests
    assert in_ci.endswith(f'"$bin/python" -m pytest {pytest_command}\n')


def test_the_example_of_the_language_is_the_shipped_game() -> None:
    (text,) = blocks("gamedsl")
    assert len(text.splitlines()) == 12
    shown, shipped = gamedsl.load(text), gamedsl.load(ROOT / "games" / "tic_tac_toe.game")
    assert shown.facts == shipped.facts
    assert shown.show(shown.initial_state()) == shipped.show(shipped.initial_state())


def test_the_example_of_the_library_runs() -> None:
    (code,) = blocks("python")
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "B to move" in ran.stdout


def test_every_link_leads_to_a_file() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]
