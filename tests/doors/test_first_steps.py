"""Templates of `gamedsl new`, patterns of the cookbook, and rules of shipped games to copy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gamedsl
from gamedsl.cli.options import GameKind
from gamedsl.conformance import explore
from gamedsl.game.library import templates
from gamedsl.game.loading import load_source
from gamedsl.python.cookbook import page, patterns, patterns_about
from gamedsl.solvers.expectations import verify_all
from gamedsl.source import SourceFile
from tests.language.examples import Example, complaints

from .conftest import Run

CHANGE = re.compile(r"^#   \d\. [^\n]+:\n((?:#          .+\n)+)", re.MULTILINE)
PAIR = re.compile(r"^#          (.*?)  ->  (.*)$")
REST = re.compile(
    r"^### (?P<title>[^\n]+)\n(?:(?!\n###).)*?^<!-- rest\n(?P<rest>.*?)-->\n"
    r"```gamedsl-part\n(?P<rules>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
PATTERNS = list(REST.finditer(page().read_text("utf-8")))


def test_every_kind_has_a_template() -> None:
    assert sorted(templates()) == sorted(GameKind)


@pytest.mark.parametrize("kind", GameKind)
def test_a_template_is_right_and_so_is_each_of_the_three_changes_that_it_names(
    kind: GameKind, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "Fox hunt", "--kind", kind).out == "fox_hunt.game\n"
    assert run("fmt", "--check", "fox_hunt.game").status == 0
    text = Path("fox_hunt.game").read_text("utf-8")
    assert 'game "Fox hunt"' in text
    source = SourceFile("fox_hunt.game", text)
    game = load_source(source, {})
    assert all(verdict.ok for verdict in verify_all(game, game.expectations, lambda _: game))
    assert complaints(Example(Path("fox_hunt.game"), 1, text), max_positions=300) == []
    changes = CHANGE.findall(text)
    assert len(changes) == 3
    head, rules = text.split("\ngame ", 1)
    for change in changes:
        changed = rules.partition("\nexpect")[0]
        for line in change.splitlines():
            old, new = PAIR.search(line).groups()  # type: ignore[union-attr]
            assert old in changed
            changed = changed.replace(old, new)
        varied = load_source(SourceFile("varied.game", f"{head}\ngame {changed}\n"), {})
        assert not [one for one in explore(varied, max_positions=300).diagnostics if one.is_error]


def test_a_kind_and_a_base_are_not_joined(run: Run) -> None:
    refused = run("new", "Mine", "--kind", "cards", "--from", "chess")
    assert refused.status == 2
    assert "`--from` starts a variant" in refused.err


def test_the_cookbook_has_fifty_patterns_each_with_the_rest_of_a_game() -> None:
    assert [pattern.title for pattern in patterns()] == [match["title"] for match in PATTERNS]
    assert len(PATTERNS) == page().read_text("utf-8").count("\n### ") >= 50


@pytest.mark.parametrize("match", PATTERNS, ids=lambda match: match["title"].replace(" ", "-"))
def test_a_pattern_does_what_it_says(match: re.Match[str]) -> None:
    text = f'game "A pattern"\n{match["rest"]}{match["rules"]}'
    assert re.search(r"^(# then|expect) ", text, re.MULTILINE)
    assert complaints(Example(page(), 1, text), max_positions=100, engine="interpreter") == []
    game = load_source(SourceFile("pattern.game", text), {}, engine="interpreter")
    verdicts = verify_all(game, game.expectations, lambda _: game)
    assert not [verdict for verdict in verdicts if verdict.ok is not True]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("roll a die", "Roll a die"),
        ("roll dice", "Roll two dice"),
        ("draw a card", "Draw a card from a pack"),
        ("pass", "Pass only without another move"),
        ("capture all between", "Capture or turn all men between"),
        ("chain of captures", "Go on capturing in the same turn"),
        ("connect two sides", "Connect two sides"),
        ("majority", "The majority of squares wins"),
        ("repetition", "Draw by repetition"),
        ("promotion", "Promote a man on the last row"),
        ("hand and drop", "Drop captured men on the board again"),
        ("hidden role", "A hidden role"),
        ("auction", "A sealed auction"),
        ("alliances", "Alliances of players"),
        ("follow suit", "Follow suit"),
        ("take by sum", "Take cards that add up to a number"),
        ("k-th place", "The player in k-th place"),
        ("draw from a stock", "Draw from a face-down stock into the hand"),
        ("reset a turn", "Begin each turn afresh"),
        ("play again", "Move again"),
        ("cannot move", "Whoever cannot move loses"),
        ("ko", "No position may come up again"),
        ("sorted", "The player in k-th place"),
        ("castling", "Castle, once and before the king has moved"),
        ("first to 100 points", "The first to a number of points wins"),
        ("die under a cup", "A die under a cup"),
        ("exchange a card", "Exchange a card with the stock"),
        ("few men left", "Fly with few men left"),
    ],
)
def test_a_pattern_is_found_by_the_words_of_a_rulebook(question: str, title: str) -> None:
    assert title in [pattern.title for pattern in patterns_about(question)][:3]


def test_how_prints_lines_to_copy_or_says_that_there_are_none(run: Run) -> None:
    shown = run("how", "draw", "a", "card").out
    assert "    chance got[turn] in 2..3 weighted left[got[turn]]" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "  Roll a die\n" in run("how").out
    refused = run("how", "xyzzy")
    assert refused.status == 2
    assert "no pattern about `xyzzy`" in refused.err


def test_the_rules_of_a_shipped_game_are_a_file_to_begin_with(run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "mine.game"
    copy.write_text(run("games", "hexapawn", "--rules").out, "utf-8")
    assert gamedsl.load(copy).facts == gamedsl.load("hexapawn").facts
    path = Path(run("games", "hexapawn", "--path").out.strip())
    assert path.read_text("utf-8").strip() == copy.read_text("utf-8").strip()
    assert "whose?" in run("games", "--rules").err
    assert run("games", "hexapwn", "--rules").status == 2
