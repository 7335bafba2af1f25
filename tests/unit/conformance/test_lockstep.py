"""Two games side by side: each planted difference is found, by its shortest play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.conformance.learned_names import Learner, PlaceTwin
from gamedsl.conformance.matched_names import EQUAL, separately
from gamedsl.conformance.name_samples import Choice, NameSample, choices

COINS = """\
game "Coins"
players Ann, Bob
board 3 wide 1 high
state:
    coin[p in players]: heads | tails secret to p
    own[square]: empty | players = empty
    pot: 0..9 = 0
    turns: 0..4 = 0
    shown: 0..2 = 0
setup:
    chance coin[Ann] in {heads: 1/2, tails: 1/2}
    chance coin[Bob] in {heads: 1/2, tails: 1/2}
move take(s in square):
    require turns < 3 and own[s] == empty
    own[s] = turn
    pot += 1
    turns += 1
move show:
    require turns == 3
    shown = 1 if coin[turn] == heads else 2
    turns += 1
end:
    if turns == 4:
        payoff p: (pot if shown == 1 else -pot) * (1 if p == Ann else -1)
"""
"""A small game of everything: chance, secrets, squares, numbers."""
PLANTED = {
    "chance": ("heads: 1/2, tails: 1/2}", "heads: 1/3, tails: 2/3}", 0, "the chance of coin"),
    "outcome": (
        "{heads: 1/2, tails: 1/2}",
        "{heads: 1}",
        0,
        "possible here alone: coin[Ann]=tails",
    ),
    "secret": (
        "secret to p\n    own",
        "secret\n    own",
        2,
        "Ann tells this play from another here",
    ),
    "public": ("heads | tails secret to p", "heads | tails", 2, "from another there, not here"),
    "legal": ("and own[s] == empty", "and own[s] == empty and s != b1", 2, "here alone: take(b1)"),
    "again": ("and own[s] == empty", "and own[s] != turn", 3, "legal there alone: take("),
    "mover": (
        "    turns += 1\nmove show",
        "    turns += 1\n    again\nmove show",
        3,
        "Bob is to move",
    ),
    "end": ("if turns == 4:", "if turns == 4 or pot == 2:", 4, "the game is over there alone"),
    "payoff": ("    pot += 1", "    pot += 2", 6, "the game pays 3, -3 here, 6, -6 there"),
    "sign": (
        "if shown == 1 else -pot",
        "if shown == 1 else 1 - pot",
        6,
        "the game pays -3, 3 here",
    ),
    "rule": ("    pot += 1", "    pot += 4", 5, "the rules of Coins fail"),
}
"""A text, its replacement, the steps of the shortest play, words of the difference."""
DEEP = """\
game "Deep"
players A, B
state:
    left: 0..60 = 60
    odd: 0..60 = 0
move take(n in 1..3):
    require n <= left
    left -= n
    odd = odd + n % 2
end:
    if left == 0: opponent wins
"""


def changed(text: str, old: str, new: str) -> str:
    """The text with a part replaced."""
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_difference_is_found_by_its_shortest_play(plant: str) -> None:
    old, new, steps, words = PLANTED[plant]
    found = gamedsl.compare(COINS, changed(COINS, old, new), plays=5).difference
    assert found is not None
    assert words in found.said
    assert len(found.play) == steps, found


def test_a_game_is_the_same_as_itself_under_other_names_and_numbers() -> None:
    other = COINS.replace("take", "grab").replace("3 wide 1 high", "1 wide 3 high")
    found = gamedsl.compare(COINS, other)
    assert found.is_same, str(found)
    assert found.comparison.is_whole
    assert "no difference: all" in str(found)


def test_the_capture_of_a_bishop_is_not_the_capture_of_a_pawn() -> None:
    """Names that differ in capitals alone stay apart where signs differ from game to game."""
    here = [Choice(1, "Bxc6"), Choice(2, "bxc6"), Choice(3, "a4")]
    there = [Choice(6, "A4"), Choice(7, "bxc6+"), Choice(8, "Bxc6+")]
    plain = EQUAL[1][1]
    ours, theirs = separately(plain, plain)(0, here, there)
    pairs = {(choice.name, theirs[key].name) for key, choice in ours.items()}
    assert pairs == {("Bxc6", "Bxc6+"), ("bxc6", "bxc6+"), ("a4", "A4")}


def test_rows_may_be_counted_from_the_other_side() -> None:
    text = """\
game "Climb"
players A
board 2 wide 3 high
state:
    at: square | none = none
move go(s in square):
    require {0}
    at = s
