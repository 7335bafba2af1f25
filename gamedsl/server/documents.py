"""The texts open in the editor, with their analyses.

In: texts by URI. Out: the `Analysis` of a text, kept until the text or an included text changes. An
open text takes precedence over the file on disk.
"""

from __future__ import annotations

from pathlib import Path

from pygls.uris import from_fs_path, to_fs_path

from gamedsl.game.including import find_included
from gamedsl.services.analysis import Analysis, analyse
from gamedsl.services.findings import Finding
from gamedsl.services.fixes import Fix, fixes
from gamedsl.source import Diagnostic, SourceFile, read_source
from gamedsl.source.text import source_from_text

MOST_NEAR = 500
"""Files of a folder that are read."""


class Documents:
    """The texts open in the editor."""

    def __init__(self) -> None:
        self._sources: dict[str, SourceFile] = {}
        self._analyses: dict[str, Analysis] = {}
        self._fixes: dict[tuple[str, Finding], tuple[Fix, ...]] = {}

    def put(self, uri: str, text: str) -> None:
        """Store an opened or changed text."""
        path = to_fs_path(uri)
        name = Path(path).name if path else uri.rpartition("/")[2] or uri
        self._sources[uri] = source_from_text(text, name, Path(path) if path else None)
        self.forget(uri)

    def close(self, uri: str) -> None:
        """Forget a closed text."""
        self._sources.pop(uri, None)
        self.forget(uri)

    def forget(self, uri: str = "") -> None:
        """Discard the analysis of a text, all analyses of texts with included files or with
        diagnostics of reading (a failed include, say), and all fixes; without a URI, discard all
        analyses."""
        self._fixes.clear()
        for known_uri, known in list(self._analyses.items()):
            if not uri or known_uri == uri or known.whole.source.files or known.of_text:
                del self._analyses[known_uri]

    def source(self, uri: str) -> SourceFile | None:
        """The open text with a URI, or None if the text is not open."""
        return self._sources.get(uri)

    def analysis(self, uri: str) -> Analysis | None:
        """The analysis of an open text, or None if the text is not open."""
        source = self._sources.get(uri)
        if source is None:
            return None
        known = self._analyses.get(uri)
        if known is None:
            known = self._analyses[uri] = analyse(source, self.load)
        return known

    def opened(self) -> dict[Path, SourceFile]:
        """The open texts by file."""
        return {source.path: source for source in self._sources.values() if source.path is not None}

    def variants(self, uri: str) -> list[str]:
        """The other open texts with an `include`, which may include the given text."""
        return [
            open_uri
            for open_uri in self._sources
            if open_uri != uri and "include" in self._sources[open_uri].text
        ]

    def related(self, uri: str) -> list[Analysis]:
        """The analyses of further texts with possible occurrences of the given text's names: the
        included texts, and texts with an `include` that are open or lie in a folder of the text or
        of an included text."""
        analysis = self.analysis(uri)
        if analysis is None:
            return []
        files = (analysis.source, *analysis.whole.source.files)
        near = {file.path for file in files if file.path is not None}
        folders = {path.parent for path in near}
        sources = self.opened()
        for folder in sorted(folders):
            for path in sorted(folder.glob("*.game"))[:MOST_NEAR]:
                candidate = sources.get(path) or read_source(path)
                if isinstance(candidate, SourceFile):
                    sources[path] = candidate
        return [
            self.analysis(opened) or analyse(source, self.load)
            for path, source in sources.items()
            if path != analysis.source.path and (path in near or "include" in source.text)
            for opened in [from_fs_path(str(path)) or ""]
        ]

    def fixes(self, uri: str, finding: Finding) -> tuple[Fix, ...]:
        """The fixes for a finding."""
        analysis = self.analysis(uri)
        if analysis is None:
            return ()
        key = (uri, finding)
        if key not in self._fixes:
            self._fixes[key] = fixes(analysis, finding, self.load)
        return self._fixes[key]

    def load(self, name: str, source: SourceFile) -> SourceFile | Diagnostic:
        """The included file: the open text if the file is open in the editor, else the file on
        disk."""
        included = find_included(name, source)
        if isinstance(included, SourceFile) and included.path is not None:
            uri = from_fs_path(str(included.path))
            return self._sources.get(uri, included) if uri is not None else included
        return included
