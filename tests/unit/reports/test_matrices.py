"""Payoff matrices for documents: what is underlined, what is framed, and how curves run."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest

import gamedsl
from gamedsl.reports.matrices.reactions import reactions_svg
from gamedsl.reports.paragraphs import labelled
from gamedsl.reports.solutions.equilibria import mixture_words
from gamedsl.reports.solutions.policy import seen_words
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.normal_form.form import NormalForm

THREE = 'NFG 1 R "Three" { "A" "B" "C" } { 2 2 2 }\n' + " ".join(["1 2 3"] * 4 + ["0 0 0"] * 4)


def test_best_replies_are_underlined_and_equilibria_boxed_in_latex() -> None:
    lines = gamedsl.matrix("chicken", "latex").splitlines()
    assert lines[3] == r"swerve & $6,\ 6$ & \fbox{$\underline{2},\ \underline{7}$} \\"
    assert lines[4] == r"straight & \fbox{$\underline{7},\ \underline{2}$} & $0,\ 0$ \\"


def test_html_says_the_same() -> None:
    text = gamedsl.matrix("chicken", "html")
    assert text.count("class=equilibrium") == 2
    assert "<td class=equilibrium><u>2</u>, <u>7</u></td>" in text
    assert "<td>6, 6</td>" in text


def test_svg_underlines_and_frames() -> None:
    root = ElementTree.fromstring(gamedsl.matrix("prisoners_dilemma", "svg"))
    spans = [one for one in root.iter() if one.tag.endswith("tspan")]
    underlined = [one.text for one in spans if one.get("text-decoration") == "underline"]
    assert len(spans) == 8
    assert underlined == ["5", "5", "1", "1"]
    assert sum(one.get("stroke-width") == "2" for one in root.iter()) == 1


def test_there_is_a_table_for_each_choice_of_a_third_player() -> None:
    text = gamedsl.matrix(gamedsl.load(THREE), "html")
    assert text.count("<table") == 2
    assert "<caption>C: " in text


def points(svg: str) -> list[list[tuple[float, float]]]:
    """The curves, by probabilities."""
    frame = re.search(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', svg)
    assert frame is not None
    left, top, side = map(float, frame.groups())
    found = []
    for listed in re.findall(r'points="([^"]+)"', svg):
        pairs = [tuple(map(float, pair.split(","))) for pair in listed.split()]
        found.append([(round((x - left) / side, 2), round(1 - (y - top) / side, 2))
                      for x, y in pairs])  # fmt: skip
    return found


def test_best_replies_meet_in_the_equilibria() -> None:
    svg = gamedsl.matrix("chicken", "reactions")
    row, column = points(svg)
    assert row == [(1, 0), (1, 0.67), (0, 0.67), (0, 1)]
    assert column == [(0, 1), (0.67, 1), (0.67, 0), (1, 0)]
    assert svg.count("<circle") == 3
    heights = {
        "".join(text.itertext()): float(text.get("y") or 0)
        for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    }
    assert heights["best replies of Bob"] + 20 < heights["(0, 1)"]  # the legend stands apart


@pytest.mark.parametrize(
    ("gains", "curve"),
    [
        ((1, 1), [(1, 0), (1, 1)]),
        ((0, 1), [(1, 0), (1, 1), (0, 1)]),
        ((0, -1), [(0, 0), (0, 1), (1, 1)]),
        ((1, 0), [(0, 0), (1, 0), (1, 1)]),
        ((0, 0), [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]),
    ],
)
def test_curves_of_players_who_do_not_mind(
    gains: tuple[int, int], curve: list[tuple[float, float]]
) -> None:
    """The first player gains so much by the first choice against the other's first and second."""
    payoffs = {(i, j): (Fraction(gains[j] * (i == 0)), Fraction(0)) for i in (0, 1) for j in (0, 1)}
    form = NormalForm(("A", "B"), (("a", "b"), ("c", "d")), payoffs)
    assert points(reactions_svg(form, (), "Small"))[0] == curve


def test_what_is_no_matrix_is_refused() -> None:
    with pytest.raises(gamedsl.UnsupportedGameError, match="4 by 4"):
        gamedsl.matrix("beer_and_quiche", "reactions")
    with pytest.raises(gamedsl.UnsupportedGameError, match="one player"):
        gamedsl.matrix("monty_hall")
    with pytest.raises(ValueError, match="there is no view"):
        gamedsl.matrix("chicken", "png")


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        (("card[Bob]=3",), "with 3 after keep"),
        (("card[Bob]=3", "die=2"), "with 3, die=2 after keep"),
        (("card[Ann]=1", "card[Bob]=3"), "with card[Ann]=1, card[Bob]=3 after keep"),
    ],
)
def test_cards_are_named_where_a_player_has_seen_cards_of_two(
    drawn: tuple[str, ...], words: str
) -> None:
    assert seen_words(LocalStrategy(1, drawn, ("keep",), ()), "Bob") == words


def test_a_share_behind_a_number_stands_in_brackets() -> None:
    fifth = Fraction(1, 5)
    numbers = mixture_words(("2", "3", "5"), (fifth, Fraction(0), 1 - fifth))
    assert labelled("", numbers, 0).strip() == "2 (1/5), 5 (4/5)"
    words = mixture_words(("opera", "ball"), (fifth, 1 - fifth))
    assert labelled("", words, 0).strip() == "opera 1/5, ball 4/5"