end:
    if at != none: payoff A: {1} + column(at)
"""
    one = text.format("row(s) > 1 or column(s) == 1", "row(at)")
    other = text.format("row(s) < 3 or column(s) == 1", "4 - row(at)")
    found = gamedsl.compare(one, other)
    assert found.is_same, str(found)
    assert found.comparison.way == "the same arguments, rows counted from the other side"


MARKS = """\
game "Marks"
players A, B
board 3 wide 2 high
state:
    own[square]: empty | players = empty
    die: 1..2
    card: 1..3
    paid: 0..60 = 0
    marks: 0..2 = 0
setup:
    chance die in 1..2
    chance card in {1: 1/2, 2: 1/4, 3: 1/4}
move mark(s in square, k in 1..2):
    require own[s] == empty
    own[s] = turn
    paid += die * k + card * (column(s) + 3 * row(s))
    marks += 1
end:
    if marks == 2: payoff p: paid if p == A else -paid
"""


def test_positions_of_trials_do_not_count_among_the_positions_compared() -> None:
    """A forced ply at the end makes plays agree in coarser steps, tried in plays of their own."""
    other = changed(DEEP, "move take", "move grab")
    other = changed(other, "state:", "state:\n    is_over: bool = false")
    settle = "move settle:\n    require left == 0\n    is_over = true\n    again\nend:"
    other = changed(changed(other, "if left == 0", "if is_over"), "end:", settle)

    def short(text: str) -> str:
        return text.replace("60", "20")

    comparison = gamedsl.compare(short(DEEP), short(other), positions=200).comparison
    assert "without a choice" in comparison.way
    assert comparison.is_whole


def test_a_correspondence_is_learned_from_play() -> None:
    """Another order of arguments and of chance, rows from the other side, and a forced ply."""
    other = changed(MARKS, "mark(s in square, k in 1..2)", "put(k in 1..2, s in square)")
    other = changed(other, "3 * row(s)", "3 * (3 - row(s))")
    die, card = "    chance die in 1..2\n", "    chance card in {1: 1/2, 2: 1/4, 3: 1/4}\n"
    other = changed(other, die + card, card + die)
    other = changed(other, "    marks: 0", "    is_due: bool = false\n    marks: 0")
    other = changed(other, "    require own", "    require not is_due and own")
    forced = "is_due = true\nmove settle:\n    require is_due\n    is_due = false\n    again\n"
    other = changed(other, "    marks += 1\n", f"    marks += 1\n    {forced}")
    other = changed(other, "if marks == 2:", "if marks == 2 and not is_due:")
    report = gamedsl.compare(MARKS, other)
    assert report.is_same, str(report)
    assert report.comparison.is_whole
    assert report.comparison.way == (
        "arguments that correspond in play, in another order, some values counted from the other "
        "side; plies without a choice belong to the step before, and chance events in a row are one"
    )
    planted = gamedsl.compare(MARKS, changed(other, "card * (", "die * (")).difference
    assert planted is not None
    assert len(planted.play) == 3, planted
    assert "pays" in planted.said


def test_a_move_that_is_legal_only_alone_is_of_the_phase_that_has_its_values() -> None:
    game = gamedsl.load("""\
game "Check"
players A
state:
    plies: 0..2 = 0
move go(n in 1..3, m in 1..2):
    require (n == 3 and m == 2) == (plies == 1)
    plies += 1
end:
    if plies == 2: A wins
""")
    first = game.initial_state()
    alone = game.result(first, game.legal_actions(first)[0])
    sample = NameSample(game, Random(0))
    (kind,), (other,) = (sample.by_kind(0, choices(game, s, 0)) for s in (first, alone))
    assert kind == other


def test_names_are_given_where_they_say_nothing() -> None:
    text = """\
game "Words"
players A, B
state:
    said: 0..3 = 0
move {0}:
    said = 1
move {1}:
    said = 2
end:
    if said == 1: A wins
    if said == 2: B wins
"""
    one, other = text.format("yes", "no"), text.format("nein", "ja")
    other = other.replace("said = 1", "said = 3").replace("said = 2", "said = 1")
    other = other.replace("said = 3", "said = 2")
    names = {"yes": "ja", "no": "nein"}
    assert gamedsl.compare(one, other, names=names).is_same
    wrong = gamedsl.compare(one, other, names={"yes": "nein", "no": "ja"}).difference
    assert wrong is not None
    assert wrong.said == "the game pays 1, -1 here, -1, 1 there"


def test_beyond_the_limit_random_plays_find_what_is_deep() -> None:
    other = changed(DEEP, "    if left == 0: opponent wins", "    if left == 0: turn wins")
    found = gamedsl.compare(DEEP, other, positions=20, plays=5)
    assert found.difference is not None
    assert found.difference.said.startswith("the game pays")
    assert 20 <= len(found.difference.play) <= 60
    assert "random plays" in str(gamedsl.compare(DEEP, DEEP, positions=20, plays=2))


def test_rewards_and_payoffs_at_the_end_are_one_sum() -> None:
    text = """\
