"""The page on other tools is true: blocks run where the extras are, and show what stands below."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.meta.test_python_page import BLOCK, shown_by

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "bridges.md").read_text("utf-8")
HEAD, *SECTIONS = PAGE.split("\n## ")
NEEDS = {
    "OpenSpiel": ("numpy", "pyspiel"),
    "PettingZoo": ("pettingzoo",),
    "Gymnasium": ("gymnasium",),
    "Batches": ("numpy", "llvmlite"),
    "Tables and graphs": ("networkx", "pandas", "nashpy"),
    "Chess": ("chess",),
}


@pytest.mark.parametrize("section", SECTIONS, ids=[s.partition("\n")[0] for s in SECTIONS])
def test_every_block_shows_what_stands_below(section: str) -> None:
    for module in NEEDS.get(section.partition("\n")[0], ()):
        pytest.importorskip(module)
    names: dict[str, object] = {}
    exec("import gamedsl", names)
    found = [(cell, shown_by(cell, names), expected) for cell, expected in BLOCK.findall(section)]
    assert len(found) == section.count("```python") > 0
    for cell, shown, expected in found:
        assert shown == expected, cell


def test_every_extra_has_a_section() -> None:
    titles = {section.partition("\n")[0] for section in SECTIONS}
    assert titles >= {*NEEDS}
