"""Files kept between runs with a bit turned over: whatever is damaged, answers stay right.

In: numbers of trials, and a seed. Out: what came of each. Everything is made worth keeping, for a
game that is small enough to be made anew each time. A solution in a file cannot be made anew: it is
as it was, or refused.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

from typer.testing import CliRunner

from gamedsl.cli.program import app
from gamedsl.syntax.grammar import parser

ASKED = ("perft", "--json", "--engine", "native", "-q", "{}", "5")
TEXT = """\
players A, B
state:
    s: 0..9 = 0
move go(k in 1..3):
    require s + k <= 9
    s += k
end:
    if s == 9: A wins
"""
QUICK = ("rules_*", "python_*", "game_*", "programs/*")
SLOW = ("tables_*",)
SOLUTION = "solution"
KINDS = (*QUICK * 3, *SLOW, SOLUTION, SOLUTION)
"""Files that are kept: generated modules, what Python and LLVM made of them, programs; the parser's
tables, which take longer to make than all else and get fewer turns; a solution."""


@dataclass(frozen=True, slots=True)
class Flip:
    """What came of a bit turned over in a file of a kind.

    Attributes:
        is_right: the answer was as without it.
        is_renewed: the file is whole again.
    """

    kind: str
    place: int
    is_right: bool
    is_renewed: bool


def flipped(numbers: range, seed: int) -> Iterator[Flip]:
    """Bits turned over, in files of all kinds in turn, one for each number."""
    dice = Random(f"{seed} {numbers}")
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder, "small.game")
        game.write_text(TEXT)
        right = _answer_here(game)
        solution, words = Path(folder, SOLUTION), ("solve", str(game), "--save")
        assert CliRunner().invoke(app, [*words, str(solution)]).exit_code == 0
        told = _apart(partial(_told_of, solution))
        parser.cache_clear()  # all else that is read comes from files
        for number in numbers:
            kind = KINDS[number % len(KINDS)]
            if kind == SOLUTION:
                yield _flipped_solution(solution, told, dice)
                continue
            path = dice.choice(sorted(Path(folder).rglob(kind)))
            whole = path.read_bytes()
            place = dice.randrange(len(whole))
            path.write_bytes(_with_bit(whole, place, dice.randrange(8)))
            damaged = path.read_bytes()
            if kind in SLOW:  # a program that is kept needs no parser
                for program in Path(folder).rglob("programs/*"):
                    program.unlink()
            is_right = _apart(partial(_answer_here, game)) == right
            is_renewed = path.read_bytes() != damaged
            yield Flip(kind, place, is_right, is_renewed)


def _flipped_solution(solution: Path, right: str, dice: Random) -> Flip:
    whole = solution.read_bytes()
    place = dice.randrange(len(whole))
    solution.write_bytes(_with_bit(whole, place, dice.randrange(8)))
    told = _apart(partial(_told_of, solution))
    solution.write_bytes(whole)
    is_refused = told.startswith("1\n") and "cannot be used" in told
    return Flip(SOLUTION, place, told == right or is_refused, True)


def _told_of(solution: Path) -> str:
    """What is said of the position that was solved."""
    done = CliRunner().invoke(app, ["probe", str(solution)], prog_name="gamedsl")
    return f"{done.exit_code}\n{done.output}"


def _with_bit(content: bytes, place: int, bit: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]


def _apart(answer: Callable[[], str]) -> str:
    """What a process of its own says, so that this one has read nothing that is damaged later."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ear)
        os.write(mouth, answer().encode())
        os._exit(0)
    os.close(mouth)
    with os.fdopen(ear) as told:
        said = told.read()
    os.waitpid(child, 0)
    return said


def _answer_here(game: Path) -> str:
    with ExitStack() as changed:
        changed.enter_context(patch.dict(os.environ, XDG_CACHE_HOME=str(game.parent)))
        for module in ("kept", "python_code", "native"):
            changed.enter_context(patch(f"gamedsl.compiler.{module}.WORTH_KEEPING", 0))
        words = [word.format(game) for word in ASKED]
        done = CliRunner().invoke(app, words, prog_name="gamedsl")
    return f"{done.exit_code}\n{done.output}"
