"""The tutorials are true: every command in them prints what the page shows below it.

A page is read from top to bottom. A whole game is what the file of a command holds from there on; a
remark `<!-- "old" becomes "new" -->` changes it for the next transcript alone.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gamedsl.cli.program import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "language").glob("tutorial*.md"))
PIECES = re.compile(
    r"^```gamedsl(?:-bad)?\n(?P<game>.*?)^```$"
    r'|^<!-- "(?P<old>.*?)" becomes "(?P<new>.*?)" -->$'
    r"|^```text\n\$ gamedsl (?P<command>.*?)\n(?P<shown>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Transcript:
    """A command, the text of its file when it is given, and what the page shows."""

    page: Path
    line: int
    text: str
    command: str
    shown: str


def transcripts(page: Path) -> list[Transcript]:
    """All transcripts of a page, in order."""
    found = []
    text = changed = ""
    content = page.read_text("utf-8")
    for piece in PIECES.finditer(content):
        if piece["game"] is not None:
            text = changed = piece["game"]
        elif piece["old"] is not None:
            old, new = (piece[name].replace("\\n", "\n") for name in ("old", "new"))
            assert old in changed, f"the game has no {old!r}"
            changed = changed.replace(old, new)
        else:
            line = content.count("\n", 0, piece.start()) + 2
            found.append(Transcript(page, line, changed, piece["command"], piece["shown"]))
            changed = text
    return found


def without_times(text: str) -> str:
    """Wall-clock times differ from run to run, and so does what is looked at within a time."""
    text = re.sub(r"(nearest|and|;) [\d,]+ (positions|random plays|more found)", r"\1 ? \2", text)
    return re.sub(r"\d+(\.\d+)? s$", "? s", text, flags=re.MULTILINE)


TRANSCRIPTS = [transcript for page in PAGES for transcript in transcripts(page)]


def test_every_transcript_of_the_pages_is_found() -> None:
    shown = sum(page.read_text("utf-8").count("\n$ gamedsl ") for page in PAGES)
    assert len(TRANSCRIPTS) == shown > 20


@pytest.mark.parametrize(
    "given", TRANSCRIPTS, ids=lambda given: f"{given.page.stem}-line-{given.line}"
)
def test_a_command_of_a_tutorial_prints_what_the_page_shows(
    given: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(given.command)
    Path(arguments[1]).write_text(given.text, "utf-8")
    done = CliRunner().invoke(app, arguments, prog_name="gamedsl")
    assert without_times(done.stdout + done.stderr) == without_times(given.shown)
