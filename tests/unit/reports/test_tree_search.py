"""What a search did, laid over the tree: cuts, bounds, unvisited nodes, and the steps."""

from __future__ import annotations

from fractions import Fraction
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import gamedsl
from gamedsl.reports.trees.as_dot import tree_dot
from gamedsl.reports.trees.as_html import tree_html
from gamedsl.reports.trees.as_latex import tree_latex
from gamedsl.reports.trees.as_svg import tree_svg
from gamedsl.reports.trees.data import GameTree, ValueBound, value_text
from gamedsl.reports.trees.growth import grow
from gamedsl.reports.trees.search import SearchLimitError, SearchLog, with_search
from gamedsl.reports.trees.values import with_values
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.alpha_beta import alpha_beta_search
from gamedsl.solvers.textbook.expectiminimax import expectiminimax_decision
from gamedsl.solvers.textbook.maxn import maxn_decision
from gamedsl.solvers.textbook.trace import EventKind

SEARCHES = {
    "alpha-beta": alpha_beta_search,
    "maxn": maxn_decision,
    "expectiminimax": expectiminimax_decision,
}


def searched(name: str, algorithm: str, max_nodes: int = 100_000, **limits: int) -> GameTree:
    game = gamedsl.load(name)
    tree = grow(game, game.initial_state(), **limits)
    log = SearchLog(tree.depth, max_nodes)
    decision = SEARCHES[algorithm](game, observer=log)
    return with_search(tree, log, decision.algorithm, decision.ties)


def by_label(tree: GameTree, label: str) -> str:
    """How the node below the edge shows its value."""
    node = next(node for node in tree.nodes if node.label == label)
    return value_text(node.value, node.bound)


def test_alpha_beta_prunes_the_leaves_that_the_book_prunes() -> None:
    tree = searched("aima_fig_5_2", "alpha-beta")
    assert [node.label for node in tree.pruned_nodes()] == ["c2", "c3"]
    assert [by_label(tree, a) for a in ("a1", "a2", "a3")] == ["3", "≤2", "2"]
    cut = next(node for node in tree.nodes if node.cut is not None)
    assert cut.label == "a2"
    assert cut.cut is not None
    assert (cut.cut.alpha, cut.cut.beta, cut.cut.value) == (3, None, 2)
    assert [node.label for node in tree.nodes if node.is_chosen] == ["", "a1", "b1"]


def test_a_node_that_was_searched_through_with_exact_children_is_exact() -> None:
    """AIMA's third MIN node is left with 2 below alpha 3, yet every leaf of it was seen."""
    tree = searched("aima_fig_5_2", "alpha-beta")
    assert next(n for n in tree.nodes if n.label == "a3").bound is ValueBound.EXACT


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_what_is_known_does_not_depend_on_how_much_is_drawn(depth: int) -> None:
    whole = searched("sequential_rochambeau", "alpha-beta")
    part = searched("sequential_rochambeau", "alpha-beta", depth=depth)
    known = {node.path: (node.value, node.bound, node.is_visited) for node in whole.nodes}
    for node in part.nodes:
        assert (node.value, node.bound, node.is_visited) == known[node.path]
    assert part.visited == whole.visited


def test_a_bound_is_never_wrong() -> None:
    game = gamedsl.load("nim", sizes=[1, 2, 3])
    tree = grow(game, game.initial_state(), max_nodes=3000)
    log = SearchLog(tree.depth, 100_000)
    alpha_beta_search(game, observer=log)
    done = with_search(tree, log, "alpha-beta")
    solution = solve(game)
    bounds = set()
    for node in done.nodes:
        if isinstance(node.value, Fraction):
            exact = solution.value_at(node.state)[0]
            bounds.add(node.bound)
            match node.bound:
                case ValueBound.AT_LEAST:
                    assert exact >= node.value
                case ValueBound.AT_MOST:
                    assert exact <= node.value
                case _:
                    assert exact == node.value
    assert bounds == {ValueBound.EXACT, ValueBound.AT_LEAST, ValueBound.AT_MOST}


def test_three_players_back_vectors_up_and_the_tie_is_named() -> None:
    tree = searched("aima_three_player", "maxn")
    assert tree.root.value == (1, 2, 6)
    assert tree.ties is not None
    assert "(1, 5, 2)" in tree.ties


def test_expectations_are_exact_fractions() -> None:
    tree = searched("expectiminimax", "expectiminimax")
    assert by_label(tree, "rich") == "4/5"
    assert tree.root.value == Fraction(4, 5)


def test_a_search_that_visits_too_much_is_stopped() -> None:
    with pytest.raises(SearchLimitError) as stopped:
        searched("tic_tac_toe", "alpha-beta", max_nodes=100, depth=1)
    assert stopped.value.visited == 100


def test_steps_follow_the_search_to_the_first_cut() -> None:
    tree = searched("aima_fig_5_2", "alpha-beta")
    first = next(step for step in tree.steps if step.kind is EventKind.CUT)
    assert first.words == ("Cut after a2: the value is ≤2 with α=3, β=+∞, so c2, c3 cannot matter.")
    assert [tree.nodes[number].label for number in first.pruned] == ["c2", "c3"]
    assert tree.steps[-1].words == "Leave MAX at the root with value 3."


