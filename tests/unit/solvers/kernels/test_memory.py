"""Large arrays: what stays in them when they grow, moved or copied, and what is left for them."""

from __future__ import annotations

import mmap

import pytest

from gamedsl.solvers.kernels import memory
from gamedsl.solvers.memory import bytes_for_tables


class Fixed(mmap.mmap):
    """Memory of a system that moves no pages."""

    def resize(self, newsize: int) -> None:
        raise SystemError("no mremap")


@pytest.mark.parametrize("room", [mmap.mmap, Fixed])
def test_an_enlarged_array_begins_as_before_and_goes_on_with_zeros(
    room: type[mmap.mmap], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory.mmap, "mmap", room)
    row = memory.zeros(100_000)
    row[0], row[99_999] = 7, -8
    larger = memory.enlarged(row, 1_000_000)
    assert len(larger) == 1_000_000
    assert (larger[0], larger[99_999]) == (7, -8)
    assert not any(larger[1:99_999])
    assert not any(larger[100_000:])


def test_an_array_that_was_enlarged_is_of_no_more_use() -> None:
    row = memory.zeros(1)
    memory.enlarged(row, 2)
    with pytest.raises(ValueError, match="released"):
        row[0] = 1


def test_what_llvm_holds_is_taken_off_before_tables_are_planned() -> None:
    assert bytes_for_tables(10**9, native=True) == 9 * 10**8
    assert bytes_for_tables(10**9, native=False) == 10**9
    assert 0 < bytes_for_tables(10**6, native=True) < 10**6
