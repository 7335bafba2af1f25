"""The watch on speed: a third lost by one job is seen, and a slower machine is not."""

from __future__ import annotations

import pytest

from benchmarks.watch.__main__ import report, slow_jobs
from benchmarks.watch.jobs import jobs
from benchmarks.watch.references import REFERENCES

KEPT = {f"job {n}": 1.0 + n for n in range(20)}


def measured(changed: dict[str, float], machine: float = 1.0) -> dict[str, float]:
    """Speeds: the kept ones, changed by a factor for each job, and by one for the machine."""
    return {name: speed * machine * changed.get(name, 1.0) for name, speed in KEPT.items()}


def test_a_third_lost_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    speeds = measured({"job 3": 2 / 3})
    assert slow_jobs(speeds, KEPT) == ["job 3"]
    assert report(speeds, KEPT) == 1
    said = capsys.readouterr().out
    assert "SLOW job 3" in said
    assert "1 of 20 jobs" in said


def test_noise_and_a_slower_machine_are_not_reported() -> None:
    noise = {f"job {n}": 1 + (n % 5 - 2) / 12 for n in range(20)}
    assert slow_jobs(measured(noise), KEPT) == []
    assert slow_jobs(measured(noise, machine=0.75), KEPT) == []
    assert slow_jobs(measured({"job 3": 0.6}, machine=1.4), KEPT) == []
    assert slow_jobs(measured({"job 3": 0.6}, machine=0.75), KEPT) == ["job 3"]


def test_everything_at_half_speed_is_reported() -> None:
    assert len(slow_jobs(measured({}, machine=0.4), KEPT)) == 20


def test_jobs_have_names_of_their_own_and_references() -> None:
    listed = jobs()
    assert len({job.name for job in listed}) == len(listed) >= 20
    assert {job.reference for job in listed} <= REFERENCES.keys()
    assert all(work() == work() for work in REFERENCES.values())
