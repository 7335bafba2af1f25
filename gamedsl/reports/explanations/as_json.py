"""The formal definition of a game as JSON-ready data."""

from __future__ import annotations

from gamedsl.reports.explanations.sections import Explanation
from gamedsl.reports.json_text import data_of


def explain_data(explanation: Explanation) -> dict[str, object]:
    """The sections in order; `code` holds lines of the file, `pictures` states as text."""
    return data_of(
        explanation,
        "game=title parameters about symbol sections",
        parameters=dict(explanation.parameters),
        sections=[
            data_of(
                section,
                "name meaning formulas=lines code values pictures",
                pictures=[data_of(picture, "formula text") for picture in section.pictures],
            )
            for section in explanation.sections
        ],
    )
