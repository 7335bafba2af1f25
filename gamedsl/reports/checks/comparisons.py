"""The report of a comparison of two games."""

from __future__ import annotations

from typing import Any

from gamedsl.conformance.lockstep import Comparison, Difference, Steps
from gamedsl.reports.json_text import data_of
from gamedsl.reports.paragraphs import labelled, listed
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

MARGIN = 8
"""The column of a report behind the labels."""
MOST_UNMET = 12
"""Names shown of the given names that no action had."""


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """A comparison, to be printed."""

    comparison: Comparison

    @property
    def difference(self) -> Difference | None:
        """The first difference found."""
        return self.comparison.difference

    @property
    def is_same(self) -> bool:
        """Whether no difference was found."""
        return self.comparison.difference is None

    def __str__(self) -> str:
        return comparison_text(self.comparison)


def comparison_text(comparison: Comparison) -> str:
    """The difference with the play to the difference, or the extent of the comparison."""
    lines = [("here", comparison.names[0]), ("there", comparison.names[1])]
    if comparison.way:
        lines.append(("names", f"matched by {comparison.way}"))
    for where, unmet in zip(("here", "there"), comparison.unmet, strict=True):
        if unmet:
            unknown = listed(unmet, MOST_UNMET)
            lines.append(("unknown", f"no action was met {where} with the name {unknown}"))
    difference = comparison.difference
    if difference is None:
        lines.append(("same", f"no difference: {_extent(comparison)}"))
    else:
        lines += [("differ", difference.said), *_play_lines("after", difference.play)]
        if difference.second is not None:
            lines += _play_lines("other", difference.second)
    return "\n".join(labelled(label, text, MARGIN) for label, text in lines)


def _extent(comparison: Comparison) -> str:
    positions = count(comparison.positions, "position")
    if comparison.is_whole:
        return f"all {positions} compared"
    return f"{positions} compared, {count(comparison.plays, 'random play')} among them"


def _play_lines(label: str, play: Steps) -> list[tuple[str, str]]:
    """The play in both games, a paragraph for each if the names differ."""
    if not play:
        return [(label, "no move: at the start")]
    here, there = (listed(names) for names in zip(*play, strict=True))
    if here == there:
        return [(label, here)]
    return [(label, f"here: {here}"), ("", f"there: {there}")]


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    """The comparison as JSON."""
    difference = comparison.difference
    return data_of(
        comparison,
        "games=names names_matched_by=way names_unmet=unmet same whole=is_whole positions plays "
        "difference",
        same=difference is None,
        difference=None if difference is None else data_of(difference, "said play second"),
    )
