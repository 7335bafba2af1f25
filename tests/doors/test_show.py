"""`gamedsl show`, and where a file may come from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import PILE, Run


def test_the_board_is_shown_after_the_moves_of_at(run: Run) -> None:
    shown = run("show", "tic_tac_toe", "--at", "a1 mark(b2)")
    assert shown.status == 0
    assert shown.out == "3 . . .\n2 .[O].\n1 X . .\n  a b c\nX to move\n"


def test_a_dash_reads_standard_input(run: Run) -> None:
    assert run("show", "-", stdin=PILE).out == "left: 5\nAnn to move\n"


def test_parameters_are_set_with_d(run: Run, pile: Path) -> None:
    assert "left: 7" in run("show", pile, "-D", "n=7").out


def test_the_state_as_json_can_be_read_back(run: Run, pile: Path, tmp_path: Path) -> None:
    state = run("show", pile, "--at", "take(2)", "--format", "state").out
    data = json.loads(state)
    assert (data["schema_version"], data["turn"], data["variables"]) == (1, "Bob", {"left": "3"})
    file = tmp_path / "state.json"
    file.write_text(state)
    assert run("show", pile, "--state", file, "--at", "1").out == "left: 2\nAnn to move\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"variables": {"left": 9}}', "its domain is `0..5`"),
        ('{"variables": {"lfet": 1}}', "did you mean `left`?"),
        ('{"turn": "Eve"}', "Eve"),
        ("[1]", "object"),
        ("{", "Expecting"),
    ],
)
def test_a_state_that_is_none_is_refused(
    run: Run, pile: Path, tmp_path: Path, text: str, complaint: str
) -> None:
    file = tmp_path / "state.json"
    file.write_text(text)
    refused = run("show", pile, "--state", file)
    assert refused.status == 2
    assert complaint in refused.err
    assert not refused.out


def test_a_chance_event_has_no_json(run: Run) -> None:
    refused = run("show", "kuhn_poker", "--format", "state", "--at", "card[Ann]=K")
    assert (refused.status, refused.out) == (2, "")
    assert 'name its outcome too, as in --at "card[Ann]=K card[Bob]=J"' in refused.err
    named = run("show", "kuhn_poker", "--format", "state", "--at", "card[Ann]=K card[Bob]=J")
    assert json.loads(named.out)["turn"] == "Ann"


def test_the_tree_and_the_model_are_outlines_with_positions(run: Run, pile: Path) -> None:
    tree = run("show", pile, "--format", "ast").out
    assert "GameTitle title='Pile'  @2:1" in tree
    model = run("show", pile, "--format", "model", "-D", "n=6").out
    assert "Variable name='left' indices=() domain=0..6" in model


def test_the_compiled_rules_are_functions_with_types_and_the_lines_of_the_game(
    run: Run, pile: Path
) -> None:
    compiled = run("show", pile, "--format", "ir", "-D", "n=6").out
    assert "function legal(w0: bits64, out: row, n: int) -> int:\n" in compiled
    assert "# " in compiled
    assert "left__" in compiled
    assert compiled != run("show", pile, "--format", "ir").out


def test_every_function_that_is_compiled_is_in_the_source(run: Run, pile: Path) -> None:
    compiled, source = (run("show", pile, "--format", stage).out for stage in ("ir", "source"))
    functions = re.findall(r"^function (\w+)", compiled, re.MULTILINE)
    assert "apply" in functions
    assert re.findall(r"^def (\w+)", source, re.MULTILINE)[-len(functions) :] == functions


@pytest.mark.parametrize("stage", ["ir", "source"])
def test_rules_that_are_not_compiled_are_refused_with_the_reason(run: Run, stage: str) -> None:
    refused = run("show", "centipede", "--format", stage)
    assert (refused.status, refused.out) == (4, "")
    assert refused.err == "not supported: not compiled yet: an explicit tree\n"


def test_a_misspelt_shipped_game_is_recognised(run: Run) -> None:
    refused = run("show", "tictactoe")
    assert refused.status == 2
    assert "did you mean the shipped game `tic_tac_toe`?" in refused.err


def test_a_word_of_a_name_is_answered_with_the_games_that_have_it(run: Run) -> None:
    assert "did you mean the shipped game `nine_mens_morris`?" in run("games", "nine").err
    either = "did you mean the shipped game `nine_mens_morris` or `six_mens_morris`?"
    assert either in run("solve", "morris").err
    assert "`gamedsl games` lists the shipped games" in run("solve", "whist").err


def test_a_name_of_a_directory_is_refused(run: Run, tmp_path: Path) -> None:
    assert run("show", tmp_path).status == 2


def test_a_parameter_that_is_not_there_is_a_usage_error(run: Run, pile: Path) -> None:
    refused = run("show", pile, "-D", "m=7")
    assert refused.status == 2
    assert "`n`" in refused.err
    assert run("show", pile, "-D", "n").status == 2


def test_an_illegal_move_in_at_is_a_usage_error(run: Run, pile: Path) -> None:
    refused = run("show", pile, "--at", "take(2) take(2) take(2)")
    assert refused.status == 2
    assert "take(2)" in refused.err


def test_an_error_of_the_rules_shows_the_state(run: Run, game_file: object) -> None:
    assert callable(game_file)
    broken = PILE.replace("    require k <= left\n", "").replace("- n", "- k")
    path = game_file(broken.split("expect")[0])
    failed = run("show", path, "--at", "take(2) take(2) take(2)")
    assert failed.status == 1
    assert "error[E3" in failed.err
    assert "left: 1" in failed.err


BIDS = """\
# Both bid at once; then a coin falls, and nothing says what no heads is worth.
game "Bids"
players A, B
state:
    bid[players]: none | 0..1 = none
    heads: bool = false
