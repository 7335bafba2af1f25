"""One rendered message for each code of the catalogue, to be read in review as prose.

The texts are the bad examples of the catalogue's own pages; codes that need more than a text have
a test of their own. `--snapshot-update` rewrites the messages.
"""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from gamedsl.game import load_source
from gamedsl.model import GameRuleError
from gamedsl.reports.checks.rule_errors import rule_error_diagnostic
from gamedsl.solvers.graphs.information import information_sets
from gamedsl.source import SourceFile
from gamedsl.source.render import render
from tests.golden.messages.pages import CODES, bad_examples, told
from tests.golden.messages.test_syntax_messages import TEXTS

FROM_PAGES = [
    code for code in CODES if code not in TEXTS and code != "E3010" and bad_examples(code)
]
BY_HAND = {"E1401", "E3010", "W4002"}
"""Codes that a test below shows: they need a setting, a solver or a limit."""
NOT_SHOWN = {
    "E0001": "about a file that is not there: the transcripts of the command line show it",
    "E0002": "about bytes that are no text: the transcripts of the command line show it",
    "E0003": "about a file of a million bytes",
    "E0005": "about files that include each other",
    "E0009": "about a file of claims: the transcripts of `check --claims` show it",
    "E3008": "no text is known that brings it: `check` finds such a read first, as E1305",
}
"""Codes without a golden message, and why."""


def test_every_code_of_the_catalogue_has_a_golden_message() -> None:
    shown = {*TEXTS, *FROM_PAGES, *BY_HAND}
    assert not sorted(set(CODES) - shown - set(NOT_SHOWN))
    assert not sorted(shown & set(NOT_SHOWN)), "shown after all"
    assert not sorted((shown | set(NOT_SHOWN)) - set(CODES)), "no codes of the catalogue"


@pytest.mark.parametrize("code", FROM_PAGES)
def test_what_a_page_shows_brings_the_message_reviewed(
    code: str, snapshot: SnapshotAssertion
) -> None:
    said = "".join(told(text) for text in bad_examples(code))
    assert f"[{code}]" in said
    assert said == snapshot


HEAP = """game "One heap"
param start = 9
players A, B

state:
    left: 0..start = start

move take(n in 1..3):
    require n <= left
    left -= n

end:
    if stuck: turn loses

expect value: A wins
"""


@pytest.mark.parametrize("setting", ["start=nine", "start=[1, 2]", "start=2+"])
def test_a_setting_that_does_not_fit_brings_the_message_reviewed(
    setting: str, snapshot: SnapshotAssertion
) -> None:
    said = told(HEAP, setting)
    assert "[E1401]" in said
    assert said == snapshot


def test_a_claim_beyond_the_limit_brings_the_message_reviewed(snapshot: SnapshotAssertion) -> None:
    said = told(HEAP, max_positions=2)
    assert "[W4002]" in said
    assert said == snapshot


def test_a_secret_that_shows_in_the_legal_moves_brings_the_message_reviewed(
    snapshot: SnapshotAssertion,
) -> None:
    (text,) = bad_examples("E3010")
    game = load_source(SourceFile("my.game", text), {})
    with pytest.raises(GameRuleError) as leak:
        information_sets(game)
    said = render(rule_error_diagnostic(leak.value, game))
    assert "[E3010]" in said
    assert f"{said}\n" == snapshot
