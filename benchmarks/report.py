"""Measurements as JSON lines and as a table for people."""

from __future__ import annotations

import json
from statistics import median

from benchmarks.agreement import Agreement
from benchmarks.contender import Contest
from benchmarks.timing import Measured


def ratios(contest: Contest, measured: Measured, all_measured: list[Measured]) -> dict[str, float]:
    """How many times as fast as each reference that was measured."""
    if measured.absent is not None:
        return {}
    return {
        other.subject: measured.rate / other.rate
        for other in all_measured
        if other.subject in contest.references and other is not measured and other.absent is None
    }


def json_lines(
    contest: Contest, all_measured: list[Measured], machine: dict[str, object]
) -> list[str]:
    """One line a contender."""
    return [
        json.dumps(_data(contest, measured, all_measured) | {"machine": machine})
        for measured in all_measured
    ]


def _data(contest: Contest, measured: Measured, all_measured: list[Measured]) -> dict[str, object]:
    data: dict[str, object] = {"benchmark": contest.name, "subject": measured.subject}
    if measured.absent is not None:
        return data | {"absent": measured.absent}
    data |= {
        "work": measured.work,
        "answer": measured.answer,
        "seconds": measured.median,
        "clock": measured.clock,
        "wall_seconds": measured.wall,
        "processor_seconds": measured.processor,
    }
    if not contest.unit:
        return data
    found = ratios(contest, measured, all_measured)
    return data | {"rate": measured.rate, "unit": f"{contest.unit}/s", "ratios": found}


def table(contest: Contest, all_measured: list[Measured]) -> str:
    """A few lines for a terminal."""
    return "\n".join([contest.name, *(_row(contest, m, all_measured) for m in all_measured)])


def _row(contest: Contest, measured: Measured, all_measured: list[Measured]) -> str:
    name = f"  {measured.subject:26}"
    if measured.absent is not None:
        return f"{name}{measured.absent}"
    if not contest.unit:
        used = median(measured.processor)
        return f"{name}{measured.median:10.3f} s ({used:.3f} s processor)   {measured.work}"
    found = ratios(contest, measured, all_measured)
    beside = "  ".join(f"{ratio:.3g}x {name}" for name, ratio in found.items())
    return f"{name}{scaled(measured.rate):>8} {contest.unit}/s   {beside}"


def scaled(rate: float) -> str:
    """Three digits and a letter: `39.4 M`."""
    for letter in " kM":
        if rate < 1000:
            return f"{rate:.3g} {letter}".rstrip()
        rate /= 1000
    return f"{rate:.3g} G"


def agreement_row(found: Agreement) -> str:
    """One comparison for a terminal."""
    name = f"  {found.subject:26}"
    if found.reason is not None:
        return f"{name}{found.reason}"
    outcomes = " ".join(f"{z:+.1f}" for z in found.z_outcomes)
    verdict = "alike" if found.is_alike else "NOT ALIKE"
    return (
        f"{name}mean {found.means[0]:.3f} against {found.means[1]:.3f} of {found.reference}: "
        f"z {found.z_length:+.1f}; won, drawn, lost: z {outcomes}   {verdict}"
    )
