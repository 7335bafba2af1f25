"""The cache of generated modules and machine code between runs: its folder, names and size.

How files are stored, and when files are trusted, is described in `gamedsl.source.keeping`.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from gamedsl.source.keeping import hash_of_code, user_folder, why_not_kept
from gamedsl.source.records import dataclass

GAME = "game_"
"""Prefix of the names of files with machine code; the hash of the game's module follows."""
HASH = 24
"""Letters of a hash in the name of a file."""


def cache_folder() -> Path:
    """The folder of generated modules and their machine code."""
    return user_folder() / "native"


@dataclass(frozen=True, slots=True)
class CacheContents:
    """The contents of the cache: folder, number of games with machine code, total bytes.

    Attributes:
        why_not: why the folder cannot be used; None if it can.
    """

    folder: Path
    games: int
    size: int
    why_not: str | None


def cache_contents(folder: Path | None = None) -> CacheContents:
    """The contents of the cache on this machine."""
    where = folder or cache_folder()
    files = [path for path in where.rglob("*") if path.is_file()] if where.is_dir() else []
    games = {path.name[: len(GAME) + HASH] for path in files if path.name.startswith(GAME)}
    size = sum(path.stat().st_size for path in files)
    return CacheContents(where, len(games), size, why_not_kept(where))


def clear_cache(folder: Path | None = None) -> CacheContents:
    """Delete the contents of the cache, and the programs read from files (`syntax.parsed`); return
    the former contents."""
    contents = cache_contents(folder)
    if contents.folder.is_dir():
        shutil.rmtree(contents.folder)
    if folder is None:
        shutil.rmtree(user_folder() / "programs", ignore_errors=True)
    return contents


def hash_of(*parts: str) -> str:
    """A file name for data that depends on the given texts alone."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:HASH]


def hash_of_compiler() -> str:
    """A hash of the code that generates modules and machine code."""
    return hash_of(*map(hash_of_code, ("syntax", "model", "compiler")))