game "Pay"
players A
state:
    n: 0..2 = 0
    earned: 0..9 = 0
move work(k in 1..2):
    n += 1
    {0}
end:
    if n == 2: payoff A: {1}
"""
    now, later = text.format("reward A: k", "0"), text.format("earned += k", "earned")
    assert gamedsl.compare(now, later).is_same
    more = gamedsl.compare(now, text.format("earned += k", "2 * earned")).difference
    assert more is not None
    assert more.said == "the game pays 2 here, 4 there"


def test_choices_at_once_are_compared_by_player() -> None:
    text = gamedsl.load("rock_paper_scissors").source.text
    found = gamedsl.compare("rock_paper_scissors", "goofspiel").difference
    assert found is not None
    assert gamedsl.compare(text, "rock_paper_scissors").is_same


def test_a_setup_that_fails_is_a_difference() -> None:
    text = """\
game "Setup"
players A
state:
    n: 0..2
setup:
    n = {0}
move go:
    n = 0
end:
    if n == 0: A wins
"""
    found = gamedsl.compare(text.format("1"), text.format("1 + 1 + count(k == 0 for k in 0..0)"))
    assert found.difference is not None
    assert found.difference.said.startswith("the rules of Setup fail")


def test_games_of_different_numbers_of_players_differ_at_once() -> None:
    found = gamedsl.compare("nim", "three_player_race").difference
    assert found is not None
    assert found.said == "2 players here, 3 there"


def test_given_names_that_no_action_has_are_reported() -> None:
    wrong = gamedsl.compare("nim", "nim_misere", names={"take": "take(1, 1)"})
    assert wrong.comparison.unmet == (("take",), ())
    assert "no action was met here with the name take" in str(wrong)
    right = gamedsl.compare("nim", "nim_misere", names={"take(1, 1)": "take(1, 1)"})
    assert "no action" not in str(right)


def test_payments_before_the_first_choice_are_compared() -> None:
    """The first move is the only one: in coarser steps it would belong to no step."""
    text = """\
game "Fee"
players A, B
state:
    n: 0..12 = 0
move {0}(k in 1..1):
    require n == 0
    n += k
    reward turn: {1}, opponent: -{1}
move {2}(k in 2..4):
    require n > 0
    n += k
end:
    if n > 6: payoff p: 1 if p == turn else -1
"""
    paid, free = text.format("enter", 2, "take"), text.format("go", 0, "seize")
    found = gamedsl.compare(paid, free).difference
    assert found is not None
    assert "the game pays 1, -1 here, -1, 1 there" in found.said


def test_actions_with_equal_names_are_all_compared() -> None:
    kind = (0, "pass"), 1

    class Sample:
        def by_kind(self, _: int, legal: list[Choice]) -> object:
            return {kind: [((0,), choice) for choice in legal]}

    samples: Any = (Sample(), Sample())
    learner = Learner((samples, samples), samples)
    learner.twins[kind, kind] = (PlaceTwin(0, 0, (0,)),)
    mine, yours = learner.keyed(0, [Choice(1, "pass"), Choice(2, "pass")], [Choice(1, "pass")])
    assert len(mine) == 2
    assert len(yours) == 1


def test_throws_with_a_forced_move_between_are_two_events() -> None:
    text = """\
game "Throws"
players A, B
state:
    total[players]: 0..999 = 0
    thrown: 0..6 = 0
move {2}:
    {0}
    total[turn] += {1}
    thrown += 1
end:
    if thrown == 6: payoff p: total[p] - total[other(p)]
"""
    apart = text.format("chance a in 0..3\n    chance b in 0..3", "4 * a + b", "throw")
    names = {f"a={n // 4}; b={n % 4}": f"n={n}" for n in range(16)}
    for worth, is_same in (("n", True), ("n // 2", False)):
        at_once = text.format("chance n in 0..15", worth, "roll")
        report = gamedsl.compare(apart, at_once, names=names, positions=20, plays=3)
        assert report.is_same is is_same
        assert "chance events in a row are one" in report.comparison.way
