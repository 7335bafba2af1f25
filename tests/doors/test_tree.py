"""`gamedsl tree`: formats, refusals and limits."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from .conftest import Run


def test_the_figure_of_the_book_is_pruned_as_in_the_book(run: Run) -> None:
    shown = run("tree", "aima_fig_5_2", "--algorithm", "alpha-beta")
    assert shown.status == 0
    assert "├── a2: MIN ≤2 (cut: v=2, α=3, β=+∞)" in shown.out
    assert "never visited: a2 c2, a2 c3" in shown.out


def test_without_an_algorithm_the_values_are_those_of_best_play(run: Run) -> None:
    shown = run("tree", "sequential_rochambeau").out
    assert shown.startswith("MAX -1\n├── paper: MIN -3\n")
    assert "└─* scissors: MIN -1" in shown


def test_the_line_of_best_play_arrives_though_going_round_keeps_the_value(run: Run) -> None:
    shown = run("tree", "hanoi", "-D", "discs=1", "--depth", "3").out
    assert [line for line in shown.splitlines() if "─*" in line] == ["└─* 1,3: 1"]


def test_a_tree_without_values_is_drawn_too(run: Run) -> None:
    shown = run("tree", "kuhn_poker")
    assert shown.status == 0
    assert "Ann [1]" in shown.out


def test_branches_say_how_likely_they_are_in_equilibrium(run: Run) -> None:
    shown = run("tree", "kuhn_poker", "--strategies").out
    assert "\n│  ├─* 1/2 Q: Ann [1] -2/3\n│  │  ├─* 2/3 check: Bob [4] -1\n" in shown
    assert "equilibrium: value -1/18" in shown
    later = run("tree", "kuhn_poker", "--strategies", "--at", "J Q check bet").out
    assert later.startswith("Ann -1\n├── 0 call: -2\n└─* 1 fold: -1\n")
    third = run("tree", "battle_of_the_sexes", "--equilibrium", "3").out
    assert third.startswith("Row (2/3, 2/3)\n├─* 2/3 opera: Column [1] (2/3, 1/3)\n")
    guest = run("tree", "monty_hall", "--strategies").out
    assert "best play: value 2/3" in guest
    assert guest.count("1 switch") == 12
    assert guest.count("0 stay") == 12
    thrown = run("tree", "centipede", "--strategies").out
    assert "├─* 1 take: (4, 1)\n└── 0 pass: B (2, 8)\n" in thrown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("kuhn_poker", "--equilibrium", "2"), "by the numbers 1 alone"),
        (("beer_and_quiche", "--equilibrium", "5"), "by the numbers 1 to 4"),
        (("nim", "--strategies", "-a", "minimax"), "shows a search"),
        (("kuhn_poker", "--strategies", "--format", "efg"), "has no place for them"),
    ],
)
def test_an_equilibrium_that_cannot_be_shown_is_refused(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    refused = run("tree", *arguments)
    assert refused.status == 2
    assert message in " ".join(refused.err.split())


def test_probabilities_stand_in_every_format(run: Run) -> None:
    def written(form: str) -> str:
        return run("tree", "matching_pennies", "--strategies", "--format", form).out

    assert written("svg").count('class="edge-label share"') == 6
    assert "by={heads: 1/2}" in written("latex")
    assert '[label="1/2 heads"' in written("dot")
    assert written("html").count('class="edge-label share"') == 6
    nodes = json.loads(written("json"))["nodes"]
    assert [node["share"] for node in nodes] == [None] + ["1/2"] * 6


def test_a_picture_is_written_to_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
    shown = run("tree", "tic_tac_toe", "--depth", "1", "--format", "svg", "-o", file)
    assert (shown.status, shown.out) == (0, "")
    root = ElementTree.fromstring(file.read_text("utf-8"))
    boards = [group for group in root.iter() if group.get("class") == "board"]
    assert len(boards) == 10


NOTHING_ON_IT = """\
game "A board in words alone"
players Walker
board 2 wide 2 high
state:
    left: 0..3 = 3
move go(d in {N, E, S}):
    left -= 1
end:
    if left == 0: Walker wins
