"""The size of an extensive form, as text and as data in the schema of the machine interface."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.solvers.outlook.form_size import FormOutlook
from gamedsl.source.plurals import count


def form_words(outlook: FormOutlook, players: Sequence[str]) -> tuple[str, ...]:
    """Numbers of histories, information sets and sequences; a clause each."""
    if outlook.forgets is not None:
        return (f"no perfect recall: {outlook.forgets}",)
    if outlook.size is None:
        return (f"more than {count(outlook.histories, 'history')} (counting stopped there)",)
    size = outlook.size
    return (
        f"{count(size.histories, 'history')} in the extensive form",
        f"{count(sum(size.information_sets), 'information set')}"
        f"{_each(players, size.information_sets)}",
        f"{count(sum(size.sequences), 'sequence')} of own moves{_each(players, size.sequences)}, "
        f"of which {count(outlook.combinations, 'combination')} {_leads(outlook.combinations)} to "
        "endings",
        "perfect recall: nobody forgets anything",
    )


def form_data(outlook: FormOutlook | None) -> dict[str, object] | None:
    """The size, JSON-ready; None for perfect information."""
    if outlook is None:
        return None
    size = outlook.size
    return {
        "histories": outlook.histories,
        "is_whole": size is not None,
        "information_sets": None if size is None else list(size.information_sets),
        "sequences": None if size is None else list(size.sequences),
        "combinations": None if size is None else outlook.combinations,
        "forgets": outlook.forgets,
    }


def _leads(number: int) -> str:
    return "leads" if number == 1 else "lead"


def _each(players: Sequence[str], numbers: Sequence[int]) -> str:
    if len(players) == 1:
        return ""
    pairs = zip(players, numbers, strict=True)
    return f" ({', '.join(f'{name} {number:,}' for name, number in pairs)})"
