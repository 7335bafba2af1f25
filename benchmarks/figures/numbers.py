"""Numbers as documents and programs write them, and whether two of them agree."""

from __future__ import annotations

import re
from decimal import Decimal

SMALL = "no one two three four five six seven eight nine ten eleven twelve"
WORDS: dict[str, float] = {word: number for number, word in enumerate(SMALL.split())}
WORDS |= {"sixteen": 16, "twenty": 20, "thirty": 30, "forty": 40, "sixty": 60, "half": 0.5}
UNITS = {
    "megabytes": {"kB": 0.001, "MB": 1, "GB": 1_000},
    "seconds": {"ms": 0.001, "s": 1, "second": 1, "seconds": 1, "minute": 60, "minutes": 60},
}
SCALES = {
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "k": 1_000,
    "M": 1_000_000,
}


def parts_of(text: str) -> tuple[Decimal, int, int]:
    """The number in a text as it is written, how many decimals it has, and what it counts in."""
    hit = re.search(r"-?\d[\d,_]*(?:\.\d+)?", text)
    if hit:
        number = hit[0].replace(",", "").replace("_", "")
        decimals = len(number.partition(".")[2])
        behind = re.match(r"\s*(thousand|million|billion|[kM]\b)", text[hit.end() :])
        return Decimal(number), decimals, SCALES[behind[1]] if behind else 1
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in WORDS:
            return Decimal(str(WORDS[word])), 0, 1
    raise ValueError(f"no number in {text!r}")


def number_in(text: str) -> Decimal:
    """The number in a text."""
    number, _, scale = parts_of(text)
    return number * scale


def agree(written: str, read: str) -> bool:
    """Whether what was read is what is written, to the digits that are written."""
    number, decimals, scale = parts_of(written)
    return round(number_in(read) / scale, decimals) == number


def within(written: str, measure: str, band: list[float]) -> bool:
    """Whether what is written lies in its own band, in the unit of a measure."""
    unit = next(
        (
            size
            for word, size in UNITS.get(measure, {}).items()
            if re.search(rf"[\d\s]{word}$", written)
        ),
        1,
    )
    return band[0] <= float(number_in(written)) * unit <= band[1]
