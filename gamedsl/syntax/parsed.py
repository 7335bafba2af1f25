"""Programs of files, cached between runs: a file that was read before needs no parser.

A file of the cache belongs to a path, and is replaced when the text at the path has changed. Texts
with diagnostics are not cached, nor texts without a file.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from gamedsl.source import Diagnostic, SourceFile
from gamedsl.source.keeping import keep, kept, user_folder
from gamedsl.syntax.ast import Program
from gamedsl.syntax.grammar_file import grammar_file


def parsed(source: SourceFile) -> tuple[Program, tuple[Diagnostic, ...]]:
    """As `parse.parse`, from the cache if the file was read before."""
    if source.path is None:
        return _parsed(source)
    path = user_folder() / "programs" / _hash(str(source.path.absolute()))
    identity = _hash(_hash_of_syntax(), source.name, source.text).encode()
    content = kept(path)
    if content is not None and content.startswith(identity):
        return Program(source, pickle.loads(content[len(identity) :])), ()
    program, diagnostics = _parsed(source)
    if not diagnostics:
        with suppress(RecursionError):  # declarations nested too deep for pickle
            keep(path, identity + pickle.dumps(program.declarations))
    return program, diagnostics


def _parsed(source: SourceFile) -> tuple[Program, tuple[Diagnostic, ...]]:
    from gamedsl.syntax.parse import parse

    return parse(source)


@cache
def _hash_of_syntax() -> str:
    """A hash of everything but a text that its program depends on."""
    package = Path(__file__).resolve().parent
    code = [path.read_text("utf-8") for path in sorted(package.rglob("*.py"))]
    return _hash(sys.version, grammar_file().read_text("utf-8"), *code)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
