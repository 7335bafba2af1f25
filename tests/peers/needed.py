"""Programs of others that a test needs; where one is missing, the test is skipped with a reason."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pytest


def needed(peer: str, module: str) -> ModuleType:
    """A module of these tests that imports the peer."""
    pytest.importorskip(peer, reason=f"{peer} is not installed: pip install 'gamedsl[peers]'")
    return import_module(module)
