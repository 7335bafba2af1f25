"""Folders of layers, solved or half solved, with a bit turned over, or with another number under
right digests.

In: numbers of trials, and a seed. Out: what came of each: the folder is refused, `verify` finds the
fault, resumed work is refused, or all answers are right; anything else is an error of ours. Trials
share loaded games, and so their machine code, as long as the rules in a folder are the same.
"""

from __future__ import annotations

import json
import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import gamedsl
from gamedsl.archive import rules, saved
from gamedsl.archive.layers import (
    LEVEL,
    MANIFEST,
    LayerFile,
    LayerFolder,
    _LayerWriter,
    read_manifest,
    write_manifest,
)
from gamedsl.archive.out_of_core import solve_out_of_core
from gamedsl.archive.saved import SavedSolution, open_solution
from gamedsl.archive.verification import verify_solution
from gamedsl.game.batches import Block
from gamedsl.game.game import LoadedGame
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model import GameRuleError, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfMemoryError
from tests.generation.layered import tiered_text
from tests.hostile.solution_plants import FACTS, NUMBERS

GAMES = ("subtraction", tiered_text(1))
"""Solved in layers, and in tiers."""
REFUSALS = (SolutionFileError, GameRuleError, UnsupportedGameError, OutOfMemoryError)
Files = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Damage:
    """What came of a damaged folder.

    Attributes:
        what: the game, the state of work, and the damage.
        seconds: how long that took to find out.
        trouble: what went wrong; empty if nothing did.
    """

    what: str
    seconds: float
    trouble: str


class _CutOffError(Exception):
    """The end of a run."""


def damaged_layers(numbers: range, seed: int) -> Iterator[Damage]:
    """Damage of all kinds in turn, for each number."""
    saved.game_of = _game_of  # type: ignore[attr-defined]
    os.fsync = lambda _: None  # nothing is lost but time
    for number in numbers:
        dice = Random(f"{seed} {number}")
        text = GAMES[number % len(GAMES)]
        plants, is_done = bool(number // 2 % 2), bool(number // 4 % 2)
        began = perf_counter()
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place, "out")
            folder.mkdir()
            for name, content in _files(text, None if is_done else dice.choice((3, 9))).items():
                (folder / name).write_bytes(content)
            what = f"{_named(text)}, {_planted(folder, dice) if plants else _flipped(folder, dice)}"
            trouble = ""
            try:
                trouble = _trouble(text, folder, is_done)
            except REFUSALS:
                pass
            except Exception as error:  # noqa: BLE001
                trouble = repr(error)
        yield Damage(what, perf_counter() - began, trouble)


_game = cache(gamedsl.load)


@cache
def _written_game(facts: str) -> LoadedGame:
    return rules.game_of(json.loads(facts))


def _game_of(facts: Mapping[str, Any]) -> LoadedGame:
    """Like `rules.game_of`; equal facts have one game."""
    names = sorted({*rules.FACTS, *rules.MORE} & {*facts})
    return _written_game(json.dumps({name: facts[name] for name in names}))


def _named(text: str) -> str:
    return text if "\n" not in text else "slides"


@cache
def _files(text: str, cut: int | None) -> Files:
    """The files of a solved folder, or of one whose work ended behind so many finished layers."""
    game, real, calls = _game(text), LayerFolder.keep_facts, [0]

    def keep(self: LayerFolder, facts: Any) -> None:
        real(self, facts)
        calls[0] += 1
        if calls[0] == cut:
            raise _CutOffError

    with tempfile.TemporaryDirectory() as place:
        LayerFolder.keep_facts = keep  # type: ignore[method-assign]
        try:
            with suppress(_CutOffError):
                solve_out_of_core(game, game.initial_state(), Path(place, "out"))
        finally:
            LayerFolder.keep_facts = real  # type: ignore[method-assign]
        return {file.name: file.read_bytes() for file in Path(place, "out").iterdir()}


