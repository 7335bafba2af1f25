"""Run the notebooks, and keep them as they were run.

    python docs/notebooks/run.py

In: the cells of `*.ipynb`. Out: the same files with what the cells show now; nothing else in them
changes.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent


def run(path: Path) -> None:
    """Run one notebook in place."""
    notebook = nbformat.read(path, 4)
    about = dict(notebook.metadata)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", record_timing=False)
    client.execute(cwd=str(HERE))
    notebook.metadata = nbformat.from_dict(about)  # not of the Python that happened to run it
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for each in sorted(HERE.glob("*.ipynb")):
        run(each)
