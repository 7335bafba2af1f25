"""Where generated modules and machine code are kept between runs, and how much there is.

In: nothing but the user's folder, or another one. Out: what is kept, or names for what is to be.
How files are kept, and when they are trusted, is said in `gamedsl.source.keeping`.
"""

from __future__ import annotations

import hashlib
import shutil
from functools import cache
from pathlib import Path

from gamedsl.source.keeping import user_folder, why_not_kept
from gamedsl.source.records import dataclass

GAME = "game_"
"""How the names of files begin that hold machine code; the hash of the game's module follows."""
HASH = 24
"""Letters of a hash in the name of a file."""


def cache_folder() -> Path:
    """Where generated modules and their machine code are kept."""
    return user_folder() / "native"


@dataclass(frozen=True, slots=True)
class CacheContents:
    """What is kept: where, the machine code of how many games, how many bytes in all.

    Attributes:
        why_not: why nothing is kept there; None if something may be.
    """

    folder: Path
    games: int
    size: int
    why_not: str | None


def cache_contents(folder: Path | None = None) -> CacheContents:
    """What is kept on this machine."""
    where = folder or cache_folder()
    files = [path for path in where.rglob("*") if path.is_file()] if where.is_dir() else []
    games = {path.name[: len(GAME) + HASH] for path in files if path.name.startswith(GAME)}
    size = sum(path.stat().st_size for path in files)
    return CacheContents(where, len(games), size, why_not_kept(where))


def clear_cache(folder: Path | None = None) -> CacheContents:
    """Delete all that is kept; what it was."""
    found = cache_contents(folder)
    if found.folder.is_dir():
        shutil.rmtree(found.folder)
    return found


def hash_of(*parts: str) -> str:
    """A name for what depends on these texts and nothing else."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:HASH]


@cache
def hash_of_compiler() -> str:
    """A hash of the code that makes modules and machine code."""
    package = Path(__file__).resolve().parents[1]
    found = hashlib.sha256()
    for part in ("syntax", "model", "compiler"):
        for path in sorted((package / part).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()