@cache
def _answers(text: str) -> dict[Any, Any]:
    """The value of every position."""
    game = _game(text)
    with tempfile.TemporaryDirectory() as place:
        return _all_answers(solve_out_of_core(game, game.initial_state(), Path(place, "out")))


def _all_answers(solution: SavedSolution) -> dict[Any, Any]:
    settled = solution.table.settled
    assert settled.entries is not None
    return {state: settled.look_up(state) for state in settled.entries()}


def _trouble(text: str, folder: Path, is_done: bool) -> str:
    """What is wrong with the answers of a folder in which no fault is found."""
    if is_done:
        solution = open_solution(folder)
        assert isinstance(solution, SavedSolution)
        if verify_solution(solution).fault is not None:
            return ""
    else:
        game = _game(text)
        solution = solve_out_of_core(game, game.initial_state(), folder, resumes=True)
    held = _all_answers(solution)
    wrong = [state for state, answer in _answers(text).items() if held.get(state) != answer]
    return f"{len(wrong)} positions have other answers" if wrong else ""


# --- damage -------------------------------------------------------------------------------


def _flipped(folder: Path, dice: Random) -> str:
    file = dice.choice(sorted(folder.iterdir()))
    content = bytearray(file.read_bytes())
    place = dice.randrange(len(content))
    content[place] ^= 1 << dice.randrange(8)
    file.write_bytes(content)
    return f"byte {place} of {file.name}"


def _planted(folder: Path, dice: Random) -> str:
    """Plant a number in a layer, or a fact in the manifest, under right digests."""
    contents = read_manifest(folder)
    layers = [file for file in sorted(folder.iterdir()) if file.name != MANIFEST]
    if dice.random() < 0.4:
        part = "stored" if "stored" in contents else "work"
        what = _plant_fact(contents[part] if dice.random() < 0.8 else contents, dice)
    else:
        file = dice.choice(layers)
        what, end = _plant_number(file, dice)
        contents["files"][file.stem] = end
        what = f"{what} of {file.name}"
    write_manifest(folder, contents)
    return what


def _plant_fact(facts: dict[str, Any], dice: Random) -> str:
    name = dice.choice(sorted(facts))
    held: Any = facts
    place: Any = name
    while isinstance(held[place], list | dict) and held[place] and dice.random() < 0.8:
        held = held[place]
        place = dice.choice(sorted(held)) if isinstance(held, dict) else dice.randrange(len(held))
    is_number = isinstance(held[place], int) and dice.random() < 0.5
    held[place] = held[place] + dice.choice((-1, 1)) if is_number else dice.choice(FACTS)
    return f"{held[place]!r} in {name}"


def _plant_number(file: Path, dice: Random) -> tuple[str, str]:
    """Another number in a block; what it is, and the digest of the layer's end."""
    layer = LayerFile(file)
    blocks = [
        (layer.keys(number), layer.codes(number) if layer.has_codes else None)
        for number in range(layer.blocks)
    ]
    number = dice.randrange(len(blocks))
    keys, codes = blocks[number]
    kind = dice.choice(("key", "first key", "code") if codes and codes.content else ("first key",))
    if kind == "code" and codes is not None:
        codes = _with_a_byte(codes, dice)
    elif kind == "key" and keys.content:
        keys = _with_a_byte(keys, dice)
    else:
        first = [*keys.first]
        first[dice.randrange(len(first))] = dice.choice((first[0] + 1, first[0] - 1, *NUMBERS))
        keys = replace(keys, first=tuple(first))
    blocks[number] = keys, codes
    with file.open("wb") as out:
        writer = _LayerWriter(out)
        for block, answers in blocks:
            held = None if answers is None else _packed(answers)
            writer.add(block.count, block.first, block.sizes, _packed(block).content, held)
        return f"{kind} in block {number}", writer.finish()[1]


def _packed(block: Block) -> Block:
    return replace(block, content=zlib.compress(block.content, LEVEL))


def _with_a_byte(block: Block, dice: Random) -> Block:
    content = bytearray(block.content)
    content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    return replace(block, content=bytes(content))
