"""Our `dataclass` and that of the standard library make classes that behave alike."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from types import FunctionType
from typing import Any

import pytest

from gamedsl.source import Label, Span, records

Maker = Callable[..., Callable[[type], Any]]


def classes(dataclass: Maker) -> list[Any]:
    """A class with nothing in it, one with everything, one below that, one that is its own."""

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    @dataclass(frozen=True, slots=True)
    class Full:
        """Said."""

        first: int
        second: tuple[int, ...] = (1,)
        third: dict[str, int] = field(default_factory=dict, compare=False)
        fourth: int = field(default=4, repr=False)
        fifth: int = field(init=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "fifth", self.first + 1)

    @dataclass(frozen=True, slots=True)
    class Below(Full):
        first: int = 7
        sixth: str = "six"

    @dataclass(frozen=True, slots=True, repr=False, eq=False, weakref_slot=True)
    class Own:
        one: int

        def __repr__(self) -> str:
            return f"own {self.one}"

    return [Empty, Full, Below, Own]


OURS, THEIRS = classes(records.dataclass), classes(dataclasses.dataclass)
PAIRS = list(zip(OURS, THEIRS, strict=True))
GIVEN: list[tuple[tuple[int, ...], dict[str, Any]]] = [
    ((), {}),
    ((1,), {}),
    ((2, (3,)), {"fourth": 5}),
    ((1,), {"third": {"a": 1}}),
    ((1, 2, 3, 4, 5, 6), {}),
]


def made(kind: Any) -> list[Any]:
    """An instance for all that is given, or what refuses it."""
    found: list[Any] = []
    for values, named in GIVEN:
        try:
            found.append(kind(*values, **named))
        except TypeError as error:
            found.append(str(error))
    return found


@pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=[one.__name__ for one in OURS])
def test_instances_are_made_shown_and_compared_alike(ours: Any, theirs: Any) -> None:
    ours_made, theirs_made = made(ours), made(theirs)
    assert [repr(one) for one in ours_made] == [repr(one) for one in theirs_made]
    assert [[a == b for b in ours_made] for a in ours_made] == [
        [a == b for b in theirs_made] for a in theirs_made
    ]


@pytest.mark.parametrize("kind", OURS[:3])
def test_what_is_equal_has_one_hash(kind: Any) -> None:
    found = [one for one in made(kind) if isinstance(one, kind)]
    assert found
    assert [hash(one) for one in found] == [hash(copy.copy(one)) for one in found]
    assert OURS[3](1) != OURS[3](1)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=[one.__name__ for one in OURS])
def test_classes_tell_the_same_of_themselves(ours: Any, theirs: Any) -> None:
    assert ours.__slots__ == theirs.__slots__
    assert ours.__match_args__ == theirs.__match_args__
    assert [one.name for one in fields(ours)] == [one.name for one in fields(theirs)]
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)


def test_what_is_frozen_can_be_replaced_and_pickled_but_not_changed() -> None:
    one = OURS[1](1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'first'"):
        one.first = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'first'"):
        del one.first
    assert replace(one, first=2, third={}) == OURS[1](2)
    label = Label(Span(1, 2), "here")
    assert pickle.loads(pickle.dumps(label)) == label


def test_what_is_not_frozen_is_left_to_the_standard_library() -> None:
    @records.dataclass
    class Plain:
        one: int

    @records.dataclass(slots=True)
    class Slots:
        one: int

    for kind in (Plain, Slots):
        found = kind(1)
        found.one = 2
        assert found == kind(2)


def test_the_first_instance_is_made_like_all_others() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Pair:
        first: int
        second: int = 2

    assert not isinstance(vars(Pair)["__init__"], FunctionType)
    with pytest.raises(TypeError, match="first"):
        Pair()  # type: ignore[call-arg]
    assert isinstance(vars(Pair)["__init__"], FunctionType)
    assert [Pair(1), Pair(second=2, first=1)] == [Pair(1, 2)] * 2


def test_a_class_below_is_made_by_what_it_inherits() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Base:
        first: int

    class Own(Base):
        def __init__(self) -> None:
            super().__init__(7)

    @records.dataclass(frozen=True, slots=True)
    class More(Base):
        second: int

    assert (Own().first, Base(1).first, More(1, 2).second) == (7, 1, 2)
