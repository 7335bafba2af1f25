"""What the page of the playground asks, and what it is told."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.game.library import shipped_game
from gamedsl.playground.dispatch import answer
from gamedsl.playground.units import Units
from gamedsl.reports.trees.search import SearchLog

DEALT = ["card[Ann]=K", "card[Bob]=Q"]
KINDS = (
    "tic_tac_toe",
    "chess",
    "pig",
    "kuhn_poker",
    "rock_paper_scissors",
    "kalah",
    "aima_fig_5_2",
)


def text_of(name: str) -> str:
    path = shipped_game(name)
    assert path is not None
    return path.read_text("utf-8")


TICTACTOE = text_of("tic_tac_toe")


def ask(question: str, **fields: object) -> Any:
    """The answer to a question that is expected to have one."""
    found = json.loads(answer(json.dumps({"ask": question, **fields})))
    assert "error" not in found, found
    return found["answer"]


def refusal(question: str, **fields: object) -> str:
    """What is said to a question that has no answer."""
    found = json.loads(answer(json.dumps({"ask": question, **fields})))
    return str(found["error"]["message"])


def test_a_mistake_is_found_explained_and_mended() -> None:
    wrong = TICTACTOE.replace("require cell[s] == empty", "require cel[s] == empty")
    found = ask("findings", text=wrong)
    assert found["game"] is None
    (one,) = [one for one in found["findings"] if one["severity"] == "error"]
    assert wrong[one["from"] : one["to"]] == "cel"
    assert "did you mean `cell`?" in one["message"]
    assert "unknown" in ask("rule", code=one["code"]).lower()
    (fix,) = ask("fixes", text=wrong, offset=one["from"], code=one["code"])
    (edit,) = fix["edits"]
    assert wrong[: edit["from"]] + edit["insert"] + wrong[edit["to"] :] == TICTACTOE
    assert ask("findings", text=TICTACTOE)["game"]["title"] == "Tic-tac-toe"


def test_places_are_counted_in_units_of_utf_16() -> None:
    text = TICTACTOE.replace("# Tic-tac-toe", "# \U0001f3b2\U0001f3b2 Tic-tac-toe")
    units = Units(text)
    at = text.index("require")
    assert (units.of(at), units.character(at + 2)) == (at + 2, at)
    found = ask("hover", text=text, offset=at + 3)
    assert (found["from"], found["to"]) == (at + 2, at + 9)
    assert ask("hover", text=text, offset=10**6) is None
    assert ask("hover", text=text, offset=-5) is None


def test_what_fits_best_completes_a_line() -> None:
    text = TICTACTOE.replace("cell[s] = turn", "cell[s] = ")
    labels = [one["label"] for one in ask("complete", text=text, offset=text.index("= \n") + 2)]
    assert labels[:4] == ["O", "X", "empty", "s"]


@pytest.mark.parametrize("name", KINDS)
def test_a_play_of_any_kind_goes_on_as_the_choices_say(name: str) -> None:
    text, rng, moves = text_of(name), Random(1), []
    for _ in range(6):
        found = ask("position", text=text, moves=moves)
        assert found["svg"].startswith("<svg")
        if found["mover"] == "nobody":
            assert found["outcome"]
            break
        if found["mover"] == "chance":
            moves.append(ask("draw", text=text, moves=moves, seed=3))
            continue
        chosen = [rng.choice(one["actions"])["name"] for one in found["choices"]]
        moves.append("+".join(chosen))
    assert len(ask("position", text=text, moves=moves)["log"]) == len(moves)


def test_squares_are_where_the_picture_has_them() -> None:
    found = ask("position", text=TICTACTOE, moves=["mark(b2)"])
    by_name = {one["name"]: one["squares"] for one in found["choices"][0]["actions"]}
    assert by_name["mark(a1)"] == ["a1"]
    (left, low), (right, _) = found["centres"]["a1"], found["centres"]["c1"]
    assert right - left == 2 * found["unit"]
    across, down = left - found["unit"] / 2, low - found["unit"] / 2
    assert f'<rect x="0" y="88" width="{found["unit"]:g}"' in found["svg"]
    assert f"translate({across:g} {down - 88:g})" in found["svg"]


def test_places_where_something_stands_are_told() -> None:
    assert ask("position", text=TICTACTOE, moves=["mark(b2)"])["taken"] == ["b2"]
    puzzle = ask("position", text=text_of("eight_puzzle"), moves=[])
    assert len(puzzle["taken"]) == 8
    pits = ask("position", text=text_of("kalah"), moves=[])
    assert set(pits["taken"]) == set(pits["centres"])


def test_a_column_is_pointed_at_by_the_square_where_the_disc_lands() -> None:
    found = ask("position", text=text_of("connect_small"), moves=["drop(1)"])
    squares = [one["squares"] for one in found["choices"][0]["actions"]]
    assert [len(one) for one in squares] == [1] * len(squares)
    assert squares[0][0][1:] == "2"
    assert squares[1][0][1:] == "1"


def test_a_man_is_pointed_at_and_then_where_he_goes() -> None:
    found = ask("position", text=text_of("checkers"), moves=["step(c3, NE)", "step(b6, SE)"])
    actions = {one["name"]: one["squares"] for one in found["choices"][0]["actions"]}
    assert actions == {"jump(d4, NW)": ["d4", "b6"]}
    first = ask("position", text=text_of("hexapawn"), moves=[])["choices"][0]["actions"]
    assert first[0]["squares"] == ["a1", "a2"]


def test_a_tile_is_pointed_at_where_it_lies() -> None:
    found = ask("position", text=text_of("eight_puzzle"), moves=[])
    before = [one["squares"] for one in found["choices"][0]["actions"]]
    assert all(len(one) == 1 for one in before)
    assert len({one[0] for one in before} & found["centres"].keys()) == len(before)


def test_the_other_player_sees_no_hidden_card() -> None:
    seen = ask("position", text=text_of("kuhn_poker"), moves=DEALT, viewer=1)
    assert "Q" in seen["text"]
    assert "K" not in seen["text"] + seen["svg"].replace("Kuhn", "")
    assert [one["name"] for one in seen["log"]] == ["draws unseen", "draws unseen"]


def test_at_the_end_all_cards_are_turned_up_and_the_game_is_solved_from_its_beginning() -> None:
    moves = [*DEALT, "bet", "fold"]
    seen = ask("position", text=text_of("kuhn_poker"), moves=moves, viewer=1)
    assert [one["name"] for one in seen["log"]] == moves
    assert "K" in seen["text"]
    solved = ask("solve", text=text_of("kuhn_poker"), moves=moves[:3])
    assert solved["headline"] == ask("solve", text=text_of("kuhn_poker"), moves=[])["headline"]
    assert "-1/18" in solved["headline"]


def test_the_line_that_wins_is_told() -> None:
    moves = [f"mark({square})" for square in ("a1", "b1", "a2", "b2", "a3")]
    seen = ask("position", text=TICTACTOE, moves=moves)
    assert [one["short"] for one in seen["log"]] == ["a1", "b1", "a2", "b2", "a3"]
    assert list(seen["in_line"]) == ["a1", "a2", "a3"]
    assert list(ask("position", text=TICTACTOE, moves=moves[:4])["in_line"]) == []


@pytest.mark.parametrize(
    ("name", "move", "label"),
    [
        ("chess", "go(e2, e4)", "e2-e4"),
        ("connect_four", "drop(4)", "d1"),
        ("wild_tic_tac_toe", "put(a1, nought)", "a1 nought"),
        ("hidden_coin", "show(heads)", "heads"),
        ("nim", "take(1, 1)", "take(1, 1)"),  # without the verb, two numbers tell nothing
        ("l_game", "place_and_push(c2, N, E, d1, d3)", "c2-d1-d3 N E"),
        ("ultimatum", "offer(2)", "offer(2)"),
    ],
)
def test_a_record_names_a_move_as_the_button_does(name: str, move: str, label: str) -> None:
    begin = ask("position", text=text_of(name), moves=[])["choices"][0]["actions"]
    assert [one["short"] for one in begin if one["name"] == move] == [label]
    after = ask("position", text=text_of(name), moves=[move])
    assert [one["short"] for one in after["log"]] == [label]


def test_labels_that_two_moves_would_share_are_their_names() -> None:
    text = """
