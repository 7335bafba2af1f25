"""The folder where generated modules and machine code are kept between runs.

In: a name and bytes. Out: the same bytes in a later run, or nothing. A file begins with the hash
of what follows, so that a damaged one is as good as none; it is written whole and moved into place,
so that nobody ever sees half of it. Any file may be deleted at any time. What is kept is carried
out, and a hash does not tell who wrote it: a folder that others may write to is not used.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

GAME = "game_"
"""How the names of files begin that hold machine code; the hash of the game's module follows."""
HASH = 24
"""Letters of a hash in the name of a file."""
OWN = 0o700
"""The rights of a folder that nobody else may look into."""
OTHERS_WRITE = 0o022
"""The rights of others to write."""


def cache_folder() -> Path:
    """Where generated modules and their machine code are kept."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("gamedsl")) / "native"


@dataclass(frozen=True, slots=True)
class CacheContents:
    """What is kept: where, the machine code of how many games, how many bytes in all."""

    folder: Path
    games: int
    size: int


def cache_contents(folder: Path | None = None) -> CacheContents:
    """What is kept on this machine."""
    where = folder or cache_folder()
    files = [path for path in where.rglob("*") if path.is_file()] if where.is_dir() else []
    games = {path.name[: len(GAME) + HASH] for path in files if path.name.startswith(GAME)}
    return CacheContents(where, len(games), sum(path.stat().st_size for path in files))


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


def keep(path: Path, content: bytes) -> None:
    """Keep bytes, unless nothing can be written there: nobody has to be able to."""
    try:
        path.parent.mkdir(mode=OWN, parents=True, exist_ok=True)
        if not is_own(path.parent):
            return
        _write_whole(path, hashlib.sha256(content).digest() + content)
    except OSError:
        return


def kept(path: Path) -> bytes | None:
    """The bytes kept in a file; None if there is none, it is damaged, or others may have put it
    there."""
    try:
        if not is_own(path.parent):
            return None
        found = path.read_bytes()
    except OSError:
        return None
    size = hashlib.sha256().digest_size
    content = found[size:]
    return content if hashlib.sha256(content).digest() == found[:size] else None


def is_own(folder: Path) -> bool:
    """Whether a folder belongs to who asks, and nobody else may write to it. Windows has other
    rights, by which a user's folders are his own. Raises OSError where there is none."""
    if os.name == "nt":
        return True
    found = folder.stat()
    return found.st_uid == os.getuid() and not found.st_mode & OTHERS_WRITE


def _write_whole(path: Path, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)
