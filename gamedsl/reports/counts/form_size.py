"""The size of an extensive form, as text and as data in the schema of the machine interface."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.reports.json_text import data_of
from gamedsl.solvers.feasibility.form_size import FormEstimate
from gamedsl.source.plurals import count


def form_words(form: FormEstimate, players: Sequence[str]) -> tuple[str, ...]:
    """Numbers of histories, information sets and sequences; a clause each."""
    if form.forgets is not None:
        return (f"no perfect recall: {form.forgets}",)
    if form.size is None:
        return (f"more than {count(form.histories, 'history')} (counting stopped there)",)
    size = form.size
    return (
        f"{count(size.histories, 'history')} in the extensive form",
        f"{count(sum(size.information_sets), 'information set')}"
        f"{_each(players, size.information_sets)}",
        f"{count(sum(size.sequences), 'sequence')} of own moves{_each(players, size.sequences)}, "
        f"of which {count(form.combinations, 'combination')} {_leads(form.combinations)} to "
        "endings",
        "perfect recall: nobody forgets anything",
    )


def form_data(form: FormEstimate | None) -> dict[str, object] | None:
    """The size, JSON-ready; None for perfect information."""
    if form is None:
        return None
    size = form.size
    return data_of(
        form,
        "histories is_whole information_sets sequences combinations forgets",
        is_whole=size is not None,
        information_sets=None if size is None else list(size.information_sets),
        sequences=None if size is None else list(size.sequences),
        combinations=None if size is None else form.combinations,
    )


def _leads(number: int) -> str:
    return "leads" if number == 1 else "lead"


def _each(players: Sequence[str], numbers: Sequence[int]) -> str:
    if len(players) == 1:
        return ""
    pairs = zip(players, numbers, strict=True)
    return f" ({', '.join(f'{name} {number:,}' for name, number in pairs)})"
