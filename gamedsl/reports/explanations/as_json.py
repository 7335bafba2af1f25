"""The formal definition of a game as JSON-ready data."""

from __future__ import annotations

from gamedsl.reports.explanations.sections import Explanation


def explain_data(explanation: Explanation) -> dict[str, object]:
    """The sections in order; `code` holds lines of the file, `pictures` states as text."""
    return {
        "game": explanation.title,
        "parameters": dict(explanation.parameters),
        "about": explanation.about,
        "symbol": explanation.symbol,
        "sections": [
            {
                "name": section.name,
                "meaning": section.meaning,
                "formulas": list(section.lines),
                "code": section.code,
                "values": list(section.values),
                "pictures": [
                    {"formula": picture.formula, "text": picture.text}
                    for picture in section.pictures
                ],
            }
            for section in explanation.sections
        ],
    }
