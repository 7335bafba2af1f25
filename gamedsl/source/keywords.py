"""Functions that answer a keyword that they have not with those that they have.

In: a function. Out: the same. Python alone says which keyword was unexpected, and no more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from gamedsl.source.nearest import nearest

P = ParamSpec("P")
T = TypeVar("T")


def answering(function: Callable[P, T]) -> Callable[P, T]:
    """The function, with a TypeError for a keyword that it has not, which names those that it
    has, the nearest first. Functions that take any keyword are not for it."""
    plain: Any = function
    code, name = plain.__code__, plain.__name__
    known = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]

    @wraps(function)
    def asked(*given: P.args, **named: P.kwargs) -> T:
        for wrong in named:
            if wrong not in known:
                near = nearest(wrong, known)
                listed = f"did you mean `{near}`? There are" if near else "there are"
                told = f"{name}() has no argument `{wrong}`; {listed} {', '.join(known)}"
                raise TypeError(told)
        return function(*given, **named)

    return asked
