"""Programs of others that a test needs; where one is missing, the test is skipped with a reason."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pytest


def needed(peer: str, package: str, module: str) -> ModuleType:
    """A module of these tests that imports the peer, which is in this package."""
    pytest.importorskip(peer, reason=f"{peer} is not installed: pip install {package}")
    return import_module(module)
