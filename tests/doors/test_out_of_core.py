"""`gamedsl solve --save DIR --out-of-core`, and the commands that ask the folder."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from shutil import disk_usage

import pytest

from gamedsl.archive.confirmation import Scratch
from gamedsl.archive.layers import MANIFEST, LayerFolder
from gamedsl.cli.bodies import probe, solve
from gamedsl.cli.exits import ExitCode
from gamedsl.solvers import planner
from gamedsl.solvers.graphs.graph import OutOfMemoryError, OutOfReachError
from tests.doors.conftest import Run

pytest.importorskip("llvmlite")


def test_a_folder_is_solved_asked_and_verified(run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "out")
    done = run("solve", "subtraction", "--save", folder, "--out-of-core", "--json")
    assert done.status == 0
    assert "gamedsl probe" in done.err
    other = {"seconds": 0, "solver": "some"}
    assert (
        json.loads(done.out) | other
        == json.loads(run("solve", "subtraction", "--json").out) | other
    )
    assert run("probe", folder, "--at", "take(1)").status == 0
    assert "verified: all 42 positions" in run("verify", folder).out
    assert "take" in run("best", "subtraction", "--solution", folder).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tic_tac_toe", "--out-of-core"), "--save DIR"),
        (("pig", "--save", "out", "--out-of-core"), "chance"),
        (("nim", "--save", "out", "--out-of-core", "--policy"), "--policy"),
        (("nim", "--save", "out", "--out-of-core", "--rounds", "3"), "--rounds"),
        (("nim", "--save", "out", "--out-of-core", "--seed", "3"), "--seed"),
        (("nim", "--save", "out", "--out-of-core", "--checkpoint-every", "9s"), "keeps each layer"),
        (("nim", "--save", "out", "--out-of-core", "--rationality", "2"), "--rationality"),
        (("nim", "--save", "no/out", "--out-of-core"), "there is no folder no"),
        (("nim", "--save", "used", "--out-of-core"), "no part of a solution"),
        (("nim", "--save", "file", "--out-of-core"), "is a file"),
        (("nim", "--save", "out", "--out-of-core", "--memory", "2MB"), "--memory"),
    ],
)
def test_what_cannot_be_is_said(
    words: tuple[str, ...], said: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "server.keys").write_text("mine")
    done = run("solve", *words)
    assert done.status != 0
    assert said in " ".join(done.err.split())
    assert not (tmp_path / "out" / MANIFEST).exists()
    assert (tmp_path / "used" / "server.keys").read_text() == "mine"


def test_a_folder_goes_again_where_nothing_is_kept_in_it(run: Run, tmp_path: Path) -> None:
    """Else the same call would be told that the name is taken."""
    words = ("solve", "tic_tac_toe", "--out-of-core", "--memory", "100kB", "--save")
    mine = tmp_path / "mine"
    mine.mkdir()
    for folder, is_there in ((tmp_path / "out", False), (mine, True)):
        done = run(*words, str(folder))
        assert (done.status, folder.exists()) == (ExitCode.UNDECIDED, is_there)
        assert "too little" in done.err


@pytest.fixture
def _full(monkeypatch: pytest.MonkeyPatch) -> None:
    """No memory for any solver."""

    def full(problem: object) -> None:
        raise OutOfMemoryError(10, 10**9)

    monkeypatch.setattr(planner, "_solved_by_methods", full)


@pytest.mark.usefixtures("_full")
@pytest.mark.parametrize(
    ("game", "is_said"), [("tic_tac_toe", True), ("mu_torere", True), ("chicken", False)]
)
def test_the_disk_is_named_where_memory_and_time_are_short(
    game: str, is_said: bool, run: Run, tmp_path: Path
) -> None:
    done = run("solve", game, "--save", str(tmp_path / "out"), "--time", "60s")
    assert done.status == ExitCode.UNDECIDED
    assert ("with --out-of-core" in " ".join(done.err.split())) is is_said


@pytest.mark.usefixtures("_full")
@pytest.mark.parametrize(
    ("game", "saves", "said"),
    [
        ("tic_tac_toe", True, "all 5,478 positions"),
        ("tic_tac_toe --goal all", False, "all 5,478 positions"),
        ("mu_torere", False, "endless"),
    ],
)
def test_where_memory_does_not_suffice_work_goes_on_on_disk(
    game: str, saves: bool, said: str, run: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    done = run("solve", *game.split(), *(["--save", str(folder)] if saves else []))
    assert (done.status, folder.exists()) == (0, saves)
    assert "solved on disk" in " ".join(done.err.split())
    assert said in done.out


@pytest.mark.usefixtures("_full")
def test_a_value_that_a_search_proves_comes_before_the_disk(run: Run) -> None:
    done = run("solve", "tic_tac_toe")
    assert (done.status, "ultra-weakly" in done.out, "disk" in done.err) == (0, True, False)


@pytest.mark.parametrize(("free", "is_solved"), [(10**9, True), (10**6, False)])
def test_an_estimate_beyond_memory_leads_to_a_disk_that_has_room(
    free: int, is_solved: bool, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play of the rook endgame returns."""

    def too_large(problem: object) -> None:
        raise OutOfReachError("as it is too large", 10**5)

    monkeypatch.setattr(planner, "_solved_by_methods", too_large)
    monkeypatch.setattr(solve, "disk_usage", lambda _: disk_usage("/")._replace(free=free))
    done = run("solve", "rook_endgame", "--goal", "all")
    assert (done.status == 0, "solved on disk" in " ".join(done.err.split())) == (is_solved,) * 2
    assert ("too large" in done.out) is not is_solved


def test_every_position_of_a_folder_is_verified(run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "out")
    done = run("solve", "eight_puzzle", "--save", folder, "--out-of-core")
    assert (done.status, "all positions are one layer" in " ".join(done.err.split())) == (0, True)
    assert "verified: all 181,440 positions" in run("verify", folder).out


def test_a_full_disk_is_said_and_later_work_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("solve", "subtraction", "--save", str(tmp_path / "out"), "--out-of-core")
    for method, last in (("append", 2), ("keep_keys", 3), ("keep_codes", 2), ("keep_facts", 4)):
        calls, real = [0], getattr(LayerFolder, method)

        def full(
            *arguments: object, calls: list[int] = calls, last: int = last, real: object = real
        ) -> object:
            calls[0] += 1
            if calls[0] == last:
                raise OSError(errno.ENOSPC, "No space left on device")
            assert callable(real)
            return real(*arguments)

        monkeypatch.setattr(LayerFolder, method, full)
        done = run(*words, "--resume")
        monkeypatch.setattr(LayerFolder, method, real)
        assert (done.status, "No space left on device" in done.err) == (2, True), method
    assert "the work is kept" in done.err
    assert run(*words).status == 2
    done = run(*words, "--resume")
    assert done.status == 0
    assert "verified: all 42 positions" in run("verify", str(tmp_path / "out")).out


def test_a_full_disk_in_verification_is_told_by_its_place(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, way = tmp_path / "out", tmp_path / "way"
    assert run("solve", "subtraction", "--save", str(folder), "--out-of-core").status == 0
    way.mkdir()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(LayerFolder, "append", full)
    monkeypatch.setattr(
        probe, "verify_solution", lambda *_, **__: Scratch({}, way).append("keys_1", b"")
    )
    done = run("verify", str(folder))
    assert done.status == 2
    assert f"{way} cannot be written: No space left on device" in " ".join(done.err.split())
    assert "TMPDIR" in done.err
