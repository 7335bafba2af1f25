"""Whatever the texts of a file hold, each output is what its format's own parser takes it for.

Markup is planted in every text that a file can hold: titles and comments. (Names are letters.)
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from typer.testing import CliRunner

from gamedsl.cli.program import app
from tests.hostile.cases import MARKUP

GAME = """\
# {comment}
game "{title}"  # {comment}
players A_1, B

# {comment}
state:
    s: 0..2 = 0   # {comment}
    # {comment}
move go(k in 1..2):  # {comment}
    require s + k <= 2
    s += k  # {comment}

# {comment}
end:
    if s == 2: turn loses  # {comment}

expect value: A_1 wins  # {comment}
"""
PLAIN = "word"
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff]")


# --- what each format holds: its structure, and its words ----------------------------------------

Read = tuple[set[str], str]
"""The kinds of parts that a text has for the parser of its format, and the words in it."""


def read_xml(text: str) -> Read:
    root = ElementTree.fromstring(text)
    parts = {part.tag for part in root.iter()} | {
        key for part in root.iter() for key in part.attrib
    }
    return parts, " ".join(root.itertext())


class Page(HTMLParser):
    """The tags and attributes of a page, and its words."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: set[str] = set()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts |= {tag, *(name for name, _ in attrs)}

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def unknown_decl(self, data: str) -> None:
        self.parts.add(data)

    def handle_comment(self, data: str) -> None:
        self.parts.add("comment")


def read_html(text: str) -> Read:
    page = Page()
    page.feed(text)
    page.close()
    return page.parts - {"code"}, "".join(page.words)


def read_markdown(text: str) -> Read:
    parts, words = set(), []
    for block in MarkdownIt().parse(text):
        parts.add(f"{block.type} {block.tag}")
        for one in block.children or ():
            parts.add(one.type)
            words.append(one.content if one.content else "\n")
    return parts - {"code_inline", "softbreak"}, "".join(words)


LATEX = re.compile(
    r"\\begin\{verbatim\}.*?\\end\{verbatim\}|\\[a-zA-Z]+|\\.|[{}$%#&^~_]", re.DOTALL
)


def read_latex(text: str) -> Read:
    parts, depth, is_in_math = set(), 0, False
    place = max(text.find(mark) for mark in (r"\begin{document}", r"\section*{"))
    head, body = text[: max(0, place)], text[max(0, place) :]
    macros = re.sub(r"#\d|%$", "", head, flags=re.MULTILINE)  # where their arguments stand
    for found in LATEX.findall(macros + body):
        is_in_math ^= found == "$"
        depth += (found == "{") - (found == "}")
        assert depth >= 0
        is_formula = found in {"$", r"\ne", r"\le"} or (is_in_math and found in {"_", "^"})
        if found[0] != "\\" or found[1].isalpha():
            parts.add(found[:10])
        assert found == "$" or found in "{}" or found[0] == "\\" or is_formula, found
    assert depth == 0
    assert not is_in_math
    return {part for part in parts if part.startswith((r"\begin", r"\end", r"\inp"))}, ""


DOT = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|-?\d+(?:\.\d+)?|->|[{}\[\];=,]', re.DOTALL)


def read_dot(text: str) -> Read:
    parts, words, place = set(), [], 0
    while place < len(text):
        found = DOT.match(text, place)
        assert found is not None, text[place : place + 40]
        place = found.end()
        if found.group()[0] == '"':
            words.append(re.sub(r"\\(.)", r"\1", found.group()[1:-1]))
        elif not found.group().isspace():
            parts.add(re.sub(r"\d+", "1", found.group()))
    return parts, " ".join(words)


def read_json(text: str) -> Read:
    return set(), "\n".join(_strings(json.loads(text)))


def _strings(value: object) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [word for part in value.values() for word in _strings(part)]
        case list():
            return [word for part in value for word in _strings(part)]
        case _:
            return []


def read_text(text: str) -> Read:
    return set(), text


OUTPUTS: dict[str, tuple[Callable[[str], Read], bool]] = {
    "show --format svg": (read_xml, True),
    "tree --format svg": (read_xml, True),
    "tree --format svg -a alpha-beta": (read_xml, True),
    "tree --format html": (read_html, True),
    "tree --format html -a alpha-beta": (read_html, True),
    "explain --format html": (read_html, True),
    "explain --format markdown": (read_markdown, True),
    "explain --format latex": (read_latex, False),
    "tree --format latex": (read_latex, False),
    "tree --format dot": (read_dot, True),
    "tree --format json": (read_json, False),
    "show --format state": (read_json, False),
    "solve --json": (read_json, True),
    "perft 2 --json": (read_json, True),
    "best --json": (read_json, True),
    "trace --json": (read_json, False),
    "check --json": (read_json, False),
    "check --format github": (read_text, False),
    "explain --format text": (read_text, False),
    "tree --format text": (read_text, False),
    "solve": (read_text, False),
}
"""Commands -> the parser of what they write, and whether the title is in it, in one piece."""


def output(command: str, folder: Path, title: str, comment: str) -> str:
    """What a command writes about a game with these texts."""
    path = folder / "a.game"
    path.write_text(GAME.format(title=title, comment=comment), "utf-8")
    name, *options = command.split()
    words = [name, str(path), *options]
    done = CliRunner().invoke(app, words, prog_name="gamedsl")
    assert done.exit_code in {0, 1}, done.output
    assert not CONTROLS.search(done.output), done.output
    return done.stdout if done.exit_code == 0 else ""


def hold(command: str, folder: Path, title: str, comment: str) -> None:
    """An output has the structure that it has with plain texts, and says the title as it is."""
    read, has_title = OUTPUTS[command]
    written = output(command, folder, title, comment)
    if not written:
        return
    plain_parts, _ = read(output(command, folder, PLAIN, PLAIN))
    parts, words = read(written)
    assert parts <= plain_parts
    if has_title:
        assert _spread(title) in _spread(words)


def _spread(words: str) -> str:
    """Words with single spaces, without the ticks that mark code."""
    return " ".join(words.replace("`", " ").split())


REFUSED = [markup for markup in MARKUP if CONTROLS.search(markup)]
ALLOWED = [markup for markup in MARKUP if markup not in REFUSED]


@pytest.mark.parametrize("command", OUTPUTS)
def test_markup_stays_text(command: str, tmp_path: Path) -> None:
    text = "  ".join(ALLOWED)
    hold(command, tmp_path, text.replace('"', "'"), text)


@pytest.mark.parametrize("markup", ALLOWED, ids=range(len(ALLOWED)))
def test_a_line_that_begins_with_markup_stays_a_line(markup: str, tmp_path: Path) -> None:
    hold("explain --format markdown", tmp_path, markup.replace('"', "'"), markup)


@pytest.mark.parametrize("markup", REFUSED, ids=range(len(REFUSED)))
def test_characters_that_steer_a_terminal_are_refused_and_not_shown(
    markup: str, tmp_path: Path
) -> None:
    for title, comment in ((markup, PLAIN), (PLAIN, markup)):
        assert output("explain", tmp_path, title, comment) == ""


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    command=st.sampled_from(sorted(OUTPUTS)),
    text=st.text("\\`*_<>[]()#&;~|$!-+={}%^'/:.,1a @\u00e9\u0301😀"),
)
def test_any_text_stays_text(command: str, text: str, tmp_path: Path) -> None:
    hold(command, tmp_path, text, text)
