"""How many rounds a body may go is decided before anything is played."""

from __future__ import annotations

import pytest

from gamedsl.cli.options import MaxRoundsOption
from gamedsl.game import load_source, read_program
from gamedsl.model import GameSourceError, check
from gamedsl.model.limits import MOST_ROUNDS
from gamedsl.source import SourceFile
from tests.unit.model.reading import BOARD, HEAP, spoilt

MILLION = "for a in 1..1000 for b in 1..1000"


def body(statements: str) -> str:
    return spoilt(HEAP, "    left -= n", f"{statements}\n    left -= n")


def setup(statements: str) -> str:
    return f"{HEAP}\nsetup:\n    {statements}\n"


def rounds(text: str, at_most: int) -> list[tuple[str, str]]:
    """What stands at the dearest place, and the message, where there are too many rounds."""
    source = SourceFile("test.game", text)
    program, _ = read_program(source)
    _, found = check(program, max_rounds=at_most)
    wrong = [one for one in found if one.is_error]
    assert {one.code for one in wrong} <= {"E1206"}
    return [
        (text[one.primary.span.start : one.primary.span.end], one.message)
        for one in wrong
        if one.primary is not None
    ]


def test_of_all_instances_few_go_beyond_a_test_of_a_parameter_and_a_last_requirement() -> None:
    tests = " or ".join(f"n == {n} and any(a == left for a in 1..90)" for n in range(1, 10))
    loop, require = "    for a in 1..900: left = 9\n", f"    require {tests}\n"
    head = 'game "Tests"\nplayers A, B\nstate:\n    left: 0..9 = 9\n'
    head += "move take(n in 1..9, m in 1..1000):\n"
    end = "end:\n    if stuck: turn loses\n"
    assert not rounds(head + require + loop + end, 10_000)
    assert rounds(head + require.replace("n ==", "left ==") + loop + end, 10_000)
    assert rounds(head + require + loop + "    ensure left == 9\n" + end, 10_000)


HUGE = {
    "loops in setup": setup("for i in 1..9999:\n        for j in 1..9998: kept = 1"),
    "loops in a body": body("    for i in 1..9999:\n        for j in 1..9998: kept = left"),
    "loops under a condition": body(
        "    if left > 8:\n        for i in 1..9999:\n            for j in 1..9998: kept = left"
    ),
    "a quantifier": body("    require count(a + b == left for a in 1..9999 for b in 1..9998) > 0"),
    "a quantifier without a part of the state": body(
        "    require count(a + b == 7 for a in 1..9999 for b in 1..9998) > 0"
    ),
    "an end": spoilt(HEAP, "stuck:", "any(a + b == left for a in 1..9999 for b in 1..9998):"),
    "a def": spoilt(HEAP, "n <= left", "all(f(a) for a in 1..9999)")
    + "def f(a) = any(a + b == left for b in 1..9998)\n",
    "an effect": body("    for i in 1..9999: run()")
    + "effect run:\n    for j in 1..9998: kept = left\n",
    "a where": body("    require any(a > 0 for a in 1..9999 where any(a < b for b in 1..9998))"),
    "weights": body("    chance k in {left: sum(1 for a in 1..9999 for b in 1..9998)}"),
    "an evaluation": HEAP + "evaluate p: sum(a * b * left for a in 1..9999 for b in 1..9998)\n",
}


@pytest.mark.parametrize("what", HUGE)
def test_a_body_of_too_many_rounds_is_refused_where_they_are_gone(what: str) -> None:
    ((place, message),) = rounds(HUGE[what], MOST_ROUNDS)
    assert place == "1..9998"
    assert "9,998" in message or "99,98" in message or "99,99" in message


def test_what_is_allowed_is_the_number_of_rounds_of_all_loops_together() -> None:
    text = body("    require any(a + b == left for a in 1..10 for b in 1..20)")  # 10 + 10 * 20
    assert not rounds(text, 210)
    ((place, message),) = rounds(text, 209)
    assert place == "1..20"
    assert message == "up to 210 rounds in one body: at most 209 are possible"


@pytest.mark.parametrize("builtin", ["full(cell)", "line(cell, X, 3)", "len(group(cell, s)) > 1"])
def test_a_builtin_counts_the_cells_that_it_may_look_at(builtin: str) -> None:
    text = spoilt(BOARD, "    cell[s] = turn", f"    require {builtin}\n    cell[s] = turn")
    assert rounds(text, 8)


def test_instances_of_a_move_are_counted_together() -> None:
    text = spoilt(HEAP, "n in 1..3", "n in 1..999, m in 1..999, k in 1..2")
    text = spoilt(text, "n <= left", "any(a + m + k == left for a in 1..900)")
    ((_, message),) = rounds(text, MOST_ROUNDS)
    assert "in all 1,996,002 instances of `take`" in message


@pytest.mark.parametrize(
    "text",
    [
        spoilt(HEAP, "n in 1..3", "n in 1..999, m in 1..999, k in 1..2"),
        spoilt(
            HEAP, "    left -= n", "    require any(a + b == n for a in 1..9999 for b in 1..9998)"
        ),
    ],
)
def test_the_limit_that_is_named_is_enough(text: str) -> None:
    text = spoilt(text, "n <= left", "any(a + n == left for a in 1..900)")
    with pytest.raises(GameSourceError) as raised:
        load_source(SourceFile("heap", text), {})
    hints = [str(one.hint) for one in raised.value.diagnostics if one.code == "E1206"]
    needed = max(int(hint.split("--max-rounds ")[1].rstrip("`")) for hint in hints)
    assert rounds(text, needed) == []
    assert rounds(text, needed - 1) != []


def test_the_limit_is_raised_for_claims_and_copies_too() -> None:
    text = body("    require any(a + b == n for a in 1..9999 for b in 1..9998)")
    source = SourceFile("heap", text)
    with pytest.raises(GameSourceError):
        load_source(source, {})
    game = load_source(source, {}, max_rounds=100_000_000)
    make, given = game.__reduce__()
    assert make(*given).model.max_rounds == 100_000_000  # type: ignore[operator]


def test_help_names_the_usual_limit() -> None:
    assert MaxRoundsOption.__metadata__[0].show_default == f"{MOST_ROUNDS:,}"


def test_neighbours_are_as_many_as_the_board_has_and_not_as_many_as_its_squares() -> None:
    nested = "sum(sum(sum(1 for t in neighbours(r)) for r in neighbours(q)) for q in neighbours(s))"
    text = BOARD.replace("end:", f"def far(s) = {nested}\n\nend:\n    if far(a1) > 99: draw", 1)
    assert rounds(text, 8**3 + 8**2 + 8 + 29) == []
    assert rounds(text, 8**3 + 8**2 + 8 + 28) != []


def test_a_parameter_without_a_value_has_no_instances() -> None:
    move = """move never(p in {v for v in players where v != v}):
    require p == A and all(p == q for q in players)
    left -= 1

move """
    assert not rounds(spoilt(HEAP, "move ", move), 100)
