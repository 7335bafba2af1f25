"""Enumerations of names for a caller to choose from.

An unknown name raises ValueError with the list of valid names.
"""

from __future__ import annotations

from enum import StrEnum

from gamedsl.source.nearest import nearest


class Choice(StrEnum):
    """One of several names.

    Raises:
        ValueError: for an unknown name; the message has the nearest name and all names.
    """

    @classmethod
    def _missing_(cls, value: object) -> None:
        kind = cls.__name__.removesuffix("Name").lower()
        near = nearest(str(value), cls)
        listed = f"did you mean `{near}`? There are" if near else "there are"
        raise ValueError(f"there is no {kind} `{value}`; {listed} {', '.join(cls)}")