"""


@pytest.mark.parametrize("form", ["svg", "html"])
def test_a_game_without_anything_to_draw_on_its_board_has_a_tree_of_plain_nodes(
    run: Run, form: str
) -> None:
    drawn = run("tree", "-", "--depth", "1", "--format", form, stdin=NOTHING_ON_IT)
    assert drawn.status == 0
    assert 'id="n3"' in drawn.out
    assert 'class="board"' not in drawn.out


def test_a_file_that_cannot_be_written_is_a_usage_error(run: Run, tmp_path: Path) -> None:
    refused = run("tree", "nim", "--depth", "1", "-o", tmp_path / "nowhere" / "tree.svg")
    assert refused.status == 2
    assert "cannot be written" in refused.err


def test_json_has_the_version_the_nodes_and_the_steps(run: Run) -> None:
    shown = run("tree", "aima_fig_5_2", "--algorithm", "alpha-beta", "--format", "json")
    data = json.loads(shown.out)
    assert (data["schema_version"], data["value"], len(data["nodes"])) == (1, "3", 13)
    assert [node["label"] for node in data["nodes"] if not node["visited"]] == ["c2", "c3"]
    assert [step["kind"] for step in data["steps"]].count("cut") == 1


@pytest.mark.parametrize(
    ("game", "algorithm"),
    [("kuhn_poker", "minimax"), ("aima_three_player", "alpha-beta"), ("pig", "maxn")],
)
def test_an_algorithm_that_does_not_apply_is_refused_in_a_sentence(
    run: Run, game: str, algorithm: str
) -> None:
    refused = run("tree", game, "--algorithm", algorithm)
    assert refused.status == 4
    assert refused.err.startswith("not supported: ")
    assert not refused.out


def test_a_search_beyond_its_limit_is_undecided(run: Run) -> None:
    stopped = run("tree", "tic_tac_toe", "--algorithm", "minimax", "--max-visits", "500")
    assert stopped.status == 3
    assert "more than 500 nodes" in stopped.err


def test_the_tree_begins_where_at_says(run: Run) -> None:
    shown = run("tree", "tic_tac_toe", "--at", "a1 b1 a2 b2", "--algorithm", "alpha-beta").out
    assert shown.startswith("X 1\n")
    assert "└─* a3: 1" in shown or "├─* a3: 1" in shown


def test_a_cutoff_needs_a_search(run: Run) -> None:
    assert run("tree", "tic_tac_toe", "--cutoff", "2").status == 2


def test_the_board_is_shown_as_a_picture(run: Run) -> None:
    shown = run("show", "tic_tac_toe", "--at", "a1 b2", "--format", "svg")
    assert shown.status == 0
    assert ElementTree.fromstring(shown.out).get("aria-label") == "Tic-tac-toe: X to move"


def test_a_picture_has_themes_and_a_file_where_it_is_no_text(run: Run, tmp_path: Path) -> None:
    dark = run("show", "tic_tac_toe", "--format", "svg", "--theme", "dark").out
    assert dark != run("show", "tic_tac_toe", "--format", "svg").out
    refused = run("show", "tic_tac_toe", "--format", "png")
    assert (refused.status, refused.err) == (2, "error: a PNG needs a file: -o NAME.png\n")
    pytest.importorskip("cairosvg")
    for form, head in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        file = tmp_path / f"board.{form}"
        assert run("show", "tic_tac_toe", "--format", form, "-o", file).status == 0
        assert file.read_bytes().startswith(head)


def test_sheets_have_the_board_and_every_man(run: Run) -> None:
    shown = run("show", "breakthrough", "--format", "sheets").out
    assert shown.count("<svg") == 2
    men = shown.rpartition("<svg")[2]
    state = run("show", "breakthrough", "--format", "svg").out
    assert men.count("<circle") == state.count("<circle") > 0
    assert "no board with men" in run("show", "pig", "--format", "sheets").err


def test_the_best_order_draws_what_makes_progress_first(run: Run) -> None:
    """Both first moves keep the value, and one of them arrives."""
    shown = run("tree", "hanoi", "-D", "discs=1", "--depth", "1", "--order", "best").out
    assert shown.index("1,3: 1") < shown.index("1,2: Solver")


def test_stages_of_a_search_are_files_of_their_own(run: Run, tmp_path: Path) -> None:
    search = ("tree", "aima_fig_5_2", "-a", "alpha-beta", "--format", "svg", "--frames")
    assert run(*search, "leaves", "-o", tmp_path / "stage.svg").status == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        f"stage_{number}.svg" for number in range(1, 8)
    ]
    for wrong in (
        (*search, "leaves"),
        (*search, "99", "-o", tmp_path / "stage.svg"),
        ("tree", "nim", "--format", "svg", "--frames", "all", "-o", tmp_path / "stage.svg"),
        ("tree", "nim", "-a", "minimax", "--frames", "all"),
    ):
        refused = run(*wrong)
        assert refused.status == 2
        assert "--frames" in refused.err
