"""What all commands about a game share: the file, its parameters, and the position to begin in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamedsl.cli.exits import ExitCode
from tests.doors.conftest import Run

COMMANDS = [
    ["solve"], ["best"], ["perft", "1"], ["playouts", "-n", "1"], ["match", "-n", "1"], ["play"],
    ["show"], ["tree"], ["explain"], ["trace"], ["estimate", "--time", "0"],
]  # fmt: skip
WAITED_FOR = [one for one in COMMANDS if one[0] != "show"]
THREE_TWOS = "take(2) take(2) take(2)"
"""Possible with a pile of 9, not with one of 5."""


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_command_begins_where_it_is_told_in_the_game_that_it_is_told(
    run: Run, pile: Path, command: list[str]
) -> None:
    name, *own = command
    refused = run(name, pile, *own, "--at", THREE_TWOS)
    assert refused.status == ExitCode.USAGE
    assert "--at" in refused.err
    assert run(name, pile, *own, "--at", THREE_TWOS, "-D", "n=9").status == ExitCode.DONE


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_command_begins_in_the_state_of_a_file(
    run: Run, pile: Path, tmp_path: Path, command: list[str]
) -> None:
    name, *own = command
    state = tmp_path / "state.json"
    state.write_text(
        run("show", pile, "--format", "state").out.replace('"left": "5"', '"left": "9"')
    )
    assert "`left` cannot be" in run(name, pile, *own, "--state", state).err


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_help_lists_the_options_for_the_position_together(run: Run, command: list[str]) -> None:
    lines = [line.split()[0] for line in run(command[0], "--help").out.splitlines() if "--" in line]
    first = lines.index("-D,")
    assert lines[first : first + 3] == ["-D,", "--at", "--state"]


@pytest.mark.parametrize("command", WAITED_FOR, ids=lambda command: command[0])
def test_what_may_take_long_can_be_asked_to_be_quiet(
    run: Run, pile: Path, command: list[str]
) -> None:
    name, *own = command
    assert run(name, pile, *own, "-q", stdin="quit\n").err == ""


@pytest.mark.parametrize("asked", [["--json"], ["--format", "json"], ["--format=json"]])
@pytest.mark.parametrize("command", ["check", "estimate", "explain", "best"])
def test_json_is_asked_for_by_either_spelling(
    run: Run, pile: Path, command: str, asked: list[str]
) -> None:
    answer = run(command, pile, *asked)
    assert answer.status == ExitCode.DONE
    assert "schema_version" in json.loads(answer.out)
