"""The notebooks are true: run again, their cells show what is kept in them.

Texts are compared; of pictures it is only asked that they are there. Cells with the tag `measured`
show times or rates; they are run, and what they show is not compared.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"


def shown_by(cell: Any) -> str:
    """The texts below a cell, however many messages brought them, and what kinds there are."""
    parts = []
    for one in cell.outputs:
        data = one.get("data", {})
        parts += [one.get("text", ""), data.get("text/plain", ""), *sorted(data)]
    return "".join(parts)


@pytest.mark.filterwarnings("ignore")  # of the kernel's own libraries
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_cells_show_what_is_kept(path: Path) -> None:
    import nbformat  # imported here: it takes as long as collecting all other tests
    from nbclient import NotebookClient

    kept, again = nbformat.read(path, 4), nbformat.read(path, 4)
    NotebookClient(again, timeout=300, kernel_name="python3").execute(cwd=str(FOLDER))
    cells = [pair for pair in zip(kept.cells, again.cells, strict=True) if "outputs" in pair[0]]
    assert len(cells) >= 5
    for old, new in cells:
        assert shown_by(old), old.source
        if "measured" not in old.metadata.get("tags", ()):
            assert shown_by(new) == shown_by(old), old.source
