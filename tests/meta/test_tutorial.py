"""The tutorial is true: every command in it prints what the page shows below it.

The page is read from top to bottom. A whole game is what `nim.game` holds from there on; a remark
`<!-- "old" becomes "new" -->` changes it for the next transcript alone.
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
PAGE = (ROOT / "docs" / "language" / "tutorial.md").read_text("utf-8")
PIECES = re.compile(
    r"^```gamedsl(?:-bad)?\n(?P<game>.*?)^```$"
    r'|^<!-- "(?P<old>.*?)" becomes "(?P<new>.*?)" -->$'
    r"|^```text\n\$ gamedsl (?P<command>.*?)\n(?P<shown>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Transcript:
    """A command, the text of `nim.game` when it is given, and what the page shows."""

    line: int
    text: str
    command: str
    shown: str


def transcripts() -> list[Transcript]:
    """All transcripts of the page, in order."""
    found = []
    text = changed = ""
    for piece in PIECES.finditer(PAGE):
        if piece["game"] is not None:
            text = changed = piece["game"]
        elif piece["old"] is not None:
            old = piece["old"].replace("\\n", "\n")
            assert old in changed, f"the game has no {old!r}"
            changed = changed.replace(old, piece["new"])
        else:
            line = PAGE.count("\n", 0, piece.start()) + 2
            found.append(Transcript(line, changed, piece["command"], piece["shown"]))
            changed = text
    return found


def without_times(text: str) -> str:
    """Wall-clock times differ from run to run, and so may where a line ends after one."""
    return re.sub(r"\d+(\.\d+)? s$", "? s", text, flags=re.MULTILINE)


def test_every_transcript_of_the_page_is_found() -> None:
    assert len(transcripts()) == PAGE.count("\n$ gamedsl ")


@pytest.mark.parametrize("given", transcripts(), ids=lambda given: f"line-{given.line}")
def test_a_command_of_the_tutorial_prints_what_the_page_shows(
    given: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nim.game").write_text(given.text, "utf-8")
    done = CliRunner().invoke(app, shlex.split(given.command), prog_name="gamedsl")
    assert without_times(done.stdout + done.stderr) == without_times(given.shown)
