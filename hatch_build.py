"""What a wheel gets besides its files: the tables of the parser, made by the Python that builds.

An installed package whose Python and Lark are those of the build, as after `pip install`, reads
them; any other makes its own once for each user.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


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

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the wheel has a copy of."""
        if version != "editable":
            self.folder.cleanup()
