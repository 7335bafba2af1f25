"""What a wheel gets besides its files: the tables of the parser, made by the Python that builds,
and the page of the playground, if `python web/build.py` has made it.

An installed package whose Python and Lark are those of the build, as after `pip install`, reads
them; any other makes its own once for each user.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WITHOUT_PAGE = "GAMEDSL_WITHOUT_PAGE"
"""The variable of the environment that `web/build.py` sets."""
NOTEBOOKS = "lab"


class CustomBuildHook(BuildHookInterface[Any]):
    """Called by hatchling; an editable installation gets no tables, since its grammar changes."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the tables and name their place in the wheel."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from gamedsl.syntax.grammar import build_parser, shipped_tables, tables_of

        self.folder = tempfile.TemporaryDirectory()
        made = Path(self.folder.name) / shipped_tables().name
        made.write_bytes(tables_of(build_parser()))
        build_data["force_include"][str(made)] = f"gamedsl/_tables/{made.name}"
        for path in self._page():
            build_data["force_include"][str(path)] = f"gamedsl/_playground/{path.name}"

    def _page(self) -> list[Path]:
        """The built page without the notebooks beside it; nothing if it is not built, or if the
        wheel is a part of the page (`WITHOUT_PAGE` is set)."""
        dist = Path(self.root) / "web" / "dist"
        if WITHOUT_PAGE in os.environ or not (dist / "service_worker.js").is_file():
            return []
        return [path for path in sorted(dist.iterdir()) if path.name != NOTEBOOKS]

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the wheel has a copy of."""
        if version != "editable":
            self.folder.cleanup()
