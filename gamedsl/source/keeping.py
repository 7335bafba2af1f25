"""Files kept between runs, for what takes long to make: parser tables, generated code.

In: a name and bytes. Out: the same bytes in a later run, or nothing. A file begins with the hash of
what follows, so that a damaged one is as good as none; it is written whole and moved into place,
so that nobody ever sees half of it. Any file may be deleted at any time. What is kept is carried
out, and a hash does not tell who wrote it: a folder that others could put a file into is not used.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

OWN = 0o700
"""The rights of a folder that nobody else may look into."""
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
"""The rights of others to write."""
HASH_SIZE = hashlib.sha256().digest_size


def user_folder() -> Path:
    """The folder of this user for what gamedsl keeps: `~/...`, which is nobody's own, for a user
    without a home."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("gamedsl"))


def keep(path: Path, content: bytes) -> None:
    """Keep bytes, unless nothing can be written there: nobody has to be able to."""
    try:
        if own_folder(path.parent):
            write_whole(path, hashlib.sha256(content).digest() + content)
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
    content = found[HASH_SIZE:]
    return content if hashlib.sha256(content).digest() == found[:HASH_SIZE] else None


def own_folder(folder: Path) -> bool:
    """Make a folder, as far as it is missing; whether it `is_own`. Raises OSError if it cannot be
    made."""
    if not folder.is_absolute():
        return False
    for one in (folder.parent, folder):
        one.mkdir(mode=OWN, parents=True, exist_ok=True)
    return is_own(folder)


def why_not_kept(folder: Path) -> str | None:
    """Why nothing is kept in a folder; None if it is."""
    if not folder.is_absolute():
        return "this user has no home folder"
    try:
        return None if own_folder(folder) else "others could put files there"
    except OSError as error:
        return f"it cannot be made: {error.strerror}"


def is_own(folder: Path) -> bool:
    """Whether nobody but who asks (and root) can put files into a folder, or another folder in its
    place. A folder is given from the root. Windows has other rights, by which a user's folders are
    his own; in a browser there is nobody else. Raises OSError where there is none."""
    if not folder.is_absolute():
        return False
    if os.name == "nt" or sys.platform == "emscripten":
        return True
    place = folder.resolve()
    found = place.stat()
    if found.st_uid != os.getuid() or found.st_mode & OTHERS_WRITE:
        return False
    return all(_is_safe(parent.stat()) for parent in place.parents)


def _is_safe(found: os.stat_result) -> bool:
    """Whether others can neither rename nor delete what somebody else has put into a folder."""
    is_closed = not found.st_mode & OTHERS_WRITE or bool(found.st_mode & stat.S_ISVTX)
    return is_closed and found.st_uid in {os.getuid(), 0}


def write_whole(path: Path, content: bytes, rights: int = 0o600) -> None:
    """Write a file so that whoever reads it meanwhile sees all of the old one or all of the new
    one. Raises OSError, and then nothing has changed."""
    with whole_file(path, rights) as file:
        file.write(content)


@contextmanager
def whole_file(
    path: Path, rights: int = 0o600, temporary: Path | None = None
) -> Iterator[BinaryIO]:
    """A file to write to, which takes its place as `write_whole` has it when all is written.
    `temporary`: its name until then, if nobody else writes there; so no more than one is left
    behind, however often the process is killed."""
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
    """The rights of a file that is there, or of a new one. Raises PermissionError where it may not
    be written to."""
    if path.exists():
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return stat.S_IMODE(path.stat().st_mode)
    withheld = os.umask(0)
    os.umask(withheld)
    return 0o666 & ~withheld
