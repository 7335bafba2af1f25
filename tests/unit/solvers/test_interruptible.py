"""Waiting for machine code: what it gives comes through, and so does an interrupt."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from threading import Event, main_thread

import pytest

from gamedsl.solvers.interruptible import interruptible


def test_what_the_work_gives_or_raises_comes_through() -> None:
    assert interruptible(lambda: 42) == 42
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)


@pytest.fixture
def _hears_interrupts() -> Iterator[None]:
    """Also where who has started the tests, in the background, wants interrupts to be ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_hears_interrupts")
def test_an_interrupt_is_heard_while_the_work_goes_on() -> None:
    may_end = Event()

    def work() -> bool:
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
        return may_end.wait()

    with pytest.raises(KeyboardInterrupt):
        interruptible(work)
    may_end.set()


def test_no_more_is_waited_than_wanted() -> None:
    may_end = Event()
    with pytest.raises(TimeoutError):
        interruptible(may_end.wait, 0.01)
    may_end.set()


def test_where_there_are_no_threads_the_work_is_done_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.platform", "emscripten")
    monkeypatch.setattr("gamedsl.solvers.interruptible.Thread", None)
    assert interruptible(lambda: 42, 0.01) == 42
