"""Flat sums, unions, `and` and `or` of any length, on every engine and in every printer."""

from __future__ import annotations

from itertools import cycle, islice
from random import Random

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.source import SourceFile
from gamedsl.syntax.parse import parse
from gamedsl.syntax.printers.program import format_program
from tests.comparing import same

RULES = """game "Long"
players A, B

state:
    x[1..3]: 0..9 = 1
    n: 0..9 = 0

move go(k in 1..3):
    require {condition}
    x[k] = (2*x[k] + n + k) % 10
    n += 1

end:
    if n >= 3 or stuck: draw
"""
CELLS = ("x[1]", "x[2]", "x[3]")
LENGTH = 150


def terms(count: int = LENGTH) -> list[str]:
    return list(islice(cycle(CELLS), count))


def signed(seed: int) -> str:
    """A sum of `LENGTH` terms with either sign."""
    random = Random(seed)
    return "".join(f" {random.choice('+-')} {term}" for term in terms()).removeprefix(" + ")


LONG = {
    "sum": f"({' + '.join(terms())}) % 3 != k - 1",
    "difference": f"(1000 - {' - '.join(terms())}) % 3 != k - 1",
    "union": f"k in {' | '.join(terms())}",
    "and": " and ".join(f"{term} + {n} != 2*k + {n}" for n, term in enumerate(terms())),
    "or": " or ".join(f"{term} + {n} == 2*k + {n}" for n, term in enumerate(terms())),
    "union of sets": f"k in {' | '.join(f'{{{term}}}' for term in terms())}",
    "mixed": f"(9 + {signed(1).removeprefix(' - ')}) % 3 != k - 1",
}
SHORT = {
    "sum": f"({LENGTH // 3}*(x[1] + x[2] + x[3])) % 3 != k - 1",
    "difference": f"(1000 - {LENGTH // 3}*(x[1] + x[2] + x[3])) % 3 != k - 1",
    "union": "k in {x[1], x[2], x[3]}",
    "and": "all(x[i] != 2*k for i in 1..3)",
    "or": "any(x[i] == 2*k for i in 1..3)",
    "union of sets": "k in {x[1], x[2], x[3]}",
}


def loaded(condition: str, engine: str) -> LoadedGame:
    return gamedsl.load(RULES.format(condition=condition), engine=engine)


def plays(game: LoadedGame) -> list[list[str]]:
    """All plays, move by move."""
    found, open_plays = [], [([], game.initial_state())]
    while open_plays:
        play, state = open_plays.pop()
        if game.is_terminal(state):
            found.append(play)
            continue
        for action in game.legal_actions(state):
            after = game.result(state, action)
            open_plays.append(([*play, game.action_name(state, action)], after))
    return found


@pytest.mark.parametrize("engine", ["interpreter", "python"])
@pytest.mark.parametrize("kind", SHORT)
def test_a_long_series_means_the_same_as_a_short_one(kind: str, engine: str) -> None:
    assert plays(loaded(LONG[kind], engine)) == plays(loaded(SHORT[kind], "interpreter"))


@pytest.mark.parametrize("seed", range(5))
def test_a_long_sum_of_both_signs_is_done_from_the_left(seed: int) -> None:
    text = signed(seed)
    short = "".join(
        f" + ({sum(1 if sign == '+' else -1 for sign in signs_of(text, cell))})*{cell}"
        for cell in CELLS
    )
    condition = "({}) % 3 != k - 1"
    for engine in ("interpreter", "python"):
        long_plays = plays(loaded(condition.format(f"0{plus(text)}"), engine))
        assert long_plays == plays(loaded(condition.format(f"0{short}"), "interpreter"))


def plus(text: str) -> str:
    """With a sign in front, whatever the first term."""
    return text if text.startswith(" -") else f" + {text}"


def signs_of(text: str, cell: str) -> list[str]:
    words = plus(text).split()
    return [sign for sign, term in zip(words[::2], words[1::2], strict=True) if term == cell]


@pytest.mark.parametrize("kind", LONG)
def test_a_long_series_is_printed_as_it_is_written(kind: str) -> None:
    source = SourceFile("long.game", RULES.format(condition=LONG[kind]))
    program, diagnostics = parse(source)
    assert diagnostics == ()
    text = format_program(program)
    again, _ = parse(SourceFile("long.game", text))
    assert format_program(again) == text
    assert same(program.declarations, again.declarations)
    assert str(gamedsl.explain(loaded(LONG[kind], "interpreter"))).count("x[") >= LENGTH


def test_brackets_around_the_first_terms_make_no_difference() -> None:
    flat = " + ".join(terms(30))
    for taken in (2, 10, 16, 17, 29):
        nested = f"({' + '.join(terms(taken))}) + {' + '.join(terms(30)[taken:])}"
        trees = [
            parse(SourceFile("a", RULES.format(condition=f"{text} > k")))[0].declarations
            for text in (flat, nested)
        ]
        assert same(*trees)


@pytest.mark.parametrize("length", [50, 20_000])
def test_a_long_domain_and_a_long_sum_of_numbers_have_no_limit_of_terms(length: int) -> None:
    game = gamedsl.load(
        f"players A\nstate:\n    at: {' | '.join(map(str, range(length)))} = 0\n"
        f"move go: at = {' + '.join(['0'] * length)} + 1\nend:\n    if at == 1: draw\n",
        engine="interpreter",
    )
    state = game.result(game.initial_state(), game.legal_actions(game.initial_state())[0])
    assert game.is_terminal(state)


def test_steps_on_a_board_are_done_one_by_one_up_to_the_levels_that_are_allowed() -> None:
    text = (
        "players A\nboard 3 wide 3 high\ndirections N, S\nstate:\n    at: square | none = a1\n"
        "move go: at = {}\nend:\n    if stuck: draw\nendless: draw\n"
    )
    there = " + ".join(["a1", *["N", "S"] * 30])
    for engine in ("interpreter", "python"):
        game = gamedsl.load(text.format(there), engine=engine)
        action = game.legal_actions(game.initial_state())[0]
        assert "at: a1" in game.show(game.result(game.initial_state(), action), in_words=True) or (
            game.result(game.initial_state(), action) == game.initial_state()
        )
    with pytest.raises(gamedsl.GameSourceError, match="nested too deeply"):
        gamedsl.load(text.format(" + ".join(["a1", *["N", "S"] * 60])))
