"""A solution in a folder: damage is found, and so are wrong numbers under right digests."""

from __future__ import annotations

import json
import shutil
from array import array
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import gamedsl
from gamedsl.archive.confirmation import batches_of
from gamedsl.archive.confirmation import fault_in as fault_in_tiers
from gamedsl.archive.layers import MANIFEST, LayerFolder, write_manifest
from gamedsl.archive.out_of_core import solve_out_of_core
from gamedsl.archive.saved import SavedSolution, open_solution
from gamedsl.archive.verification import verify_solution, verify_table
from gamedsl.game.batches import Block
from gamedsl.game.stored_facts import SolutionFileError
from tests.generation.layered import tiered_text

pytest.importorskip("llvmlite")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("solved") / "out"
    game = gamedsl.load("subtraction")
    solve_out_of_core(game, game.initial_state(), folder)
    return folder


@pytest.fixture
def copied(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "out")
    return tmp_path / "out"


def fault_in(folder: Path) -> str | None:
    """What is wrong with a folder, by all that reads it."""
    try:
        saved = open_solution(folder)
        assert isinstance(saved, SavedSolution)
        return verify_solution(saved).fault
    except SolutionFileError as error:
        return str(error)


def test_a_solution_is_verified(whole: Path) -> None:
    assert fault_in(whole) is None


def test_every_flipped_bit_is_found(copied: Path) -> None:
    for file in copied.iterdir():
        content = file.read_bytes()
        for place in range(0, len(content), max(1, len(content) // 7)):
            file.write_bytes(
                content[:place] + bytes([content[place] ^ 1 << place % 8]) + content[place + 1 :]
            )
            assert fault_in(copied) is not None, (file.name, place)
        file.write_bytes(content[:-1])
        assert fault_in(copied) is not None, file.name
        file.write_bytes(content)
    assert fault_in(copied) is None


def test_layers_of_another_solution_are_found(copied: Path) -> None:
    (copied / "3.layer").write_bytes((copied / "2.layer").read_bytes())
    assert "3.layer" in str(fault_in(copied))
    (copied / "3.layer").unlink()
    assert "3.layer is missing" in str(fault_in(copied))


def planted(folder: Path, level: int, change: Callable[[Block], Block]) -> None:
    """Write other codes of a layer, with right digests."""
    contents = LayerFolder(folder).contents
    layers = [[int(each), 1, 1] for each in contents["files"]]
    write_manifest(folder, contents | {"work": {"layers": layers}})
    store = LayerFolder(folder)
    store.go_on()
    layer = store.layer(level)
    codes = [change(layer.codes(number)) for number in range(layer.blocks)]
    store.keep_codes(level, map(store.packed, codes))
    store.keep_facts({"layers": layers})
    store.finish({})


def with_a_bit(by: int, block: Block) -> Block:
    return replace(block, content=bytes([block.content[0] ^ by]) + block.content[1:])


@pytest.mark.parametrize("by", [1, 2, 128])
def test_wrong_codes_are_found(by: int, copied: Path) -> None:
    planted(copied, 4, lambda block: block)
    assert fault_in(copied) is None
    planted(copied, 4, partial(with_a_bit, by))
    assert fault_in(copied) is not None


@pytest.fixture(scope="module")
def tiers(tmp_path_factory: pytest.TempPathFactory) -> SavedSolution:
    game = gamedsl.load(tiered_text(7, 4))
    return solve_out_of_core(game, game.initial_state(), tmp_path_factory.mktemp("tiers") / "out")


@pytest.mark.parametrize("room", [1, 1 << 20])
def test_tiers_are_right_for_machine_code_and_for_python(room: int, tiers: SavedSolution) -> None:
    """In a room of one block successors are answered part by part."""
    batches = batches_of(tiers)
    assert batches is not None
    assert fault_in_tiers(tiers, batches, room=room) is None
    assert verify_table(tiers.solved, tiers.table).fault is None


def test_facts_of_another_layout_are_found(tiers: SavedSolution, tmp_path: Path) -> None:
    shutil.copytree(tiers.path, tmp_path / "out")
    contents = LayerFolder(tmp_path / "out").contents
    contents["stored"]["marks"] = 1
    write_manifest(tmp_path / "out", contents)
    assert fault_in(tmp_path / "out") is not None


@pytest.mark.parametrize("by", [1, 4])
def test_wrong_codes_of_tiers_are_found(by: int, tiers: SavedSolution, tmp_path: Path) -> None:
    levels = sorted(map(int, tiers.facts["files"]))
    for level in (levels[0], levels[4]):
        folder = tmp_path / f"{level}"
        shutil.copytree(tiers.path, folder)
        planted(folder, level, partial(with_a_bit, by))
        assert fault_in(folder) is not None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("positions", 43),
        ("bits", 3),
        ("bits", 64),
        ("origin", 5),
        ("levels", [[1, 0, None]]),
        ("levels", [[-1, 77, None]]),
        ("payoffs", [["1", "-1"]]),
        ("tallies", [[1, 0, 42]]),
        ("shift", 1),
        ("counts_plies", 1),
    ],
)
def test_wrong_facts_are_found(name: str, value: object, copied: Path) -> None:
    contents = LayerFolder(copied).contents
    contents["stored"][name] = value
    write_manifest(copied, contents)
    assert fault_in(copied) is not None


def test_numbers_on_the_way_are_removed_though_the_disk_is_full(tmp_path: Path) -> None:
    """What a file still holds back does not fit any more."""
    (tmp_path / "keys_0.way").symlink_to("/dev/full")
    store = LayerFolder(tmp_path)
    store.append("keys_0", array("q", [1, 2]))
    store.close()
    assert [*tmp_path.iterdir()] == []


def test_a_manifest_of_another_format_is_refused(copied: Path) -> None:
    manifest = json.loads((copied / MANIFEST).read_text())
    (copied / MANIFEST).write_text(json.dumps(manifest | {"gamedsl_layers": 3}))
    assert "gamedsl_layers" in str(fault_in(copied))
    (copied / MANIFEST).unlink()
    assert "without manifest.json" in str(fault_in(copied))
