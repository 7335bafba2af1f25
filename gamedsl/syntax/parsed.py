"""Programs of files, cached between runs: a file that was read before needs no parser.

A file of the cache belongs to a path, and is replaced when the text at the path has changed. Texts
with diagnostics are not cached, nor texts without a file, nor Gambit files, whose readers make room
for deep trees.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from contextlib import suppress
from functools import cache

from gamedsl.source import Diagnostic, SourceFile
from gamedsl.source.keeping import hash_of_code, keep, kept, user_folder
from gamedsl.syntax.ast import Program
from gamedsl.syntax.grammar_file import grammar_file
from gamedsl.version import __version__

UNREADABLE = (
    pickle.UnpicklingError,
    AttributeError,
    EOFError,
    ImportError,
    IndexError,
    TypeError,
    ValueError,
)
"""Errors of reading what another version of the code has written."""


def parsed(source: SourceFile) -> tuple[Program, tuple[Diagnostic, ...]]:
    """As `parse.parse`, from the cache if the file was read before."""
    if source.path is None:
        return _parsed(source)
    path = user_folder() / "programs" / _hash(str(source.path.absolute()))
    identity = _hash(_hash_of_syntax(), source.text).encode()
    content = kept(path)
    if content is not None and content.startswith(identity):
        with suppress(*UNREADABLE):
            declarations = pickle.loads(content[len(identity) :])
            if isinstance(declarations, tuple):
                return Program(source, declarations), ()
    program, diagnostics = _parsed(source)
    if not (diagnostics or _is_gambit(source)):
        with suppress(RecursionError):  # declarations nested too deep for pickle
            keep(path, identity + pickle.dumps(program.declarations))
    return program, diagnostics


def _parsed(source: SourceFile) -> tuple[Program, tuple[Diagnostic, ...]]:
    from gamedsl.syntax.parse import parse

    return parse(source)


@cache
def _hash_of_syntax() -> str:
    """A hash of the code, grammar and versions that the programs of texts depend on."""
    code = map(hash_of_code, ("source", "syntax"))
    return _hash(__version__, sys.version, grammar_file().read_text("utf-8"), *code)


def _is_gambit(source: SourceFile) -> bool:
    from gamedsl.syntax.parse import is_gambit

    return is_gambit(source)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