game "Step or jump"
players A, B
board 3 wide 1 high

state:
    at: square = a1

move step(s in square):
    require s != at
    at = s

move jump(s in square):
    require s != at
    at = s

end:
    if at == c1: draw
    if stuck: turn loses
"""
    begin = ask("position", text=text, moves=[])["choices"][0]["actions"]
    assert {one["short"] for one in begin} == {"step(b1)", "step(c1)", "jump(b1)", "jump(c1)"}


def test_every_game_stands_on_a_shelf_and_every_start_is_a_game() -> None:
    kinds = {one["name"]: one["kind"] for one in ask("examples")}
    assert kinds["chess"] == "Boards"
    assert kinds["pig"] == "Dice and chance"
    assert kinds["kuhn_poker"] == "Hidden cards and secrets"
    assert kinds["prisoners_dilemma"] == "Choices at once"
    assert kinds["hanoi"] == "For one player"
    assert kinds["antichess"] == "Variants"
    assert kinds["backgammon"] == "Games that OpenSpiel has too"
    shelves = (Path(__file__).resolve().parents[3] / "web/src/gallery.js").read_text("utf-8")
    assert all(f'"{kind}"' in shelves for kind in kinds.values())
    for start in ask("starts"):
        assert ask("findings", text=start["text"])["game"] is not None
        assert not re.search(r"gamedsl \w+`|-D ", start["text"])  # commands of the terminal


def test_values_replies_and_the_solution_agree() -> None:
    solved = ask("solve", text=TICTACTOE, moves=[])
    assert (solved["headline"], solved["is_solved"]) == ("draw", True)
    found = ask("values", text=TICTACTOE, moves=["mark(a1)"])
    good = [one["name"] for one in found["moves"] if one["is_best"]]
    assert good == ["mark(b2)"]
    assert found["moves"][0] == {
        "name": "mark(b2)", "sign": "=", "words": "draw in 8 plies", "rank": 0.5, "is_best": True,
    }  # fmt: skip
    assert found["moves"][-1]["rank"] == 0
    options = {"opponent": "best", "seconds": 1, "seed": 1}
    told = ask("reply", text=TICTACTOE, moves=["mark(a1)"], player=1, **options)
    assert told == {"name": "mark(b2)", "how": "proved best"}
    weak = ask("reply", text=TICTACTOE, moves=[], player=0, **options | {"opponent": "level:1"})
    assert "9 simulated plays" in weak["how"]
    drawn = ask("reply", text=text_of("rock_paper_scissors"), moves=[], player=1, **options)
    assert drawn["how"] == "an equilibrium: rock 1/3, paper 1/3, scissors 1/3"
    moves = [*DEALT, "check", "bet"]
    hidden = ask("reply", text=text_of("kuhn_poker"), moves=moves, player=0, **options)
    assert hidden == {"name": "call", "how": "an equilibrium: call"}


def test_a_forced_win_is_proved_where_there_are_too_many_positions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gamedsl.playground.solving.MOST_POSITIONS", 500)
    text = TICTACTOE.replace("3 wide 3 high", "4 wide 4 high").partition("expect")[0]
    found = ask("solve", text=text, moves=["mark(b2)", "mark(a1)"])
    assert (found["headline"], found["is_solved"]) == ("X wins", True)
    assert "best moves  b1  c1" in found["text"]
    assert "mark(" not in found["text"]
    assert "X wins: b1" in ask("values", text=text, moves=["mark(b2)", "mark(a1)"])["why"]


def test_views_of_a_game() -> None:
    found = ask("explain", text=TICTACTOE, moves=["mark(a1)"])
    assert '<h4><math><mi class="function">actions</mi>' in found["html"]
    page = ask("tree", text=text_of("aima_fig_5_2"), moves=[], algorithm="alpha-beta")
    assert page.startswith("<!doctype html>")
    matrix = ask("matrix", text=text_of("prisoners_dilemma"))
    assert "<td class=equilibrium><u>1</u>, <u>1</u></td>" in matrix["html"]
    assert [one["player"] for one in matrix["sets"]] == ["Row", "Column"]
    poker = ask("matrix", text=text_of("kuhn_poker"))
    assert "8 and 4 remain" in poker["words"][1]  # Kuhn 1950
    assert "-1/18 or more" in poker["words"][3]
    assert poker["sets"][1] == {
        "player": "Ann", "knows": ["card[Ann]=J", "check", "bet"], "actions": ["call", "fold"],
        "dominated": ["call"], "size": 2,
    }  # fmt: skip
    sexes = ask("matrix", text=text_of("battle_of_the_sexes"))  # Osborne and Rubinstein 1994
    assert "opera <b>1/3</b></th><th scope=col>football <b>2/3</b>" in sexes["html"]
    assert "It pays Row 2/3 and Column 2/3" in sexes["words"][1]
    pennies = text_of("matching_pennies").partition("expect")[0]
    pennies = pennies.replace("Even wins", "payoff p: 3 if p == Even else 0")
    pennies = pennies.replace("Odd wins", "payoff p: 3 if p == Odd else 0")
    assert "gets 3/2 or more" in ask("matrix", text=pennies)["words"][1]  # of the constant sum 3
    names = [one["name"] for one in ask("examples")]
    assert "tic_tac_toe" in names
    assert ask("example", name="tic_tac_toe") == TICTACTOE
    assert ask("example", name="nothing") is None


def test_what_cannot_be_answered_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "mistakes" in refusal("position", text="game", moves=[])
    assert "mark(z9)" in refusal("position", text=TICTACTOE, moves=["mark(z9)"])
    assert "the tree says it all" in refusal("matrix", text=TICTACTOE)
    short = lambda depth, _, maximiser: SearchLog(depth, 500, maximiser)  # noqa: E731
    monkeypatch.setattr("gamedsl.python.views.SearchLog", short)
    assert "too large" in refusal("tree", text=TICTACTOE, moves=[], algorithm="minimax")
    growing = TICTACTOE.replace("state:", "state:\n    n: 0..2 = 0")
    growing = growing.replace("cell[s] = turn", "cell[s] = turn\n    n = n + 1")
    said = refusal("position", text=growing, moves=["mark(a1)", "mark(a2)", "mark(a3)"])
    assert said.startswith("the rules fail here, while carrying out mark(a3): `n` can reach 3")
    with pytest.raises(KeyError):
        answer('{"ask": "nothing"}')


def test_a_tree_tells_nobody_the_card_of_the_other() -> None:
    hidden = text_of("kuhn_poker")
    whole = answer_of_tree(hidden, [])
    assert answer_of_tree(hidden, ["card[Ann]=J", "card[Bob]=Q"]) == whole
    assert "CHANCE" in whole


def answer_of_tree(text: str, moves: list[str]) -> object:
    return ask("tree", text=text, moves=moves, algorithm="minimax")


def test_what_is_hopeless_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamedsl.playground.solving.NODES_OF_TACTICS", 100)
    found = ask("solve", text=text_of("chess"), moves=[])
    assert (found["headline"], found["is_solved"]) == ("not solved", False)
    assert ask("values", text=text_of("chess"), moves=[])["why"].startswith("not solved: ")


def test_a_pit_is_where_a_mancala_move_is_pointed_at() -> None:
    text = text_of("kalah")
    for moves, pits in (([], range(6)), (["sow(2)", "sow(0)"], range(7, 13))):
        found = ask("position", text=text, moves=moves)
        named = [action["squares"] for action in found["choices"][0]["actions"]]
        assert named == [[f"hole {pit}"] for pit in pits]
        assert all(name in found["centres"] for (name,) in named)
    ys = {found["centres"][f"hole {pit}"][1] for pit in range(6)}
    assert len(ys) == 1
    assert ys != {found["centres"]["hole 7"][1]}


def test_parameters_are_told_with_the_place_of_their_values() -> None:
    text = "# \U0001f3b2\n" + text_of("kalah")
    units = text.encode("utf-16-le")
    found = ask("findings", text=text)["params"]
    assert [(one["name"], one["value"]) for one in found] == [("pits", "6"), ("seeds", "4")]
    for one in found:
        assert units[2 * one["from"] : 2 * one["to"]].decode("utf-16-le") == one["value"]


BARE = """
import json, sys, time
import _thread