def test_solved_values_mark_the_best_line() -> None:
    game = gamedsl.load("sequential_rochambeau")
    solution = solve(game)
    grown = grow(game, game.initial_state())
    tree = with_values(grown, solution.value_at, solution.choice, "best play")
    assert [n.label for n in tree.nodes if n.is_chosen] == ["", "scissors", "paper", "rock"]
    assert [by_label(tree, a) for a in ("paper", "rock", "scissors")] == ["-3", "-2", "-1"]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("aima_fig_5_2", ["MAX", "MIN"]),
        ("expectiminimax", ["MAX", "CHANCE", "MIN"]),
        ("aima_three_player", ["A", "B", "C"]),
    ],
)
def test_rows_of_a_picture_say_who_moves(name: str, rows: list[str]) -> None:
    picture = ElementTree.fromstring(tree_svg(gamedsl.tree(name)))
    said = [one.text for one in picture.iter() if one.get("class") == "row-label"]
    assert said == rows


def test_the_picture_is_well_formed_and_strikes_out_what_was_cut() -> None:
    root = ElementTree.fromstring(tree_svg(searched("aima_fig_5_2", "alpha-beta")))
    shown = {"".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"≤2", "cut: v=2, α=3, β=+∞", "c2"} <= shown
    struck = [
        edge.get("id")
        for edge in root.iter("{http://www.w3.org/2000/svg}g")
        if "pruned" in (edge.get("class") or "") and "edge" in (edge.get("class") or "")
    ]
    assert len(struck) == 2


@pytest.mark.parametrize("is_mirrored", [False, True])
def test_an_information_set_on_two_levels_runs_behind_no_leaf(is_mirrored: bool) -> None:
    """Selten's horse, and its mirror image: the line turns the corner above the lower node."""
    near = "        D -> Three [h]: L -> (3, 2, 2), R -> (0, 0, 0)\n"
    far = (
        "        C -> Two:\n"
        "            d -> Three [h]: L -> (4, 4, 0), R -> (0, 0, 1)\n"
        "            c -> (1, 1, 1)\n"
    )
    text = 'game "Horse"\nplayers One, Two, Three\ntree:\n    One:\n'
    text += (far + near) if is_mirrored else (near + far)
    root = ElementTree.fromstring(tree_svg(gamedsl.tree(gamedsl.load(text))))
    svg = "{http://www.w3.org/2000/svg}"
    (path,) = (one for one in root.iter(f"{svg}path") if one.get("class") == "information")
    numbers = [float(word) for word in (path.get("d") or "").split() if word not in "MC"]
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    curve = [
        [sum(w * at[i] for w, at in zip(_bernstein(n / 50), points, strict=True)) for i in (0, 1)]
        for n in range(51)
    ]
    for leaf in (one for one in root.iter(f"{svg}rect") if one.get("class") == "shape"):
        x, y, width, height = (float(leaf.get(key) or 0) for key in ("x", "y", "width", "height"))
        inside = [at for at in curve if x < at[0] < x + width and y < at[1] < y + height]
        assert not inside


def _bernstein(t: float) -> tuple[float, float, float, float]:
    return (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3


class _Loads(HTMLParser):
    """Everything that a page would load, and its ids."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "data")]
        self.ids += [value or "" for name, value in attrs if name == "id"]


def test_the_page_loads_nothing_and_names_its_parts() -> None:
    page = _Loads()
    page.feed(tree_html(searched("aima_fig_5_2", "alpha-beta")))
    assert page.loads == []
    assert {"event", "alpha", "beta", "forward", "back", "n0", "e1"} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))


def test_names_from_the_file_cannot_break_out_of_the_page() -> None:
    game = gamedsl.load(
        'game "<script>alert(1)</script> & co"\nplayers A, B\n\ntree:\n    A: x -> 1, y -> 2\n'
    )
    tree = grow(game, game.initial_state())
    log = SearchLog(tree.depth, 100)
    alpha_beta_search(game, observer=log)
    page = tree_html(with_search(tree, log, "alpha-beta"))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_graphviz_and_latex_get_every_node() -> None:
    tree = searched("aima_fig_5_2", "alpha-beta")
    dot = tree_dot(tree)
    assert dot.count("shape=box") == 9
    assert dot.count(" -> ") == 12
    written = tree_latex([tree])
    assert written.count(", ENDING") == 9
    assert written.count("cut off={") == 2
    assert r"cut note={2 $\le$ $\alpha$=3}" in written
    assert written.count("[{") == written.count("]\n") == 13


def test_latex_keeps_the_tree_as_nested_brackets_with_its_boards() -> None:
    game = gamedsl.load("tic_tac_toe")
    written = tree_latex([gamedsl.tree(game, "a1 b1 a2 b2 c2", depth=1)], game)
    brackets = written[written.index("[{") : written.rindex("]") + 1]
    lines = [line.strip() for line in brackets.splitlines()]
    assert lines[0].endswith("name=n0, board, best")
    assert lines[1].startswith(r"[{1\\\board{3}{\phantom{X}")
    assert lines[1].endswith("name=n1, board, by={c1}, below note={+8}]")
    assert lines[5] == "]"


def test_latex_joins_information_sets_below_the_nodes_and_above_the_labels() -> None:
    written = tree_latex(
        [grow(gamedsl.load("kuhn_poker"), gamedsl.load("kuhn_poker").initial_state())]
    )
    joined = [line for line in written.splitlines() if line.startswith(r"\draw[information")]
    assert len(joined) == 12
    assert r"\draw[information, violet] (n4.east) -- (n5.west);" in joined
    assert all(".south" in line or ".east" in line for line in joined)
