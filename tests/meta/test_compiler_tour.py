"""The tour of the compiler is true: every command on the page prints what is shown below it.

`pytest --snapshot-update` writes the blocks anew; review the difference.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gamedsl.cli.program import app

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "compiler_tour.md"
CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)$", re.MULTILINE)


def printed(command: str) -> str:
    """The lines that a command prints, and what the commands behind `|` make of them."""
    first, _, others = command.partition(" | ")
    if not first.startswith("gamedsl "):
        return filtered(command, "")
    text = ran(first)
    return filtered(others, text) if others else text.rstrip()


@cache
def ran(command: str) -> str:
    """What our own command prints; a message of refusal follows the output."""
    done = CliRunner().invoke(app, shlex.split(command)[1:], prog_name="gamedsl")
    assert done.exit_code in {0, 4}, done.stderr
    return done.stdout + done.stderr


def filtered(command: str, text: str) -> str:
    """What a command of the shell makes of a text."""
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, input=text, capture_output=True, text=True, check=True
    )
    return done.stdout.rstrip()


def executed(block: str) -> str:
    """The block with what its commands print now."""
    commands = COMMAND.findall(block)
    shown = {command: printed(command) for command in commands}
    empty = [command for command in commands if not shown[command]]
    assert not empty, "these commands print nothing"
    return "\n\n".join(f"$ {command}\n{shown[command]}" for command in commands) + "\n"


def test_commands_of_the_tour_print_what_the_page_shows(request: pytest.FixtureRequest) -> None:
    made = CONSOLE.sub(lambda block: executed(block[0]), PAGE.read_text("utf-8"))
    if request.config.getoption("--snapshot-update", default=False):
        PAGE.write_text(made, "utf-8")
    assert made == PAGE.read_text("utf-8")


def test_the_tour_comes_by_every_stage_of_the_rules() -> None:
    shown = set(re.findall(r"^\$ gamedsl show \w+ --format (\w+)", PAGE.read_text("utf-8"), re.M))
    assert shown == {"ast", "model", "ir", "source"}


def test_every_link_of_the_tour_leads_to_a_file() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", PAGE.read_text("utf-8"))
    assert links
    assert not [link for link in links if not (PAGE.parent / link).exists()]
