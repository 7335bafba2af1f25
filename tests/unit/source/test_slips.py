"""Which names are slips of others, and which are a family."""

from __future__ import annotations

from itertools import combinations

import pytest

from gamedsl.source import is_slip


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("centre", "center"),
        ("middle", "midle"),
        ("corner", "cormer"),
        ("left_bridge", "left_brigde"),
        ("gate2", "gaet2"),
        ("Harbour", "harbour"),
        ("northCastle", "northCaslte"),
    ],
)
def test_letters_that_changed_places_or_one_inside_a_word_are_slips(one: str, other: str) -> None:
    assert is_slip(one, other)
    assert is_slip(other, one)


@pytest.mark.parametrize(
    "family",
    [
        "n1 n2 n3 n10 n11 n01 n12 n21",
        "a1 a2 b1 b2 c1 c12 c21",
        "tl tr bl br lt rt t m b",
        "node1 node2 node12 node21",
        "node_a node_b node_c node_ab node_ba",
        "inner_n inner_e inner_s inner_w inner_ne outer_n outer_e outer_s outer_w outer_ne",
        "inner innern inners innere innerw outer outern outers outere outerw",
        "top_left top_right bottom_left bottom_right top_mid",
        "topLeft topRight topMid bottomLeft bottomRight ringNa ringNb",
        "north east south west northeast northwest southeast southwest",
        "left right upper lower middle centre",
        "wall well ford food wood gate gale",
        "x xx xxx xy yx ab ba",
        "spain france italy austria australia niger nigeria",
        "é1 é2 α β γ αβ βα",
    ],
)
def test_families_of_names_are_not(family: str) -> None:
    assert not [pair for pair in combinations(family.split(), 2) if is_slip(*pair)]


def test_a_name_is_no_slip_of_itself() -> None:
    assert not is_slip("centre", "centre")
