"""The examples in the documentation of the language are games, and its mistakes are mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gamedsl.conformance import explore
from gamedsl.game import load_source, read_program
from gamedsl.model import GameRuleError, check, check_most_players
from gamedsl.solvers.expectations import verify_all
from gamedsl.solvers.graphs.information import information_sets
from gamedsl.source import Diagnostic, SourceFile
from gamedsl.syntax.parse import parse

DOCS = Path(__file__).resolve().parents[2] / "docs" / "language"
FENCE = re.compile(r"^```gamedsl(-bad|-part)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[tuple[str, str]]:
    """The page and text of every fenced text of a kind: "" whole games, "-bad" games with a
    mistake, "-part" fragments."""
    found = []
    for page in sorted(DOCS.rglob("*.md")):
        for number, (word, text) in enumerate(FENCE.findall(page.read_text("utf-8")), 1):
            if word == kind:
                found.append((f"{page.relative_to(DOCS).with_suffix('')}-{number}", text))
    return found


def findings(text: str) -> list[Diagnostic]:
    """Everything that reading the text and playing the game brings up."""
    source = SourceFile("example.game", text)
    program, wrong = read_program(source)
    model, more = check(program)
    if model is not None:
        more += check_most_players(program, model, {})
    found = [*wrong, *more]
    if not any(one.is_error for one in found):
        found += explore(load_source(source, {}), max_positions=1_000, plays=5).diagnostics
    return found


def codes_met(text: str) -> set[str]:
    """The codes of all findings, those of information sets and claims included."""
    found = findings(text)
    codes = {one.code for one in found}
    if any(one.is_error for one in found):
        return codes
    source = SourceFile("example.game", text)
    game = load_source(source, {})
    if game.facts.has_secrets:
        try:
            information_sets(game)
        except GameRuleError as error:
            codes.add(error.code)
    verdicts = verify_all(game, game.expectations, lambda given: load_source(source, given))
    return codes | {"E4001" for verdict in verdicts if verdict.ok is False}


GOOD = blocks("")
BAD = blocks("-bad")
PARTS = blocks("-part")


@pytest.mark.parametrize("text", [text for _, text in GOOD], ids=[name for name, _ in GOOD])
def test_a_whole_game_in_the_documentation_has_no_mistake(text: str) -> None:
    assert not {code for code in codes_met(text) if code.startswith("E")}


@pytest.mark.parametrize(("name", "text"), BAD, ids=[name for name, _ in BAD])
def test_a_bad_example_has_the_mistake_that_its_page_is_about(name: str, text: str) -> None:
    met = codes_met(text)
    if name.startswith("errors/"):
        code = name.removeprefix("errors/").partition("-")[0]
        same = {"E3003"} if code == "W0152" else set()  # the rules of GDL, and the game played
        others = {other for other in met - {code} - same if other.startswith("E")}
        assert code in met
        assert not others, "one mistake should give one message"
    assert met


@pytest.mark.parametrize("text", [text for _, text in PARTS], ids=[name for name, _ in PARTS])
def test_a_fragment_in_the_documentation_can_be_read(text: str) -> None:
    as_body = "move any_name:\n" + "".join(f"    {line}\n" for line in text.splitlines())
    refusals = [parse(SourceFile("part.game", whole))[1] for whole in (text, as_body)]
    assert () in refusals


def test_the_reference_links_to_pages_that_exist() -> None:
    for page in DOCS.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)", page.read_text("utf-8")):
            is_ours = "://" not in target
            assert not is_ours or (page.parent / target).exists(), f"{page.name} links to {target}"
