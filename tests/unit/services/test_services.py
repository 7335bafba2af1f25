"""What an editor is told about a text: on the text as it is, and on one that is being written."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from itertools import chain
from pathlib import Path
from types import FrameType

import pytest

from gamedsl.game.library import shipped_game
from gamedsl.model.builtins import BUILTINS
from gamedsl.model.operations import REDUCTIONS
from gamedsl.model.symbols.keywords import KEYWORDS
from gamedsl.services.analysis import Analysis, analyse
from gamedsl.services.changes import applied
from gamedsl.services.completion import completions
from gamedsl.services.findings import findings
from gamedsl.services.fixes import fixes
from gamedsl.services.formatting import formatting
from gamedsl.services.hover import hover
from gamedsl.services.navigation import definition, highlights, references
from gamedsl.services.outline import folds, outline
from gamedsl.services.reference import entry_for
from gamedsl.services.renaming import RenameRefusedError, rename, renameable
from gamedsl.services.signature import signature
from gamedsl.services.symbols import SymbolKind
from gamedsl.services.tokens import tokens
from gamedsl.source import SourceFile, read_source
from gamedsl.syntax import ast
from gamedsl.syntax.vocabulary import literals
from tests.generation.games import game_text
from tests.unit.syntax.test_constructs import EXPRESSIONS, STATEMENTS

GAME = """\
# Who takes the last counter wins.
game "Counters"
players Ann, Bob
board 3 wide 3 high
type Colour = red | green
param most = 2          # counters that a move takes

state:
    left: 0..9 = 9      # what is still there
    at[square]: empty | Colour = empty

# Whether a number can be taken.
def fits(n) = n <= left and n <= most

effect mark(s, c):
    at[s] = c

move take(n in 1..most, s in square where at[s] == empty):
    require fits(n)
    let colour = red if n == 1 else green
    left -= n
    mark(s, colour)

end:
    if left == 0: opponent wins
    if full(at): draw

