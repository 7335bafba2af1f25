"""Enumerations of names for a caller to choose from.

An unknown name raises ValueError with the list of valid names.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from gamedsl.source.nearest import nearest


class Choice(StrEnum):
    """One of several names.

    Raises:
        ValueError: for an unknown name; the message has the nearest name and all names.
    """

    @classmethod
    def _missing_(cls, value: object) -> Self:
        kind, names = cls.__name__.removesuffix("Name").lower(), cls.spellings()
        if value in names:
            return names[str(value)]
        near = nearest(str(value), names)
        listed = f"did you mean `{near}`? There are" if near else "there are"
        raise ValueError(f"there is no {kind} `{value}`; {listed} {', '.join(names)}")

    @classmethod
    def spellings(cls) -> dict[str, Self]:
        """The choices by the names that people write."""
        return {str(choice): choice for choice in cls}
