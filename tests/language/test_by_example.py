"""Every program of the pages beside this file is what its comments say."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.conformance import explore
from gamedsl.game import load_source
from gamedsl.solvers.expectations import verify_all
from gamedsl.source import SourceFile
from tests.language.examples import Example, complaints, examples, marks

PAGES = sorted(Path(__file__).parent.glob("*.md"))
EXAMPLES = [example for page in PAGES for example in examples(page)]


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.place for example in EXAMPLES])
def test_a_program_is_what_its_comments_say(example: Example) -> None:
    said = complaints(example)
    assert not said, "\n" + "\n".join(said)


WITH_CLAIMS = [
    example
    for example in EXAMPLES
    if "\nexpect " in example.text
    and not any(kind == "error" for _, kind, _, _, _ in marks(example.text))
]


@pytest.mark.parametrize("example", WITH_CLAIMS, ids=[example.place for example in WITH_CLAIMS])
def test_what_a_program_expects_is_so(example: Example) -> None:
    source = SourceFile(example.place, example.text)
    game = load_source(source, {})
    verdicts = verify_all(game, game.expectations, lambda given: load_source(source, given))
    assert verdicts
    assert not [verdict for verdict in verdicts if verdict.ok is not True]


def example(text: str) -> Example:
    return Example(Path("page.md"), 1, text)


GAME = """game "One heap"
players A, B
state:
    left: 0..3 = 3
move take(n in 1..2):
    require n <= left
    left -= n
end:
    if stuck: turn loses
"""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GAME.replace("<= left", "<= lef"), "unmarked error E1001"),
        (GAME.replace("n <= left", "n <= left  # error: E1001 no such"), "no error E1001"),
        (GAME + "# then left: 2\n", "left is '3', not '2'"),
        (GAME + "# play: take(2)\n# then legal: take(2)\n", "legal is 'take(1)'"),
        (GAME + "# play: take(3)\n# then left: 0\n", "is not legal here"),
        (GAME + "# then turn: B\n", "turn is 'A'"),
        (GAME + "# then illegal: take(1)\n", "illegal is ''"),
        (GAME + "# then fails take(1): E3001\n", "carried out"),
        (GAME + "# then payoffs: 1, -1\n", "only a terminal state has utilities"),
    ],
)
def test_the_reader_of_examples_can_fail(text: str, complaint: str) -> None:
    assert complaint in "\n".join(complaints(example(text)))


def test_a_true_example_brings_no_complaint() -> None:
    assert complaints(example(GAME + "# play: take(2), take(1)\n# then payoffs: -1, 1\n")) == []
    assert explore(load_source(SourceFile("heap", GAME), {})).is_complete
