"""Trees grown from games: what is drawn, what is counted, and who cannot tell nodes apart."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.reports.trees.as_text import tree_text
from gamedsl.reports.trees.data import GameTree, NodeKind, caption
from gamedsl.reports.trees.growth import grow


def tree_of(name: str, discs: str | None = None, **limits: int) -> GameTree:
    game = gamedsl.load(name, **({} if discs is None else {"discs": discs}))
    return grow(game, game.initial_state(), **limits)


def test_max_points_up_and_min_down_in_a_game_of_opposed_interests() -> None:
    tree = tree_of("aima_fig_5_2")
    assert tree.root.kind is NodeKind.MAX
    assert {child.kind for child in tree.children(tree.root)} == {NodeKind.MIN}
    assert [str(n.value) for n in tree.nodes if n.kind is NodeKind.TERMINAL] == (
        ["3", "12", "8", "2", "4", "6", "14", "5", "2"]
    )
    assert tree.left_out == 0


def test_more_than_two_players_are_players_with_vectors() -> None:
    tree = tree_of("aima_three_player")
    assert {node.kind for node in tree.nodes} == {NodeKind.PLAYER, NodeKind.TERMINAL}
    assert tree.nodes[-1].value == (5, 4, 5)


@pytest.mark.parametrize(("depth", "drawn"), [(0, 1), (1, 10), (2, 82)])
def test_drawn_and_counted_nodes_add_up_to_the_whole_tree(depth: int, drawn: int) -> None:
    tree = tree_of("tic_tac_toe", depth=depth)
    assert len(tree.nodes) == drawn
    assert tree.left_out is not None
    assert drawn + tree.left_out == 549_946  # all sequences of moves, the empty one included


def test_a_level_that_does_not_fit_is_left_out_whole_and_said_so() -> None:
    tree = tree_of("tic_tac_toe", max_nodes=50)
    assert (tree.depth, len(tree.nodes)) == (1, 10)
    assert caption(tree)[0].endswith("not drawn (549,936)")


def test_actions_of_the_root_that_do_not_fit_stand_in_one_node() -> None:
    tree = tree_of("tic_tac_toe", max_nodes=5)
    rest = tree.nodes[-1]
    assert rest.kind is NodeKind.REST
    assert rest.label == "and 5 more"
    assert [child.label for child in tree.children(tree.root)] == [
        "a1", "b1", "c1", "a2", "and 5 more",
    ]  # fmt: skip
    drawn = sum(node.kind is not NodeKind.REST for node in tree.nodes)
    assert tree.left_out is not None
    assert drawn + tree.left_out == 549_946


def test_endless_play_is_not_counted_but_said_to_be_more() -> None:
    tree = tree_of("pig", depth=2)
    assert tree.left_out is None
    assert "and not counted" in caption(tree)[0]


def test_information_sets_of_poker_pair_the_deals_that_look_alike() -> None:
    tree = tree_of("kuhn_poker")
    sets = list(tree.information_sets())
    assert len(sets) == 12  # Kuhn 1950: six for each player
    assert {len(members) for members in sets} == {2}
    assert all(len({node.name for node in members}) == 1 for members in sets)


def test_simultaneous_choices_are_one_after_the_other_and_hidden() -> None:
    tree = tree_of("prisoners_dilemma")
    assert len(tree.nodes) == 7
    (hidden,) = tree.information_sets()
    assert [node.name for node in hidden] == ["Column", "Column"]
    payoffs = [node.value for node in tree.nodes if node.kind is NodeKind.TERMINAL]
    assert payoffs == [(3, 3), (0, 5), (5, 0), (1, 1)]


def test_hidden_parts_of_simultaneous_play_are_counted_too() -> None:
    assert tree_of("prisoners_dilemma", depth=1).left_out == 4


def test_chance_outcomes_carry_their_probability_and_the_drawn_value() -> None:
    tree = tree_of("kuhn_poker", depth=1)
    assert tree.root.kind is NodeKind.CHANCE
    assert [(str(c.chance), c.label) for c in tree.children(tree.root)] == [
        ("1/3", "J"), ("1/3", "Q"), ("1/3", "K"),
    ]  # fmt: skip


def test_the_outline_says_how_many_nodes_it_leaves_out() -> None:
    lines = tree_text(tree_of("tic_tac_toe", depth=1)).splitlines()
    assert lines[1:3] == ["├── a1: O (59,704 nodes below)", "├── b1: O (63,904 nodes below)"]


def test_without_a_depth_a_state_that_stands_above_is_not_followed_again() -> None:
    tree = tree_of("hanoi", discs="1")
    assert [node.label for node in tree.nodes[1:]] == ["1,2", "1,3", "1,1", "1,3"]
    assert len(tree_of("hanoi", discs="1", depth=4).nodes) > 5


@pytest.mark.parametrize(("width", "drawn"), [(1, 3), (3, 13), (8, 73), (9, 82)])
def test_of_a_wide_tree_so_many_children_are_drawn_and_the_others_counted(
    width: int, drawn: int
) -> None:
    tree = tree_of("tic_tac_toe", depth=2, width=width)
    shown = [node for node in tree.nodes if node.kind is not NodeKind.REST]
    assert len(shown) == drawn
    assert tree.left_out is not None
    assert drawn + tree.left_out == 549_946
    for node in shown:
        children = tree.children(node)
        assert len(children) <= width + 1
        assert [c for c in children if c.kind is NodeKind.REST] == list(children[width:])


def test_what_a_search_says_does_not_depend_on_the_width() -> None:
    game = gamedsl.load("nim", sizes=[1, 2, 3])
    whole = gamedsl.tree(game, depth=2, algorithm="alpha-beta")
    part = gamedsl.tree(game, depth=2, algorithm="alpha-beta", width=2)
    known = {node.path: node.value for node in whole.nodes}
    assert part.visited == whole.visited
    assert all(known[n.path] == n.value for n in part.nodes if n.kind is not NodeKind.REST)


def test_states_stand_at_nodes_in_words_where_there_is_no_board() -> None:
    tree = gamedsl.tree("nim", depth=1, states=True)
    assert [node.about for node in tree.nodes[:2]] == [
        ("left: 1=3, 2=4, 3=5",),
        ("left: 1=2, 2=4, 3=5",),
    ]
    assert "├── 1,1: B -1 {left: 1=2, 2=4, 3=5}" in tree_text(tree)
    assert not any(node.about for node in gamedsl.tree("aima_fig_5_2", states=True).nodes)


def test_a_long_state_is_cut_off() -> None:
    moves = "a1 d1 g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4"
    lines = gamedsl.tree("nine_mens_morris", moves, depth=0, states=True).root.about
    assert lines
    assert all(len(line) <= 40 for line in lines)
    assert lines[0].endswith("…")


STATES = (
    ("tic_tac_toe", "a1 b2", (".../.O./X..",)),
    ("nine_mens_morris", "a1 d1",
     ("at: a1 W, d1 B", "hand: White 8, Black 8", "mill: false")),
    ("nine_mens_morris", "", ("at: empty", "hand: White 9, Black 9", "mill: false")),
    ("frozen_lake", "", ("at: a4",)),
    ("dobutsu_shogi", "", ("gle/.c./.C./ELG", "hand[Sente]: chick 0, giraffe 0, elepha…",
                            "hand[Gote]: chick 0, giraffe 0, elephan…")),
)  # fmt: skip


@pytest.mark.parametrize(("name", "moves", "lines"), STATES)
def test_what_stands_on_a_board_is_written_in_rows(name: str, moves: str, lines: tuple) -> None:
    assert gamedsl.tree(name, moves or None, depth=0, states=True).root.about == lines


def test_up_to_symmetry_noughts_and_crosses_begins_with_3_and_12() -> None:
    """AIMA 3rd ed., exercise 5.9 b."""
    tree = gamedsl.tree("tic_tac_toe", depth=2, symmetry=True)
    assert [sum(node.depth == depth for node in tree.nodes) for depth in range(3)] == [1, 3, 12]
    first = tree.children(tree.root)
    assert [(node.label, node.about) for node in first] == [
        ("a1", ("one of 4 alike",)),
        ("b1", ("one of 4 alike",)),
        ("b2", ()),
    ]
    assert tree.left_out is not None
    assert len(tree.nodes) + tree.left_out == 549_946


def test_without_a_symmetry_that_is_proved_none_is_drawn_by_it() -> None:
    with pytest.raises(UnsupportedGameError, match="no symmetry that can be proved"):
        gamedsl.tree("chomp", symmetry=True)
    with pytest.raises(UnsupportedGameError, match="cannot be proved"):
        gamedsl.tree("aima_fig_5_2", symmetry=True)
