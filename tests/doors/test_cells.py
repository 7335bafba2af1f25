"""The cell `%%game` of notebooks, and answers as HTML."""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from tests.doors.conftest import PILE


class Shell:
    """A shell of IPython, as far as it is used."""

    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {}
        self.cells: dict[str, Any] = {}

    def register_magic_function(self, func: Any, magic_kind: str, magic_name: str) -> None:
        """Keep the cell."""
        assert magic_kind == "cell"
        self.cells[magic_name] = func


@pytest.fixture
def shell() -> Shell:
    """A shell with the extension."""
    made = Shell()
    gamedsl.load_ipython_extension(made)
    return made


def test_a_cell_with_rules_makes_a_game_and_shows_it(shell: Shell) -> None:
    shown = shell.cells["game"]("pile -D n=4", PILE)
    assert shell.user_ns["pile"].parameters == {"n": "4"}
    assert "pile: ok" in str(shown)
    assert "<svg" in shown._repr_html_()
    shell.cells["game"]("", PILE)
    assert gamedsl.solve(shell.user_ns["game"]).outcome == "Ann wins"


def test_a_cell_with_a_mistake_shows_the_place_and_keeps_the_game_of_before(shell: Shell) -> None:
    shell.cells["game"]("pile", PILE)
    before = shell.user_ns["pile"]
    shown = shell.cells["game"]("pile", PILE.replace("require k <= left", "require k <= lfet"))
    assert "did you mean `left`?" in str(shown)
    assert "k &lt;= lfet" in shown._repr_html_()
    assert shell.user_ns["pile"] is before


def test_a_false_claim_is_shown_and_the_game_is_there(shell: Shell) -> None:
    shown = shell.cells["game"](
        "", PILE.replace("expect value: Ann wins", "expect value: Bob wins")
    )
    assert "E4001" in shown._repr_html_()
    assert "game" in shell.user_ns


@pytest.mark.parametrize("line", ["a b", "2x", "-D n", "-D", "'"])
def test_a_first_line_that_is_not_understood_is_answered(
    shell: Shell, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shell.cells["game"](line, PILE) is None
    assert "`%%game NAME -D PARAMETER=VALUE`" in capsys.readouterr().out
    assert not shell.user_ns


def test_best_moves_and_matrices_are_drawn() -> None:
    html = gamedsl.best("nim")._repr_html_()
    assert "<td>take(1, 2)</td><td>1, -1</td><td>11</td>" in html
    assert html.count("<td>1/2</td>") == 0
    assert gamedsl.best("matching_pennies")._repr_html_().count("<td>1/2</td>") == 4
    matrix = gamedsl.matrix("prisoners_dilemma", "html")
    assert matrix._repr_html_() == matrix  # type: ignore[attr-defined]
    assert gamedsl.matrix("prisoners_dilemma", "latex").startswith("\\")


def test_a_bar_shows_the_positions_explored(capsys: pytest.CaptureFixture[str]) -> None:
    bar = gamedsl.progress_bar()
    bar._last = 0.0
    bar(1500, 500)
    assert capsys.readouterr().err == f"\r[{'#' * 22:<30}] 1,500 positions, 500 waiting"
    assert bar._repr_html_().startswith('<progress value="1500" max="2000">')
    gamedsl.solve("tic_tac_toe", progress=bar)
    assert bar.explored > 0
