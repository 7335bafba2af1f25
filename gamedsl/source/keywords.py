"""Functions whose error for an unknown keyword argument lists the valid keywords.

In: a function. Out: the function with the check. Python's own message only names the unexpected
keyword.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from gamedsl.source.nearest import nearest

P = ParamSpec("P")
T = TypeVar("T")


def answering(function: Callable[P, T]) -> Callable[P, T]:
    """Add a check of keyword arguments: an unknown keyword raises a TypeError with the nearest
    keyword, then all keywords. Not for functions with `**kwargs`."""
    plain: Any = function
    code, name = plain.__code__, plain.__name__
    known = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]

    @wraps(function)
    def asked(*arguments: P.args, **named: P.kwargs) -> T:
        for wrong in named:
            if wrong not in known:
                near = nearest(wrong, known)
                listed = f"did you mean `{near}`? There are" if near else "there are"
                told = f"{name}() has no argument `{wrong}`; {listed} {', '.join(known)}"
                raise TypeError(told)
        return function(*arguments, **named)

    return asked