def refused(*args, **named):
    raise RuntimeError("a browser worker has no threads")

_thread.start_new_thread = refused
del time.thread_time
for missing in ("llvmlite", "pyarrow", "numpy", "fcntl", "resource", "multiprocessing.synchronize"):
    sys.modules[missing] = None
from gamedsl.playground.dispatch import _considered, answer

_considered()
text = open(sys.argv[1], encoding="utf-8").read()
asked = json.loads(sys.argv[2])
print(json.dumps([json.loads(answer(json.dumps({**one, "text": text}))) for one in asked]))
"""
"""Python as Pyodide has it in a browser: no threads, no clock of a thread, no machine code."""


def test_questions_are_answered_by_python_as_a_browser_has_it() -> None:
    path = str(shipped_game("tic_tac_toe"))
    asked = [
        {"ask": "check"},
        {"ask": "solve", "moves": ["a1"]},
        {"ask": "reply", "moves": [], "player": 0, "opponent": "search", "seconds": 0.2, "seed": 1},
    ]
    made = subprocess.run(
        [sys.executable, "-c", BARE, path, json.dumps(asked)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert all("error" not in one for one in json.loads(made.stdout)), made.stdout


def test_a_search_plays_with_hidden_cards_by_simulated_plays() -> None:
    told = ask(
        "reply", text=text_of("kuhn_poker"), moves=[*DEALT, "bet"], player=1, opponent="search",
        seconds=0.1, seed=1,
    )  # fmt: skip
    assert told["name"] in {"call", "fold"}
    assert "outcome sampling" in told["how"]


def test_the_cookbook_answers_how_to_say_something() -> None:
    best, *_ = ask("patterns", words="gravity")
    assert best.startswith("### Let a stone fall down a column")
    assert "move drop(c in columns):" in best
    assert ask("patterns", words="xyzzy") == []


@pytest.mark.parametrize(
    ("game", "move", "square"),
    [
        ("cubic_tic_tac_toe", "mark(2, b2)", "cell[2] b2"),
        ("havannah", "place(b2)", "has[Light] b2"),
    ],
)
def test_squares_of_titled_boards_are_clicked_where_no_board_stands_above_them(
    game: str, move: str, square: str
) -> None:
    """The board is the one whose indices the move names, or the mover's own; its square is free
    before, and taken after the move."""
    text = gamedsl.load(game).source.text
    before = ask("position", text=text, moves=[])
    actions = {one["name"]: one["squares"] for one in before["choices"][0]["actions"]}
    assert actions[move] == [square]
    assert all(set(squares) <= set(before["centres"]) for squares in actions.values())
    after = ask("position", text=text, moves=[move])
    assert (before["taken"], after["taken"]) == ([], [square])
    x, y = before["centres"][square]
    side = before["unit"]
    neighbour = before["centres"][square.replace("b2", "c2")]
    assert (neighbour[0] - x, neighbour[1] - y) == pytest.approx((side, 0))
