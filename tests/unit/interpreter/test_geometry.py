"""Groups, sight, lines and full boards, against a plain count."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gamedsl.game import LoadedGame
from gamedsl.model.values import COMPASS
from tests.unit.interpreter.playing import cells, loaded, play

WAYS = st.sets(st.sampled_from(list(COMPASS)), min_size=1)
ROWS = st.lists(st.text("AB.", min_size=4, max_size=4), min_size=3, max_size=3)


def asking(rows: list[str], ways: set[str], *questions: str) -> LoadedGame:
    """A game with this board in which `ask(s)` puts answers into `a1`-like variables."""
    drawn = "\n".join("        " + " ".join(row) for row in rows)
    answers = "\n".join(f"    answer{n}: 0..99 = 0" for n, _ in enumerate(questions))
    asked = "\n".join(f"    answer{n} = {question}" for n, question in enumerate(questions))
    return loaded(
        f"""game "Asking"
players A, B
board 4 wide 3 high
directions {", ".join(sorted(ways))}
state:
    man[square]: empty | players = diagram
{drawn}
    asked: bool = false
{answers}
move ask(s in square):
{asked}
    asked = true
end:
    if asked: draw
"""
    )


def place(rows: list[str], column: int, row: int) -> str | None:
    """What stands at a place counted from the bottom left, None off the board."""
    if not (0 <= column < 4 and 0 <= row < 3):
        return None
    return rows[2 - row][column]


@given(ROWS, WAYS, st.integers(0, 3), st.integers(0, 2))
def test_a_group_is_what_hangs_together(
    rows: list[str], ways: set[str], column: int, row: int
) -> None:
    game = asking(rows, ways, "len(group(man, s))")
    reached, frontier = {(column, row)}, [(column, row)]
    while frontier:
        x, y = frontier.pop()
        for way in ways:
            near = (x + COMPASS[way].across, y + COMPASS[way].up)
            if near not in reached and place(rows, *near) == place(rows, column, row):
                reached.add(near)
                frontier.append(near)
    name = f"{'abcd'[column]}{row + 1}"
    assert cells(game, play(game, name))["answer0"] == str(len(reached))


@given(ROWS, st.sampled_from(list(COMPASS)), st.integers(0, 3), st.integers(0, 2))
def test_sight_ends_with_the_first_man_and_a_ray_at_the_edge(
    rows: list[str], way: str, column: int, row: int
) -> None:
    game = asking(rows, {"N"}, f"len(ray(s, {way}))", f"len(sight(man, s, {way}))")
    x, y = column, row
    ray, sight = 0, 0
    stopped = False
    while place(rows, x := x + COMPASS[way].across, y := y + COMPASS[way].up) is not None:
        ray += 1
        sight += not stopped
        stopped = stopped or place(rows, x, y) != "."
    found = cells(game, play(game, f"{'abcd'[column]}{row + 1}"))
    assert (found["answer0"], found["answer1"]) == (str(ray), str(sight))


@given(ROWS, WAYS, st.integers(1, 4))
def test_a_line_goes_straight_along_a_direction_of_the_game(
    rows: list[str], ways: set[str], length: int
) -> None:
    game = asking(rows, ways, f"count(v for v in players where line(man, v, {length}))")
    expected = sum(
        any(
            all(
                place(rows, x + k * COMPASS[way].across, y + k * COMPASS[way].up) == value
                for k in range(length)
            )
            for x in range(4)
            for y in range(3)
            for way in ways
        )
        for value in "AB"
    )
    assert cells(game, play(game, "a1"))["answer0"] == str(expected)


@given(ROWS)
def test_a_board_is_full_if_nothing_is_empty(rows: list[str]) -> None:
    game = asking(rows, {"N"}, "1 if full(man) else 0", "count(man[q] != empty for q in square)")
    found = cells(game, play(game, "a1"))
    men = sum(place != "." for row in rows for place in row)
    assert (found["answer0"], found["answer1"]) == (str(int(men == 12)), str(men))
