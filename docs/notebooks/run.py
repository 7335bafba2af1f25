"""Run the notebooks, and keep them as they were run.

    python docs/notebooks/run.py

In: the cells of `*.ipynb`. Out: the same files with what the cells show now; nothing else in them
changes. A cell that shows the same but for measured seconds keeps what it showed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
SECONDS = re.compile(r"\d+\.\d+ s\b")


def run(path: Path) -> None:
    """Run one notebook in place."""
    notebook = nbformat.read(path, 4)
    about = dict(notebook.metadata)
    shown = [cell.get("outputs", []) for cell in notebook.cells]
    client = NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
    )
    client.execute(cwd=str(HERE))
    for cell, before in zip(notebook.cells, shown, strict=True):
        if before and _but_for_seconds(before) == _but_for_seconds(cell.outputs):
            cell.outputs = before
    notebook.metadata = nbformat.from_dict(about)  # not of the Python that happened to run it
    nbformat.write(notebook, path)


def _but_for_seconds(outputs: list[nbformat.NotebookNode]) -> str:
    return SECONDS.sub("", json.dumps(outputs, sort_keys=True))


if __name__ == "__main__":
    for each in sorted(HERE.glob("*.ipynb")):
        run(each)
