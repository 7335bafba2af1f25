"""The cost of solving a game, as text and as data in the schema of the machine interface."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10
from statistics import fmean

from gamedsl.reports.counts.form_size import form_data, form_words
from gamedsl.reports.paragraphs import fill, labelled, listed, whole
from gamedsl.reports.phrases import duration, titled
from gamedsl.solvers.outlook.estimate import Estimate, Forecast, Range
from gamedsl.solvers.reach import rounded
from gamedsl.source.plurals import count

MARGIN = 14
LONG = 10**13
"""Numbers from this size on are written by power of ten."""
LONGEST = 10**4000
"""Numbers from this size on are given in JSON by the power of ten only."""
FOR_EVER = 1e9
"""Seconds beyond any patience: some thirty years."""
UNITS = ("B", "kB", "MB", "GB", "TB", "PB")


def estimate_text(found: Estimate, file: str) -> str:
    """The report; `file` is the name of the game on the command line."""
    rows = [labelled(f"  {word}", text, MARGIN) for word, text in _rows(found)]
    solvers = list(_solvers(found))
    title = f"{titled(found.game, found.settings)}: what solving it would take"
    parts = [fill(title), "\n".join(rows), "\n".join(["solvers that apply", *solvers])]
    if not solvers:
        parts[2] = "no solver applies"
    parts.append(fill(_verdict(found, file)))
    return "\n\n".join(parts)


def estimate_data(found: Estimate) -> dict[str, object]:
    """The report, JSON-ready."""
    layers = found.layers
    return {
        "game": found.game,
        "parameters": dict(found.parameters),
        "positions": {
            "exact": found.positions,
            "counted": found.counted,
            "probably_at_least": found.probable,
            "at_most": str(found.proved) if found.proved < LONGEST else _most(found.proved),
            "by_depth": list(layers.counts),
            "by_depth_is_whole": layers.is_whole,
        },
        "plays": {
            "seed": found.seed,
            "count": len(found.lengths),
            "cut": found.cut,
            "plies": {
                "mean": fmean(found.lengths or (0,)),
                "shortest": min(found.lengths, default=0),
                "longest": max(found.lengths, default=0),
            },
            "branching": {
                "mean": found.branching, "least": found.narrowest, "most": found.widest
            },
        },
        "extensive_form": form_data(found.form),
        "symmetries": None if found.symmetries is None else list(found.symmetries),
        "usable_bytes": found.usable,
        "refused": found.refused,
        "out_of_reach": found.out_of_reach,
        "taken": None if found.taken is None else str(found.taken),
        "solvers": [_forecast_data(one) for one in found.forecasts],
    }  # fmt: skip


def _forecast_data(one: Forecast) -> dict[str, object]:
    return {
        "solver": str(one.solver),
        "applies": one.why_not is None,
        "why_not": one.why_not,
        "bytes_a_position": None if one.bytes_each is None else list(one.bytes_each),
        "positions_a_second": one.rate,
        "bytes": _range_data(one.bytes),
        "seconds": _range_data(one.seconds),
        "note": one.note,
    }


def _range_data(found: Range | None) -> list[str] | None:
    """Bounds as text, as bounds may exceed the size of JSON numbers."""
    if found is None:
        return None
    return ["" if end is None else f"{end:.3g}" for end in found]


def _rows(found: Estimate) -> Iterator[tuple[str, str]]:
    layers = found.layers
    if found.positions is not None:
        yield "positions", f"{found.positions:,}: all of them were counted"
    else:
        yield "positions", f"at least {found.counted:,}: counted"
        if found.probable > found.counted:
            yield (
                "",
                f"very probably at least {rounded(found.probable)}: random plays meet too seldom "
                "for fewer",
            )
        yield "", f"at most {_most(found.proved)}: by the declarations; in between not known"
    if layers.counts:
        yield "by depth", listed(f"{one:,}" for one in layers.counts)
    if layers.events:
        yield "chance", f"{count(layers.events, 'event')} among {count(layers.found, 'state')} seen"
    if found.form is not None:
        yield "form", "; ".join(form_words(found.form, found.players))
    plays = count(len(found.lengths), "random play")
    yield (
        "branching",
        f"{found.branching:.1f} actions a position on average, {found.narrowest:,} to "
        f"{found.widest:,} ({plays})",
    )
    cut = f"; {found.cut:,} broken off" if found.cut else ""
    yield (
        "length",
        f"{fmean(found.lengths or (0,)):.1f} plies on average, {min(found.lengths, default=0):,} "
        f"to {max(found.lengths, default=0):,}{cut}",
    )
    if found.symmetries is None:
        yield "symmetry", "not looked for to the end (--time)"
    elif found.symmetries:
        yield "symmetry", f"{'; '.join(found.symmetries)} (proved of the rules)"
    yield "memory", f"{_size(found.usable)} may be used (--memory)"


def _solvers(found: Estimate) -> Iterator[str]:
    """The applicable solvers, grouped by cost; then the reasons against the remaining solvers."""
    costs: dict[str, list[str]] = {}
    reasons: dict[str, list[str]] = {}
    for one in found.forecasts:
        if one.why_not is not None:
            reasons.setdefault(one.why_not, []).append(str(one.solver))
        else:
            costs.setdefault(_cost(found, one), []).append(str(one.solver))
    for cost, names in costs.items():
        yield fill(", ".join(names), "    ", "    ")
        if cost:
            yield fill(cost, "      ", "      ")
    if reasons:
        yield "\nsolvers that do not"
        for reason, names in reasons.items():
            yield fill(f"{', '.join(names)}: {reason}", "    ", "      ")


def _cost(found: Estimate, one: Forecast) -> str:
    """Memory and time, as far as known; if memory may not suffice, the time until full memory."""
    parts = []
    if one.bytes_each is not None:
        parts.append(f"{one.bytes_each[0]:,} to {one.bytes_each[1]:,} bytes a position")
    if one.rate:
        parts.append(f"about {rounded(int(one.rate))} positions a second")
    if found.out_of_reach is not None or one.bytes is None:
        return "; ".join([*parts, *([one.note] if one.note else [])])
    parts.append(f"memory {_between(one.bytes, _size)}")
    if one.seconds is not None:
        parts.append(f"time {_between(one.seconds, _time)}")
    if one.bytes_each is not None and (one.bytes[1] or 0) > found.usable:
        room = found.usable // one.bytes_each[1], found.usable // one.bytes_each[0]
        full = f"the memory is full at {rounded(room[0])} to {rounded(room[1])} positions"
        when = f", after {_time(room[0] / one.rate)} or more" if one.rate else ""
        parts.append(full + when)
    return "; ".join(parts)


def _between(found: Range, words: object) -> str:
    assert callable(words)
    least, most = found
    if most is None:
        return f"{words(least)} or more"
    return words(most) if words(least) == words(most) else f"{words(least)} to {words(most)}"


def _verdict(found: Estimate, file: str) -> str:
    if found.refused is not None:
        return f"`gamedsl solve` refuses it: {found.refused}."
    if found.out_of_reach is not None:
        return (
            f"`gamedsl solve` does not begin: {found.out_of_reach}. `gamedsl best {file}` "
            "estimates the best move within seconds; smaller parameters (-D) or a later position "
            "(--at) may be solved."
        )
    if found.taken is None:
        return "`gamedsl solve` decides on the way: too little was seen to tell which solver it is."
    return f"`gamedsl solve` takes {found.taken}: the first solver that applies."


def _most(number: int) -> str:
    """A bound: exact, or the next greater power of ten."""
    return f"{number:,}" if number < LONG else f"10^{int(log10(number)) + 1}"


def _size(number: float) -> str:
    for unit in UNITS:
        if number < 1000:
            return whole(f"{number:.3g} {unit}")
        number /= 1000
    return f"10^{len(str(int(number))) - 1 + 3 * len(UNITS)} B"


def _time(seconds: float) -> str:
    if seconds > FOR_EVER:
        return "for ever"
    if seconds >= 2 * 86_400:
        return f"{seconds / 86_400:,.0f} days"
    if seconds >= 2 * 3600:
        return f"{seconds / 3600:.0f} hours"
    return f"{seconds / 60:.0f} minutes" if seconds >= 120 else whole(duration(seconds))
