"""What a command of the table came to, held against what the document says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from benchmarks.figures.documents import ROOT
from benchmarks.figures.numbers import agree, number_in, within
from benchmarks.figures.table import Row

MEASURES = ("seconds", "megabytes")
"""What a command took, measured from outside."""


@dataclass(frozen=True)
class Outcome:
    """What a command has written, and what it took of the processor and of memory."""

    output: str
    seconds: float
    megabytes: float


def outcome_of(command: str) -> Outcome:
    """Run a command of the table: `gamedsl ...` or `python ...`, with this Python."""
    program, *arguments = shlex.split(command)
    words = [sys.executable, *(["-m", "gamedsl"] if program == "gamedsl" else []), *arguments]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            words, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=ROOT
        )
        _, _, usage = os.wait4(process.pid, 0)
        output.seek(0)
        text = output.read().decode("utf-8")
    kilobytes = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    return Outcome(text, usage.ru_utime + usage.ru_stime, kilobytes / 1000)


def checked(row: Row, outcome: Outcome) -> tuple[list[str], list[str]]:
    """What is wrong, and what has left its band."""
    wrong: list[str] = []
    outside: list[str] = []
    readings = [reading for find in row.find for reading in _readings(find, outcome)]
    for written, read, (_, band) in zip(row.figures, readings, _bands(row), strict=True):
        line = f"{row.document}: {written!r}, and `{row.run}` says {read}"
        if read is None:
            wrong.append(line)
        elif band and not band[0] <= number_in(read) <= band[1]:
            outside.append(f"{line}, not within {band}")
        elif not band and not agree(written, read):
            wrong.append(line)
    return wrong, outside


def checked_bands(row: Row) -> list[str]:
    """Figures that a document puts outside the bands that its row allows them."""
    return [
        f"{row.document}: {written!r} is not within {band}"
        for written, (measure, band) in zip(row.figures, _bands(row), strict=bool(row.run))
        if band and not within(written, measure, band)
    ]


def _readings(find: dict[str, Any], outcome: Outcome) -> list[str | None]:
    """Each figure that one entry of a row reads off an outcome."""
    if "read" not in find:
        measure = next(name for name in MEASURES if name in find)
        return [f"{getattr(outcome, measure):.2f}"]
    pattern = re.compile(find["read"], re.DOTALL)
    hit = pattern.search(outcome.output)
    return list(hit.groups()) if hit else [None] * pattern.groups


def _bands(row: Row) -> list[tuple[str, list[float] | None]]:
    """For each figure of a row how it is measured, and within which band it may lie."""
    bands: list[tuple[str, list[float] | None]] = []
    for find in row.find:
        if "read" in find:
            bands += [("read", find.get("band"))] * re.compile(find["read"]).groups
        else:
            bands += [(name, find[name]) for name in MEASURES if name in find]
    return bands


def checked_constants(row: Row) -> list[str]:
    """Limits that the code sets otherwise than the document says."""
    if not row.constants:
        return []
    values = [_value(name) for name in row.constants]
    if len(values) != len(row.figures):
        return [f"{row.document}: {len(values)} constants for {row.says}"]
    return [
        f"{row.document}: {written!r}, and {name} is {value}"
        for written, name, value in zip(row.figures, row.constants, values, strict=True)
        if not agree(written, str(value))
    ]


def _value(name: str) -> object:
    """The value of `module:name`, or of what lies in it (`module:name.part`, `module:name[0]`)."""
    module, _, path = name.partition(":")
    found: Any = import_module(module)
    for part in re.findall(r"\w+", path):
        found = found[int(part)] if part.isdecimal() else getattr(found, part)
    return int(found) if isinstance(found, float) and found.is_integer() else found
