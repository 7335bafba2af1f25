"""Names of kernels beside those of the module that they are put into."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import gamedsl.solvers.kernels as kernels
from gamedsl.compiler.prelude import PYTHON

FOLDER = Path(next(iter(kernels.__path__)))
MODULES = sorted(
    ".".join((kernels.__name__, *path.relative_to(FOLDER).with_suffix("").parts))
    for path in FOLDER.rglob("*_kernel.py")
)


@pytest.mark.parametrize("name", MODULES)
def test_no_constant_of_a_kernel_has_a_name_of_the_prelude(name: str) -> None:
    """Generated functions would read it in its place where kernels run as Python."""
    known = set(re.findall(r"^(?:def )?(\w+)(?: =|\()", PYTHON, re.MULTILINE))
    assert {"MASK", "mixed"} <= known
    assert not known & {one for one in vars(import_module(name)) if one.isupper()}