simultaneous offer(n in 0..1):
    require bid[me] == none
    bid[me] = n
move toss:
    require bid[A] != none and bid[B] != none
    chance heads in {false, true}
    retract()
effect retract():
    if not heads: bid[A] = none
end:
    if heads: draw
"""


def test_a_play_that_check_shows_can_be_given_to_at(
    run: Run, game_file: Callable[..., Path]
) -> None:
    path = game_file(BIDS)
    found = json.loads(run("check", path, "--json").out)["files"][0]["diagnostics"]
    (play,) = [n.partition(": ")[2] for d in found for n in d["notes"] if n.startswith("the play")]
    assert "offer(0)+offer(0)" in play
    assert run("show", path, "--at", play).status == 0


def test_the_rules_of_a_definition_that_calls_itself_are_shown_once(run: Run) -> None:
    text = PILE.replace("require ", "require f(k) == k and ")
    recursive = text + "def f(i in 0..3) = 0 if i == 0 else 1 + f(i - 1)\n"
    shown = run("show", "-", "--format", "model", stdin=recursive)
    assert shown.status == 0
    assert shown.out.count("RecursiveDefinition") == 2
    assert shown.out.count("(see above)") == 1


def test_men_that_variables_hold_stand_beside_marks(run, tmp_path):
    path = tmp_path / "isola.game"
    path.write_text(
        """game "Isola"
players White, Black
board 4 wide 4 high

state:
    king[p in players]: square = a2 if p == White else d3
    gone[square]: bool = false

move step(d in directions, r in square):
    let to = king[turn] + d
    require to != none and not gone[to] and to != king[opponent]
    require r != to and r != king[opponent] and not gone[r]
    king[turn] = to
    gone[r] = true

end:
    if stuck: opponent wins
"""
    )
    board = run("show", str(path), "--at", "step(N,b2)").out.splitlines()[:5]
    assert board == ["4 . . . .", "3 W . . B", "2 .[x]. .", "1 . . . .", "  a b c d"]
