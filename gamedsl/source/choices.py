"""Names of which a caller chooses one.

In: an enumeration of names. Out: the same, which answers a name that is none of them with those
that there are.
"""

from __future__ import annotations

from enum import StrEnum

from gamedsl.source.nearest import nearest


class Choice(StrEnum):
    """One of several names.

    Raises:
        ValueError: another name was asked for; the message has the nearest one and all others.
    """

    @classmethod
    def _missing_(cls, value: object) -> None:
        kind = cls.__name__.removesuffix("Name").lower()
        near = nearest(str(value), cls)
        listed = f"did you mean `{near}`? There are" if near else "there are"
        raise ValueError(f"there is no {kind} `{value}`; {listed} {', '.join(cls)}")
