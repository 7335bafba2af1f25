"""Cache files, kept between runs, for results that take long to compute: parser tables, generated
code.

In: a name and bytes. Out: the same bytes in a later run, or None. A file begins with the hash of
its content, so a damaged file counts as missing. A file is written whole and then moved into place:
no process sees half a file. Any file may be deleted at any time. The content is executed, and a
hash does not prove the author: a folder writable by other users is not used.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

OWN = 0o700
"""The mode of a folder closed to other users."""
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
"""The mode bits of write access for other users."""
HASH_SIZE = hashlib.sha256().digest_size


def user_folder() -> Path:
    """The user's cache folder for gamedsl. For a user without a home, the relative path `~/...`,
    which belongs to no user."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("gamedsl"))


@cache
def hash_of_code(folder: str) -> str:
    """A hash of the code in a folder of the package, for keys of the cache."""
    hasher = hashlib.sha256()
    for path in sorted((Path(__file__).resolve().parents[1] / folder).rglob("*.py")):
        hasher.update(path.read_bytes())
    return hasher.hexdigest()


def keep(path: Path, content: bytes) -> None:
    """Write bytes to the cache, if the folder is writable and `is_own`."""
    try:
        if own_folder(path.parent):
            write_whole(path, hashlib.sha256(content).digest() + content)
    except OSError:
        return


def kept(path: Path) -> bytes | None:
    """The bytes in a cache file; None if the file is missing or damaged, or other users could have
    written the file."""
    try:
        if not is_own(path.parent):
            return None
        stored = path.read_bytes()
    except OSError:
        return None
    content = stored[HASH_SIZE:]
    return content if hashlib.sha256(content).digest() == stored[:HASH_SIZE] else None


def kept_json(path: Path) -> Any:
    """The JSON data in a cache file; None as for `kept`, and without JSON data."""
    try:
        return json.loads(kept(path) or b"null")
    except ValueError:
        return None


def own_folder(folder: Path) -> bool:
    """Make a folder, unless it exists, and return whether the folder `is_own`. Raises OSError if
    the folder cannot be made."""
    if not folder.is_absolute():
        return False
    for directory in (folder.parent, folder):
        directory.mkdir(mode=OWN, parents=True, exist_ok=True)
    return is_own(folder)


def why_not_kept(folder: Path) -> str | None:
    """Why a folder is not used as a cache; None if the folder is used."""
    if not folder.is_absolute():
        return "this user has no home folder"
    try:
        return None if own_folder(folder) else "others could put files there"
    except OSError as error:
        return f"it cannot be made: {error.strerror}"


def is_own(folder: Path) -> bool:
    """Whether only the current user (and root) can put files into a folder, or replace the folder.

    False for a relative path. True on Windows, where different rights protect a user's folders, and
    in a browser, which has a single user. Raises OSError if the folder does not exist.
    """
    if not folder.is_absolute():
        return False
    if os.name == "nt" or sys.platform == "emscripten":
        return True
    place = folder.resolve()
    status = place.stat()
    if status.st_uid != os.getuid() or status.st_mode & OTHERS_WRITE:
        return False
    return all(_is_safe(parent.stat()) for parent in place.parents)


def _is_safe(status: os.stat_result) -> bool:
    """Whether the current user's entries of a folder are safe from renaming and deletion by other
    users."""
    is_closed = not status.st_mode & OTHERS_WRITE or bool(status.st_mode & stat.S_ISVTX)
    return is_closed and status.st_uid in {os.getuid(), 0}


def write_whole(path: Path, content: bytes, rights: int = 0o600) -> None:
    """Write a file atomically: a concurrent reader sees all of the old content or all of the new.
    Raises OSError, and then the file is unchanged."""
    with whole_file(path, rights) as file:
        file.write(content)


@contextmanager
def whole_file(
    path: Path, rights: int = 0o600, temporary: Path | None = None
) -> Iterator[BinaryIO]:
    """A file to write to, which replaces `path` atomically when the block ends without an
    exception.

    Args:
        path: the final place.
        rights: the mode of the finished file.
        temporary: the name until then, for callers without concurrent writers; at most one
            temporary file is left behind, however often the process is killed. By default a unique
            name.
    """
    if temporary is None:
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        temporary = Path(name)
    else:
        temporary.unlink(missing_ok=True)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        temporary.chmod(rights)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def rights_of(path: Path) -> int:
    """The mode of an existing file, or the mode for a new file. Raises PermissionError if the file
    is not writable."""
    if path.exists():
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return stat.S_IMODE(path.stat().st_mode)
    withheld = os.umask(0)
    os.umask(withheld)
    return 0o666 & ~withheld
