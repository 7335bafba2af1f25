"""Functions that check their arguments: unknown keywords, and numbers out of range.

In: a function. Out: the function with the checks. The error for an unknown keyword lists the valid
keywords, where Python's own message only names the unexpected keyword; the error for a number names
the argument and the least number.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from numbers import Integral, Real
from typing import Any, ParamSpec, TypeVar

from gamedsl.source.nearest import nearest

P = ParamSpec("P")
T = TypeVar("T")

NUMBERS = {"int": (Integral, "a whole number"), "float": (Real, "a number")}
"""By annotation: the type of a number, in words."""
LEAST = dict.fromkeys(
    ("max_positions", "max_bytes", "max_visits", "max_nodes", "rounds", "longest"), 1
)
"""The least numbers of arguments; of other arguments 0."""


def answering(function: Callable[P, T]) -> Callable[P, T]:
    """Add checks of arguments: an unknown keyword raises a TypeError with the nearest keyword, then
    all keywords; a value of another type than a number raises a TypeError, and a number below the
    least number a ValueError. Not for functions with `**kwargs`, nor without annotations as
    text."""
    plain: Any = function
    code, name = plain.__code__, plain.__name__
    known = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]

    numbers = {
        argument: NUMBERS[kind.removesuffix(" | None")]
        for argument, kind in plain.__annotations__.items()
        if isinstance(kind, str) and kind.removesuffix(" | None") in NUMBERS
    }

    @wraps(function)
    def asked(*arguments: P.args, **named: P.kwargs) -> T:
        for wrong in named:
            if wrong not in known:
                near = nearest(wrong, known)
                listed = f"did you mean `{near}`? There are" if near else "there are"
                told = f"{name}() has no argument `{wrong}`; {listed} {', '.join(known)}"
                raise TypeError(told)
        for argument, value in (*zip(known, arguments, strict=False), *named.items()):
            if value is None or argument not in numbers:
                continue
            kind, words = numbers[argument]
            if not isinstance(value, kind):
                raise TypeError(f"{name}(): `{argument}` is {words}, found {value!r}")
            if value < (least := LEAST.get(argument, 0)):
                raise ValueError(f"{name}(): `{argument}` is at least {least}, found {value}")
        return function(*arguments, **named)

    return asked
