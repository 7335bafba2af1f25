"""What a command is given is converted only where it is not of the declared type already."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from gamedsl.cli.app import OwnCommand
from gamedsl.cli.options import EngineName
from tests.doors.conftest import Run


def doubled(text: str) -> str:
    if text == "odd":
        raise ValueError(text)
    return text * 2


def given_to(*arguments: str) -> str:
    """What the body of a command with options of all kinds is given, or what is refused."""
    app = typer.Typer()

    @app.command(cls=OwnCommand)
    def body(
        texts: Annotated[list[str], typer.Argument()],
        some: Annotated[list[str] | None, typer.Option()] = None,
        number: Annotated[int, typer.Option(min=1)] = 3,
        share: Annotated[float, typer.Option()] = 2,
        path: Annotated[Path | None, typer.Option()] = None,
        parsed: Annotated[str, typer.Option(parser=doubled)] = "ab",
        engine: Annotated[EngineName, typer.Option()] = EngineName.AUTO,
    ) -> None:
        print(texts, some, number, share, path, parsed, engine)

    result = CliRunner().invoke(app, list(arguments))
    return result.output.strip() if result.exit_code == 0 else f"refused: {result.exit_code}"


def test_what_nobody_typed_comes_as_it_was_declared() -> None:
    assert given_to("a", "b") == "['a', 'b'] None 3 2 None abab auto"


def test_what_was_typed_is_converted_and_looked_at() -> None:
    typed = ("--some", "c", "--number", "5", "--share", "0.5", "--path", "d", "--parsed", "e")
    assert given_to("a", *typed) == "['a'] ['c'] 5 0.5 d ee auto"
    for name, wrong in (("number", "0"), ("number", "x"), ("parsed", "odd"), ("engine", "steam")):
        assert given_to("a", f"--{name}", wrong) == "refused: 2"
    assert given_to("a", "--number", " 7", "--engine", "native").endswith("7 2 None abab native")


def test_what_is_required_is_asked_for() -> None:
    assert given_to() == "refused: 2"


def test_a_wish_for_a_level_is_told_the_opponent(run: Run) -> None:
    told = run("play", "hex", "--level", "3")
    assert told.status == 2
    assert "No such option: --level; write --opponent level:N" in told.err


def test_a_number_out_of_range_is_told_the_range(run: Run) -> None:
    assert "at least 0 is allowed here" in run("solve", "nim", "--threads", "-3").err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("playouts nim --plays 5", "(Possible options: --count, "),
        ("best nim --moves 5", "(Possible options: --at)"),
        ("solve nim --algorithm x", "(Possible options: --solver)"),
        ("tournament nim --players random", "--player)"),
        ("show nim --pdf", "(Possible options: --format)"),
        ("solve nim --depth 3", "; this is an option of perft, tree"),
        ("solve nim --seed-of-all 3", "(Possible options: --seed)"),
    ],
)
def test_an_unknown_option_is_told_the_options_about_its_word(
    run: Run, line: str, said: str
) -> None:
    told = run(*line.split())
    assert told.status == 2
    assert said in told.err
