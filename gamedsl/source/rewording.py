"""Exceptions of a lower floor, told in the words of the floor above."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def reworded(
    kind: Callable[[str], Exception], message: str, *causes: type[Exception]
) -> Iterator[None]:
    """In the context, an exception of `causes` is raised as an exception of another kind.

    `{}` in the message stands for the reason: the words of the exception, or of the system.
    """
    try:
        yield
    except causes as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise kind(message.replace("{}", str(reason))) from error
