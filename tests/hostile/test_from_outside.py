"""What comes from outside of any file: names of files, titles, streams without an end."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from gamedsl.cli.program import app
from gamedsl.source.files import LARGEST_FILE, read_stream
from gamedsl.source.screen import HIDDEN

STEERING = "a\x1b[31m\x08\u202eb[red]"
SHOWN = r"a\x1b[31m\x08\u202eb[red]"


def told(*words: str | Path, stdin: bytes = b"") -> Result:
    done = CliRunner().invoke(app, [str(word) for word in words], stdin, prog_name="gamedsl")
    assert not HIDDEN.search(done.output), done.output
    assert done.exit_code in {0, 1, 2}, done.output
    return done


GAME = """\
players A, B
state:
    s: 0..2 = 0
move go:
    require s < 2
    s += 1
end:
    if s == 2: A wins
"""


@pytest.mark.parametrize("text", [GAME, GAME.replace("s += 1", "s += t"), "move move"])
@pytest.mark.parametrize(
    "command",
    [
        "check",
        "check --format github",
        "check --json",
        "solve",
        "fmt --diff",
        "show",
        "tree",
    ],
)
def test_a_name_of_a_file_that_steers_a_terminal_is_written_out(
    command: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{STEERING}.game"
    path.write_text(text, "utf-8")
    told(*command.split(), path)


def test_a_name_with_a_line_end_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / f"{STEERING}\nc.game"
    said = told("check", path).output
    assert f"there is no file `{tmp_path}/{SHOWN}\\nc.game`" in said
    path.write_text(GAME, "utf-8")
    assert f"{SHOWN}\\nc.game: ok" in told("check", path).output


@pytest.mark.parametrize(
    "words",
    [("solve", "nim", "--at", STEERING), ("show", "nim", "--state", STEERING),
     ("solve", "nim", "-D", f"sizes={STEERING}"), ("solve", "nim", "-D", f"{STEERING}=1"),
     ("verify", STEERING), ("tree", "nim", "-o", f"{STEERING}/x")],
)  # fmt: skip
def test_what_was_typed_is_written_out(words: tuple[str, ...]) -> None:
    assert told(*words).exit_code == 2


def test_a_title_is_written_out_and_the_new_file_is_valid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (name,) = told("new", f"{STEERING}\nsecond line").stdout.splitlines()
    text = (tmp_path / name).read_text("utf-8")
    assert f'game "{SHOWN}\\nsecond line"' in text
    assert told("check", name).exit_code == 0


class _Endless(io.RawIOBase):
    """A stream that gives as much as is asked for, and counts it."""

    given = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        assert size is not None
        assert size > 0
        self.given += size
        return b"\0" * size


def test_of_a_stream_without_an_end_no_more_is_read_than_a_file_may_hold() -> None:
    stream = _Endless()
    found = read_stream(stream, "<stdin>")  # type: ignore[arg-type]
    assert getattr(found, "code", "") == "E0003"
    assert stream.given == LARGEST_FILE + 1


def test_standard_input_is_refused_beyond_the_size_of_a_file() -> None:
    said = told("check", "-", stdin=b"#" * (LARGEST_FILE + 1))
    assert "`<stdin>` is larger than 1,000,000 bytes" in said.output
    assert said.exit_code == 1


def test_a_line_without_an_end_and_a_position_without_an_end_are_refused() -> None:
    assert "is no answer" in told("play", "nim", stdin=b"x" * 20_000).output
    if Path("/dev/zero").exists():
        assert "larger than 10,000,000 bytes" in told("show", "nim", "--state", "/dev/zero").output
