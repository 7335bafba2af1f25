"""`gamedsl explain`: the formats and the chosen state."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


def test_the_definition_names_the_functions_and_the_measured_counts(run: Run) -> None:
    shown = run("explain", "tic_tac_toe").out
    assert "ACTIONS(S0) = {mark(a1), mark(b1)," in shown
    assert "RESULT(S0, mark(a1)) =\n      3 . . .\n" in shown
    assert "5,478 states can be reached, 958 of them terminal" in shown


def test_a_limit_on_counting_is_told(run: Run) -> None:
    shown = run("explain", "tic_tac_toe", "--max-positions", "50").out
    assert "more than 50 states can be reached" in shown


def test_parameters_and_moves_apply(run: Run, pile: Path) -> None:
    shown = run("explain", pile, "-D", "n=4", "--at", "take(1)").out
    assert shown.startswith("Pile\n")
    assert "  n = 4\n" in shown
    assert "PLAYER(s1) = Bob" in shown


@pytest.mark.parametrize(
    ("wanted", "begin"),
    [
        ("markdown", "# Pile"),
        ("latex", "\\documentclass"),
        ("html", "<!doctype html>"),
        ("json", '{\n  "schema_version": 1,\n  "game": "Pile"'),
    ],
)
def test_other_formats_are_whole_documents(run: Run, pile: Path, wanted: str, begin: str) -> None:
    shown = run("explain", pile, "--format", wanted)
    assert shown.status == 0
    assert shown.out.startswith(begin)
    assert "take" in shown.out


def test_the_names_of_the_fourth_edition_are_given_on_request(run: Run, pile: Path) -> None:
    assert "PLAYER(S0) = Ann" in run("explain", pile).out
    shown = run("explain", pile, "--edition", "4").out
    assert "TO-MOVE(S0) = Ann" in shown
    assert "PLAYER" not in shown
