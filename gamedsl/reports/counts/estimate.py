"""The cost of solving a game, as text and as data in the schema of the machine interface."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10
from statistics import fmean

from gamedsl.reports.counts.form_size import form_data, form_words
from gamedsl.reports.json_text import data_of
from gamedsl.reports.paragraphs import fill, labelled, listed, whole
from gamedsl.reports.phrases import duration, titled
from gamedsl.solvers.feasibility.estimate import Estimate, Forecast, Range
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.reach import rounded
from gamedsl.source.plurals import count

MARGIN = 14
LONG = 10**13
"""Numbers from this size on are written by power of ten."""
LONGEST = 10**4000
"""Numbers from this size on are given in JSON by the power of ten only."""
YEAR = 365 * 86_400
"""Seconds of a year."""
MOST_YEARS = 30
"""Years from which on the number no longer matters."""
NOTES = {
    SolverName.NATIVE_ALPHA_BETA: "`gamedsl solve --goal value` asks for the value of one position "
    "alone; its table is as large as the memory allows, and its time is not known before",
    SolverName.NATIVE_PROOF_NUMBERS: "`gamedsl solve --goal value` looks for a win that can be "
    "forced, and finds none where there is none; its time is not known before",
    SolverName.NATIVE_TURNS: "tried first unless the game is small; all turns have to be alike, "
    "and what it takes goes by the states between two turns",
    **dict.fromkeys(
        (SolverName.SEQUENCE_FORM, SolverName.REGRETS, SolverName.NORMAL_FORM),
        "its time goes by the information sets and what learning finds, and is not known before",
    ),
}
UNITS = ("B", "kB", "MB", "GB", "TB", "PB")


def estimate_text(estimate: Estimate, file: str) -> str:
    """The report; `file` is the name of the game on the command line."""
    rows = [labelled(f"  {word}", text, MARGIN) for word, text in _rows(estimate)]
    title = f"{titled(estimate.game, estimate.settings)}: what solving it would take"
    parts = [fill(title), "\n".join(rows), "\n".join(_solvers(estimate))]
    parts.append(fill(_verdict(estimate, file)))
    return "\n\n".join(parts)


def estimate_data(estimate: Estimate) -> dict[str, object]:
    """The report, JSON-ready."""
    layers, bound = estimate.layers, estimate.proved
    return {
        "game": estimate.game,
        "parameters": dict(estimate.parameters),
        "positions": {
            **data_of(
                estimate,
                "exact=positions counted about probably_at_least=probable at_most",
                about=None if estimate.about is None else str(estimate.about),
                at_most=None if bound is None else str(bound) if bound < LONGEST else _most(bound),
            ),
            **data_of(layers, "by_depth=counts by_depth_is_whole=is_whole"),
        },
        "plays": {
            "seed": estimate.seed,
            "count": len(estimate.lengths),
            "cut": estimate.cut,
            "plies": {
                "mean": fmean(estimate.lengths or (0,)),
                "shortest": min(estimate.lengths, default=0),
                "longest": max(estimate.lengths, default=0),
            },
            "branching": data_of(estimate, "mean=branching least=narrowest most=widest"),
        },
        "extensive_form": form_data(estimate.form),
        **data_of(estimate, "symmetries usable_bytes=usable refused out_of_reach taken"),
        "solvers": [_forecast_data(forecast) for forecast in estimate.forecasts],
    }


def _forecast_data(forecast: Forecast) -> dict[str, object]:
    return data_of(
        forecast,
        "solver applies why_not bytes_a_position=bytes_each positions_a_second=rate bytes seconds "
        "note",
        applies=forecast.why_not is None,
        bytes=_range_data(forecast.bytes),
        seconds=_range_data(forecast.seconds),
        note=_note(forecast),
    )


def _range_data(bounds: Range | None) -> list[str] | None:
    """Bounds as text, as bounds may exceed the size of JSON numbers."""
    if bounds is None:
        return None
    return ["" if end is None else f"{end:.3g}" for end in bounds]


def _rows(estimate: Estimate) -> Iterator[tuple[str, str]]:
    layers = estimate.layers
    if estimate.positions is not None:
        yield "positions", f"{estimate.positions:,}: all of them were counted"
    else:
        if estimate.about is None:
            yield "positions", f"at least {estimate.counted:,}: counted"
        else:
            about = f"about {rounded(estimate.about)}: sampled, mostly right within a factor of ten"
            yield "positions", about
            yield "", f"at least {estimate.counted:,}: counted"
        if estimate.probable > estimate.counted:
            yield (
                "",
                f"very probably at least {rounded(estimate.probable)}: random plays meet too "
                "seldom for fewer",
            )
        if estimate.proved is not None:
            yield "", f"at most {_most(estimate.proved)}: by the declarations"
    if layers.counts:
        yield "by depth", listed(f"{number:,}" for number in layers.counts)
    if layers.events:
        yield (
            "chance",
            f"{count(layers.events, 'event')} among {count(layers.states_found, 'state')} seen",
        )
    if estimate.form is not None:
        yield "form", "; ".join(form_words(estimate.form, estimate.players))
    plays = count(len(estimate.lengths), "random play")
    yield (
        "branching",
        f"{estimate.branching:.1f} actions a position on average, {estimate.narrowest:,} to "
        f"{estimate.widest:,} ({plays})",
    )
    cut = f"; {estimate.cut:,} broken off" if estimate.cut else ""
    yield (
        "length",
        f"{fmean(estimate.lengths or (0,)):.1f} plies on average, "
        f"{min(estimate.lengths, default=0):,} to {max(estimate.lengths, default=0):,}{cut}",
    )
    if estimate.symmetries is None:
        yield "symmetry", "not looked for to the end (--time)"
    elif estimate.symmetries:
        yield "symmetry", f"{'; '.join(estimate.symmetries)} (proved of the rules)"
    yield "memory", f"{_size(estimate.usable)} may be used (--memory)"


def _solvers(estimate: Estimate) -> Iterator[str]:
    """The applicable solvers, grouped by cost; then the reasons against the remaining solvers."""
    costs: dict[str, list[str]] = {}
    reasons: dict[str, list[str]] = {}
    for forecast in estimate.forecasts:
        if forecast.why_not is not None:
            reasons.setdefault(forecast.why_not, []).append(str(forecast.solver))
        else:
            costs.setdefault(_cost(estimate, forecast), []).append(str(forecast.solver))
    yield "solvers that apply" if costs else "no solver applies"
    for cost, names in costs.items():
        yield fill(", ".join(names), "    ", "    ")
        if cost:
            yield fill(cost, "      ", "      ")
    if reasons:
        yield "\nsolvers that do not"
        for reason, names in reasons.items():
            yield fill(f"{', '.join(names)}: {reason}", "    ", "      ")


def _cost(estimate: Estimate, forecast: Forecast) -> str:
    """Memory and time, as far as known; if memory may not suffice, the time until full memory."""
    parts = []
    if forecast.bytes_each is not None:
        parts.append(f"{forecast.bytes_each[0]:,} to {forecast.bytes_each[1]:,} bytes a position")
    if forecast.rate:
        parts.append(f"about {rounded(int(forecast.rate))} positions a second")
    if estimate.out_of_reach is not None or forecast.bytes is None:
        return "; ".join(filter(None, [*parts, _note(forecast)]))
    parts.append(f"memory {_between(forecast.bytes, _size)}")
    if forecast.seconds is not None:
        parts.append(f"time {_between(forecast.seconds, duration_words)}")
    if forecast.bytes_each is not None and (forecast.bytes[1] or 0) > estimate.usable:
        room = estimate.usable // forecast.bytes_each[1], estimate.usable // forecast.bytes_each[0]
        full = f"the memory is full at {rounded(room[0])} to {rounded(room[1])} positions"
        when = f", after {duration_words(room[0] / forecast.rate)} or more" if forecast.rate else ""
        parts.append(full + when)
    return "; ".join(parts)


def _note(forecast: Forecast) -> str | None:
    """A remark on an algorithm whose cost is not known before."""
    return None if forecast.is_known_before else NOTES.get(forecast.solver)


def _between(bounds: Range, words: object) -> str:
    assert callable(words)
    least, most = bounds
    if most is None:
        return f"{words(least)} or more"
    return words(most) if words(least) == words(most) else f"{words(least)} to {words(most)}"


def _verdict(estimate: Estimate, file: str) -> str:
    if estimate.refused is not None:
        return f"`gamedsl solve` refuses it: {estimate.refused}."
    if estimate.out_of_reach is not None:
        return (
            f"`gamedsl solve` does not begin: {estimate.out_of_reach}. `gamedsl best {file}` "
            "estimates the best move within seconds; smaller parameters (-D) or a later position "
            "(--at) may be solved."
        )
    if estimate.taken is None:
        return "`gamedsl solve` decides on the way: too little was seen to tell which solver it is."
    return f"`gamedsl solve` takes {estimate.taken}."


def _most(number: int) -> str:
    """A bound: exact, or the next greater power of ten."""
    return f"{number:,}" if number < LONG else f"10^{int(log10(number)) + 1}"


def _size(number: float) -> str:
    for unit in UNITS:
        if number < 1000:
            return whole(f"{number:.3g} {unit}")
        number /= 1000
    return f"10^{len(str(int(number))) - 1 + 3 * len(UNITS)} B"


def duration_words(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds > MOST_YEARS * YEAR:
        return f"more than {MOST_YEARS} years"
    if seconds >= 2 * YEAR:
        return f"{seconds / YEAR:,.0f} years"
    if seconds >= 2 * 86_400:
        return f"{seconds / 86_400:,.0f} days"
    if seconds >= 2 * 3600:
        return f"{seconds / 3600:.0f} hours"
    return f"{seconds / 60:.0f} minutes" if seconds >= 120 else whole(duration(seconds))
