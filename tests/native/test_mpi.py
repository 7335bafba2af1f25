"""`gamedsl solve --mpi`: the files of one process, whatever the number of processes and deaths."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("mpi4py")
MPIEXEC = Path(sys.executable).with_name("mpiexec")
COMMAND = str(MPIEXEC) if MPIEXEC.exists() else shutil.which("mpiexec")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(COMMAND is None, reason="there is no mpiexec"),
]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
CROWDED = {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


def started(folder: Path, arguments: tuple[str, ...], processes: int) -> subprocess.Popen[str]:
    """Solving by so many processes; without MPI, for 0."""
    kind = "--mpi" if processes else "--out-of-core"
    return begun(("solve", *arguments, "--save", str(folder), kind, "--resume"), processes)


def begun(words: tuple[str, ...], processes: int) -> subprocess.Popen[str]:
    """A command in so many processes; without MPI, for 0."""
    job = (str(COMMAND), "-n", str(processes)) if processes else ()
    return subprocess.Popen(
        (*job, sys.executable, "-m", "gamedsl", *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **AS_ROOT, **CROWDED},
        start_new_session=True,
    )


def solved(folder: Path, arguments: tuple[str, ...], processes: int) -> dict[str, bytes]:
    job = started(folder, arguments, processes)
    output, _ = job.communicate(timeout=300)
    assert job.returncode == 0, output
    assert output.count("solved      strongly") == 1  # one process prints
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("arguments", [("connect_small",), ("quixo", "-D", "size=3")])
def test_the_files_do_not_depend_on_the_number_of_processes(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    """Connect Four in layers, Quixo in a tier; a process is killed on the way of the last."""
    whole = solved(tmp_path / "0", arguments, 0)
    killed = tmp_path / "killed"
    job = started(killed, arguments, 3)
    while job.poll() is None and not any(killed.glob("*.keys")):
        time.sleep(0.01)
    children = Path(f"/proc/{job.pid}/task/{job.pid}/children")
    if children.exists() and (own := children.read_text().split()):
        os.kill(int(own[-1]), signal.SIGKILL)
    job.communicate(timeout=100)
    assert solved(killed, arguments, 4) == whole
    job = begun(("verify", str(killed), "--mpi"), 2)
    output, _ = job.communicate(timeout=300)
    assert (job.returncode, output.count("verified: all ")) == (0, 1), output


def test_the_jobs_of_a_sweep_are_done_by_the_processes(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    words = ("subtraction", "-D", "n=4..7", "--out", str(out), "--mpi")
    for processes in (3, 1):
        job = begun(("sweep", *words), processes)
        output, _ = job.communicate(timeout=300)
        assert job.returncode == 0, output
    assert "4 known, 0 done" in output
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted(record["parameters"]["n"] for record in records) == [*"4567"]
