"""Amounts of time, memory and precision as typed by users: `10m`, `1h30m`, `8GiB`, `3/2`.

Option texts become seconds, bytes or a fraction; typer.BadParameter states the expected form.
"""

from __future__ import annotations

import re
from fractions import Fraction

import typer

SECONDS = {"d": 86_400, "h": 3_600, "m": 60, "min": 60, "s": 1, "": 1}
BYTES = {
    "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
    "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
}  # fmt: skip
_NUMBER = r"(\d+(?:\.\d+)?|\.\d+)"
_TIME = re.compile(rf"(?:{_NUMBER} ?(d|h|min|m|s) ?)+|{_NUMBER}")
_PART = re.compile(rf"{_NUMBER} ?(d|h|min|m|s|)")
_SIZE = re.compile(rf"{_NUMBER} ?((?:[kmgt]i?)?b)")
_PRECISION = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+|\d+/0*[1-9]\d*)")
LONGEST = 40
"""Limit on the characters of an amount."""


def seconds_of(text: str | float) -> float:
    """`90`, `90s`, `1.5h` or `1h30m` in seconds."""
    typed = str(text).strip()
    if len(typed) > LONGEST or _TIME.fullmatch(typed) is None:
        raise typer.BadParameter(
            f"a time is needed here, such as 90s, 10m or 1h30m, found {text!r}"
        )
    return sum(float(number) * SECONDS[unit] for number, unit in _PART.findall(typed))


def bytes_of(text: str | int) -> int:
    """`500MB` or `8GiB` in bytes; at least one."""
    typed = str(text).strip().lower()
    match = _SIZE.fullmatch(typed) if len(typed) <= LONGEST else None
    size = 0.0 if match is None else float(match[1]) * BYTES[match[2]]
    if size < 1:
        raise typer.BadParameter(
            f"an amount of memory is needed here, such as 500MB or 8GiB, found {text!r}"
        )
    return int(size)


def rationality_of(text: str | Fraction) -> Fraction:
    """`2`, `0.5` or `3/2` as a precision of choice; 0 or more."""
    typed = str(text).strip()
    precision = Fraction(typed) if len(typed) <= LONGEST and _PRECISION.fullmatch(typed) else None
    if precision is None:
        raise typer.BadParameter(f"a number is needed here, such as 2, 0.5 or 3/2, found {text!r}")
    if precision < 0:
        raise typer.BadParameter(
            f"{typed} is negative, and 0 is least: all actions are chosen alike; the greater it "
            "is, the more seldom those that pay less"
        )
    return precision