expect best: take(1, a1)
"""


def of(text: str) -> Analysis:
    return analyse(SourceFile("a.game", text))


def at(text: str, mark: str, number: int = 0) -> int:
    """Where a piece of text begins, the first time or a later one."""
    offset = -1
    for _ in range(number + 1):
        offset = text.index(mark, offset + 1)
    return offset


def written(text: str) -> tuple[Analysis, int]:
    """A text with the place that `@` marks."""
    offset = text.index("@")
    return of(text.replace("@", "")), offset


def labels(text: str) -> list[str]:
    analysis, offset = written(text)
    return [one.label for one in completions(analysis, offset)]


def names_in(value: object) -> Iterator[ast.Name]:
    if isinstance(value, tuple):
        yield from chain.from_iterable(map(names_in, value))
    elif isinstance(value, ast.Node) and not isinstance(value, ast.Diagram):
        if isinstance(value, ast.Name):
            yield value
        for field in fields(value):
            yield from names_in(getattr(value, field.name))


@pytest.mark.parametrize(
    "name", ["nim_misere", "go", "kuhn_poker", "shut_the_box", "nine_mens_morris"]
)
def test_names_are_bound_as_elaboration_binds_them(name: str) -> None:
    path = shipped_game(name)
    assert path is not None
    source = read_source(path)
    assert isinstance(source, SourceFile)
    found = analyse(source)
    declared = {one.span: one.symbol.declared for one in found.occurrences}
    assert found.notes.declared
    assert {span: declared[span] for span in found.notes.declared} == found.notes.declared


@pytest.mark.parametrize("seed", range(12))
def test_every_name_of_a_generated_game_stands_for_something(seed: int) -> None:
    found = of(game_text(seed))
    bound = {one.span for one in found.occurrences}
    rules = [
        one
        for one in found.whole.declarations
        if not isinstance(one, ast.ExpectDecl | ast.TreeDecl | ast.ShowDecl)
    ]
    missing = {one.text for one in names_in(tuple(rules)) if one.span not in bound}
    assert not {one for one in missing if one.isidentifier() and one != "state"}
    declared = {one.span: one.symbol.declared for one in found.occurrences}
    assert {span: declared[span] for span in found.notes.declared} == found.notes.declared


def test_every_name_of_every_construct_stands_for_something() -> None:
    letters = "abcdeijknpstwAB"
    text = "".join(f"param {letter} = 1\n" for letter in letters) + "state:\n    x: 0..1 = 0\n"
    for number, statement in enumerate(STATEMENTS):
        body = statement.replace("\n", "\n    ")
        text += f"effect f{number}():\n    {body}\n"
    text += "board 3 wide 3 high\neffect f(y): again\n"
    text += "".join(f"def g{n}(x, y) = {one}\n" for n, one in enumerate(EXPRESSIONS))
    found = of(text)
    bound = {one.span for one in found.occurrences}
    missing = [one for one in names_in(tuple(found.whole.declarations)) if one.span not in bound]
    assert len(bound) > 200
    assert {text.count("\n", 0, one.span.start) + 1: one.text for one in missing} == {}


def test_every_word_of_the_language_has_documentation() -> None:
    words = {one for one in literals().values() if one.isalpha()}
    words |= KEYWORDS | BUILTINS.keys() | REDUCTIONS.keys()
    assert {word for word in words if entry_for(word) is None} == set()


def test_findings_have_places_in_the_text_and_related_places() -> None:
    found = findings(of(GAME.replace("mark(s, colour)", "mark(s, colours)")))
    (error,) = (one for one in found if one.severity == "error")
    assert (error.code, error.span.end - error.span.start) == ("E1001", len("colours"))
    twice = findings(of(GAME + "\nparam most = 3\n"))
    assert [one.related[0].text for one in twice if one.code == "E1002"] == ["first here"]


def test_an_error_in_an_included_file_is_shown_where_it_is_included() -> None:
    bad = SourceFile("bad.game", "players Ann\nmove go:\n    nothing = 1\n")
    source = SourceFile("a.game", '# Mine.\ninclude "bad.game"\ngame "Mine"\n')
    found = findings(analyse(source, lambda name, _: bad))
    assert any(
        source.text[one.span.start : one.span.end] == 'include "bad.game"'
        and one.message.startswith("bad.game, line 3:")
        for one in found
    )


@pytest.mark.parametrize(
    ("mark", "says"),
    [
        ("fits(n)\n", ["def fits(n) = n <= left and n <= most", "Whether a number can be taken."]),
        ("left -= n", ["left: 0..9 = 9", "one cell, each of `0..9`", "what is still there"]),
        ("at[s] == empty", ["9 cells", "each of `empty | red | green`"]),
        ("most = 2", ["parameter of the game: `2`", "counters that a move takes"]),
        ("colour)", ["let colour = red if n == 1 else green", "local name of `move take`"]),
        ("n <= left", ["parameter of `def fits`: a number 1..2"]),
        ("red if", ["value: of `Colour`"]),
        ("Colour =", ["type: `red, green`"]),
        ("full(at)", ["no existing cell is `empty`"]),
        ("require", ["The action is legal only if"]),
        ("wide", ["A grid of squares"]),
        ("opponent", ["the opponent of `turn`"]),
        ("best", ["all first moves with the best value"]),
        ("-= n", ["short for"]),
        ("a1)", ["a square of the board"]),
        ("Ann", ["player"]),
    ],
)
def test_hover_says_what_everything_means(mark: str, says: list[str]) -> None:
    found = hover(of(GAME), at(GAME, mark))
    assert found is not None
    assert all(part in found.text for part in says), found.text


def test_hover_answers_in_a_broken_text_and_is_silent_in_comments() -> None:
    broken = GAME.replace("    require fits(n)", "    require fits(n")
    found = hover(of(broken), at(broken, "left -= n"))
    assert found is not None
    assert "0..9" in found.text
    assert hover(of(GAME), at(GAME, "takes the last")) is None


@pytest.mark.parametrize(
    "mistake",
    ["def d{n} = = {n}", "nonsense line {n}", "def d{n} = no{n} + 1", "    let q{n} = q - - {n} +"],
)
def test_a_text_twice_as_long_is_twice_the_work_whatever_is_wrong_in_it(
    mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gamedsl.model.symbols.symbol_table.MOST_COMPARED", 1_000)
    lines_run(mistake, 10)  # what is read once and kept
    work = [lines_run(mistake, lines) for lines in (40, 80, 160)]
    first, second = work[1] - work[0], work[2] - work[1]
    assert second < 2.4 * first  # a line more costs as much wherever it stands


def lines_run(mistake: str, lines: int) -> int:
    """How many lines of Python are run to find all mistakes and what a word means, each round of a
    loop counted."""
    counted = 0

    def trace(frame: FrameType, event: str, _: object) -> object:
        nonlocal counted
        counted += event == "line"
        return trace

    text = f"{GAME}move more:\n" + "".join(f"{mistake.format(n=n)}\n" for n in range(lines))
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        broken = of(text)
        assert findings(broken)
        assert hover(broken, text.index("fits(n)"))
    finally:
        sys.settrace(before)
    return counted


def test_local_names_are_told_in_broken_lines_by_the_lines_around_them() -> None:
    text = GAME.replace("left -= n", "left -= n +").replace("mark(s, colour)", "mark(s, colour")
    text += "def other(n) = colour +\n"
    found = [hover(of(text), at(text, mark)) for mark in ("n +", "colour\n", "colour +")]
    assert found[0] is not None
    assert "parameter of `move take`" in found[0].text
    assert found[1] is not None
    assert "let colour = red if n == 1 else green" in found[1].text
    assert found[2] is None


def test_definition_and_references_follow_names_and_not_texts() -> None:
    found = of(GAME)
    n_of_move = definition(found, at(GAME, "fits(n)\n") + len("fits("))
    n_of_def = definition(found, at(GAME, "n <= left"))
    assert n_of_move is not None
    assert n_of_def is not None
    assert n_of_move.span.start == at(GAME, "n in 1..most")
    assert n_of_def.span.start == at(GAME, "fits(n)") + len("fits(")
    uses = references(found, at(GAME, "left: 0..9"))
    assert [found.source.position(one.span.start)[0] for one in uses] == [9, 13, 21, 25]
    assert [one.is_written for one in highlights(found, at(GAME, "left: 0..9"))].count(True) == 1
    assert definition(found, at(GAME, "board")) is None


def test_definition_goes_into_included_files() -> None:
    text = 'include "chess.game"\ngame "Mine"\ndef straight = {N, E, S}\n'
    text += "def mine(s) = king_of(turn) == s\n"
    found = of(text)
    place = definition(found, at(text, "king_of"))
    assert place is not None
    assert place.file.name.endswith("chess.game")
    assert place.file.text[place.span.start :].startswith("king_of(p)")
    whole = definition(found, at(text, "chess.game"))
    assert whole is not None
    assert whole.file.name.endswith("chess.game")
    left_out = 'include "chess.game"\nwithout move castle\n'
    gone = definition(of(left_out), at(left_out, "castle"))
    assert gone is not None
    assert gone.file.text[: gone.span.start].endswith("move ")
    with pytest.raises(RenameRefusedError, match=r"stands in .*chess\.game"):
        rename(found, at(text, "king_of"), "ruler_of")


def test_a_variant_with_a_broken_section_is_answered() -> None:
    text = 'include "chess.game"\ngame "Mine"\nstate:\n    men[: 1\n'
    text += "def mine(s) = king_of(turn) == s\n"
    found = hover(of(text), at(text, "king_of"))
    assert found is not None
    assert "declared in" in found.text
    only = 'include "chess.game"\nstate:\n    men[: 1\n'
    assert findings(of(only))


def renamed(found: Analysis, mark: str, name: str) -> str:
    """The text after a rename that changes it alone."""
    (change,) = rename(found, at(found.source.text, mark), name)
    return applied(found.source.text, change.edits)


def test_a_rename_goes_through_all_files_that_include_each_other(tmp_path: Path) -> None:
    texts = {
        "base.game": GAME,
        "more.game": 'include "base.game"\ngame "More"\nparam most = 3\ndef fits(n) = n <= left\n',
        "less.game": 'include "more.game"\ngame "Less"\nwithout def fits\n'
        "move take(n in 1..most, s in square where at[s] == empty):\n    left -= n\n",
        "other.game": 'include "nim.game"\ngame "Other"\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    sources = {name: read_source(tmp_path / name, name) for name in texts}
    known = {name: analyse(one) for name, one in sources.items() if isinstance(one, SourceFile)}
    for asked, mark in (("base.game", "fits(n) ="), ("more.game", "fits(n) =")):
        place = at(texts[asked], mark)
        changes = rename(known[asked], place, "possible", others=known.values())
        now = {Path(one.file.name).name: applied(one.file.text, one.edits) for one in changes}
        assert sorted(now) == ["base.game", "less.game", "more.game"]
        assert "require possible(n)" in now["base.game"]
        assert "without def possible" in now["less.game"]
        assert not any("fits" in text for text in now.values())
    with pytest.raises(RenameRefusedError, match=r"declared twice|there would be a mistake"):
        rename(known["base.game"], at(GAME, "fits(n) ="), "left", others=known.values())


CARDS = """game "Cards"
players Ann, Bob
type Suit = clubs | hearts
type Rank = 9..10 | J
type Card = Rank of Suit
state:
    top: Card | none = none
