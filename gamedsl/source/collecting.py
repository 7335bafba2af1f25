"""Work during which garbage is not collected.

In: a `with` block. Out: none. Many objects that are never part of a cycle, such as states or syntax
trees, would be scanned again and again.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Turn off garbage collection in the context."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
