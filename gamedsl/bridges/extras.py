"""Optional packages for bridges; without a package, an error names the extra to install."""

from __future__ import annotations

from importlib import import_module
from typing import Any

PACKAGES = {
    "anywidget": "anywidget",
    "cairosvg": "CairoSVG",
    "chess": "python-chess",
    "gymnasium": "Gymnasium",
    "nashpy": "NashPy",
    "networkx": "NetworkX",
    "numpy": "NumPy",
    "open_spiel": "OpenSpiel",
    "pandas": "pandas",
    "pettingzoo": "PettingZoo",
    "polars": "Polars",
    "pyarrow": "Arrow",
    "pyspiel": "OpenSpiel",
    "traitlets": "traitlets",
}
"""The name of the project behind each module."""


class MissingExtraError(ImportError):
    """An optional package is not installed; the message names the extra to install."""


def needed(extra: str, *modules: str) -> list[Any]:
    """The modules of an extra. Raises `MissingExtraError`."""
    packages = []
    for name in modules:
        try:
            packages.append(import_module(name))
        except (ImportError, OSError) as error:  # OSError: a library of the system is missing
            project = PACKAGES[name.partition(".")[0]]
            said = f"{project} is not installed: pip install 'gamedsl[{extra}]'"
            raise MissingExtraError(said, name=name) from error
    return packages