move put(c in Card):
    require Suit(c) == hearts and c != hearts_J
    top = c
end:
    if top != none: draw
"""


def test_a_value_of_a_product_is_declared_by_its_type() -> None:
    found = of(CARDS)
    place = definition(found, at(CARDS, "hearts_J"))
    assert place is not None
    assert place.span.start == at(CARDS, "Card = Rank")
    told = hover(found, at(CARDS, "hearts_J"))
    assert told is not None
    assert "type Card = Rank of Suit\n```\n\nvalue: of `Card`" in told.text
    assert renamed(found, "Suit(c)", "Colour") == CARDS.replace("Suit", "Colour")
    for name in ("hearts_J", "hearts and"):
        with pytest.raises(RenameRefusedError, match="there would be a mistake: unknown name"):
            rename(found, at(CARDS, name), "ruby")
    offered = completions(of(CARDS.replace("hearts_J", "hea")), at(CARDS, "hearts_J") + 3)
    assert {"hearts_9", "hearts_10", "hearts_J"} <= {one.label for one in offered}


def test_rename_changes_all_places_and_nothing_else() -> None:
    found = of(GAME)
    text = renamed(found, "n in 1..most", "number")
    assert "move take(number in 1..most" in text
    assert "require fits(number)" in text
    assert "def fits(n) = n <= left" in text
    assert not [one for one in findings(of(text)) if one.severity == "error"]
    moved = renamed(found, "take(", "draw_some")
    assert "expect best: draw_some(1, a1)" in moved
    asking = GAME.replace("if full", "if stuck(turn, take): draw\n    if full")
    assert "if stuck(turn, draw_some): draw" in renamed(of(asking), "take(", "draw_some")


@pytest.mark.parametrize(
    ("mark", "name", "reason"),
    [
        ("n in 1..most", "s", "there would be a mistake"),
        ("most = 2", "left", "declared twice"),
        ("left: 0..9", "a1", "already means|would be a mistake|stands for"),
        ("left: 0..9", "for", "would be a mistake"),
        ("left: 0..9", "two words", "is no name"),
        ("full(at)", "whole", "builtin function"),
        ("a1)", "corner", "square of the board"),
        ("Who takes", "x", "there is no name here"),
    ],
)
def test_rename_refuses_what_would_change_meaning(mark: str, name: str, reason: str) -> None:
    with pytest.raises(RenameRefusedError, match=reason):
        rename(of(GAME), at(GAME, mark), name)


def test_rename_refuses_where_a_broken_line_uses_the_name() -> None:
    broken = GAME.replace("    left -= n", "    left -= = n")
    with pytest.raises(RenameRefusedError, match="cannot be read"):
        renameable(of(broken), at(broken, "left: 0..9"))


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("@", {"players", "board", "move", "include"}, {"require", "left"}),
        (
            GAME + "\nmove go(s in square):\n    @\n",
            {"require", "left", "mark"},
            {"draw", "players"},
        ),
        (GAME + "\nmove go(s in square):\n    require at[@\n", {"s", "a1", "c3"}, {"require"}),
        (GAME + "\nmove go(s in square):\n    require @\n", {"s", "left", "fits", "any"}, {"mark"}),
        (GAME.replace("n == 1 else", "n @ == 1 else"), {"and", "in"}, {"left"}),
        (GAME.replace("= c\n", "= @\n"), {"s", "c", "red", "turn"}, {"n"}),
        (GAME.replace("fits(n)\n", "at[s] == @\n"), {"red", "green", "empty"}, set()),
        (GAME.replace("    if full", "    if stuck: @\n    if full"), {"draw", "Ann"}, {"again"}),
        ("players A\nend:\n    for p in players:\n        if x == :\n        @\n", {"p"}, set()),
        (GAME.replace("if full", "if any(@ for q in square"), {"q", "at"}, set()),
        (GAME + "expect @", {"value", "perft"}, {"left"}),
        (GAME + "expect best: @", {"take"}, {"left"}),
        (GAME + "repeat @", {"state", "left"}, {"fits"}),
        ('include "@', {"chess.game"}, {"players"}),
        ('include "nim.game"\nwithout param @\n', {"sizes"}, {"take"}),
        ("board 3 @", {"wide"}, {"players"}),
        ("players A  # @", set(), {"players"}),
    ],
)
def test_completion_knows_where_it_is(text: str, wanted: set[str], unwanted: set[str]) -> None:
    found = set(labels(text))
    assert wanted <= found
    assert not unwanted & found


def test_completion_puts_first_what_is_meant() -> None:
    found = labels(GAME.replace("fits(n)\n", "at[s] == @\n"))
    assert set(found[:5]) == {"empty", "green", "red", "n", "s"}


def test_signature_help_counts_arguments() -> None:
    analysis, offset = written(GAME.replace("full(at)", "line(at, red, @"))
    found = signature(analysis, offset)
    assert found is not None
    assert (found.label, found.parameters[found.active]) == ("line(a, v, n)", "n")
    analysis, offset = written(GAME.replace("mark(s, colour)", "mark(s, @"))
    found = signature(analysis, offset)
    assert found is not None
    assert (found.label, found.active) == ("mark(s, c)", 1)


def test_the_outline_and_what_can_be_folded() -> None:
    for text in (GAME, GAME.replace("n == 1 else", "n == else")):
        found = outline(of(text))
        kinds = {one.name: one.kind for one in found}
        assert kinds["take"] is SymbolKind.MOVE
        state = next(one for one in found if one.name == "state")
        assert [one.name for one in state.children] == ["left", "at"]
        first = text[: text.index("\nmove take")].count("\n") + 2
        assert (first, first + 4, False) in folds(of(text))


def test_names_are_coloured_by_what_they_stand_for() -> None:
    found = {GAME[one.span.start : one.span.end]: one for one in tokens(of(GAME))}
    assert found["left"].type == "property"
    assert found["fits"].type == "function"
    assert found["red"].type == "enumMember"
    assert "modification" in [m for one in tokens(of(GAME)) for m in one.modifiers]


def test_formatting_is_that_of_the_command_and_leaves_broken_texts_alone() -> None:
    crooked = GAME.replace("left -= n", "left   -=   n")
    assert applied(crooked, formatting(of(crooked))) == applied(GAME, formatting(of(GAME)))
    assert formatting(of(crooked.replace("players", "player"))) == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("fits(n)\n", "fitz(n)\n"),
        ("opponent wins", "oponent wins"),
        ("left == 0", "left = 0"),
        ("    require fits", "    requires fits"),
        ("red if n == 1", "red if n = 1"),
        ("full(at)", "full(at"),
    ],
)
def test_a_proposal_that_mends_the_text_can_be_applied(old: str, new: str) -> None:
    text = GAME.replace(old, new)
    found = of(text)
    offered = [fix for one in findings(found) for fix in fixes(found, one)]
    assert GAME in [applied(text, fix.edits) for fix in offered]


@pytest.mark.parametrize(
    "text",
    [
        GAME.replace("players Ann, Bob\n", ""),  # such as `players X, O`
        GAME.replace("players Ann, Bob", "players: Ann, Bob"),
        GAME + "discount = 11/10\n",  # `discount = 9/10` makes ...
        GAME + "expect winner: Ann\n",  # as in `expect value: draw`
    ],
)
def test_an_example_in_a_message_is_not_offered_as_a_change(text: str) -> None:
    found = of(text)
    assert [one for one in findings(found) if one.severity == "error"]
    assert [fix for one in findings(found) for fix in fixes(found, one)] == []
