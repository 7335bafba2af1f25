"""Reading of files as text: a path or bytes in, a `SourceFile` or a diagnostic out.

Decoding, byte-order marks and line ends are settled here, so that no higher floor has to deal with
them.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from gamedsl.source.diagnostics import Diagnostic
from gamedsl.source.nearest import nearest
from gamedsl.source.screen import on_one_line
from gamedsl.source.text import SourceFile, source_from_text

LARGEST_FILE = 1_000_000
"""Bytes. A file of rules is small; a larger file is a mistake, and is refused at once."""
LARGEST_DATA = 10_000_000
"""Bytes of a file that holds a position or a play."""


def read_source(path: Path, name: str | None = None) -> SourceFile | Diagnostic:
    """Read a file; every failure is a diagnostic, never an exception.

    `name` is the name for messages, by default the path.
    """
    name = on_one_line(str(path) if name is None else name)
    try:
        with path.open("rb") as file:
            return read_stream(file, name, path.absolute())
    except FileNotFoundError:
        near = _nearest_file(path)
        hint = f"did you mean `{near}`?" if near else None
        return Diagnostic("E0001", f"there is no file `{name}`", file=name, hint=hint)
    except IsADirectoryError:
        return _directory(name)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return Diagnostic("E0001", f"cannot read `{name}`: {reason}", file=name)


def read_stream(file: BinaryIO, name: str, path: Path | None = None) -> SourceFile | Diagnostic:
    """The rest of an open file, decoded by `decode`; reads at most the size of a file of rules,
    plus one byte. Raises OSError."""
    data = file.read(LARGEST_FILE + 1)  # a device tells no size, and may have no end
    if len(data) > LARGEST_FILE:
        return Diagnostic(
            "E0003",
            f"`{name}` is larger than {LARGEST_FILE:,} bytes",
            file=name,
            hint="is it a file of rules?",
        )
    return decode(data, name, path)


def read_data(path: Path) -> str:
    """The text of a file that holds a position or a play. Raises OSError, or ValueError if the file
    is larger than `LARGEST_DATA` or is not text."""
    with path.open("rb") as file:
        data = file.read(LARGEST_DATA + 1)
    if len(data) > LARGEST_DATA:
        raise ValueError(f"this is larger than {LARGEST_DATA:,} bytes")
    return data.decode()


def decode(data: bytes, name: str, path: Path | None = None) -> SourceFile | Diagnostic:
    """Bytes of a file as a source; UTF-8, with or without a byte-order mark."""
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return Diagnostic("E0002", f"`{name}` is UTF-16 text", file=name, hint="save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Diagnostic(
            "E0002",
            f"`{name}` is not UTF-8 text (line {line}, byte {error.start + 1})",
            file=name,
            hint="save it as UTF-8",
        )
    if "\0" in text:
        return Diagnostic("E0002", f"`{name}` is a binary file, not text", file=name)
    return source_from_text(text, name, path)


def _directory(name: str) -> Diagnostic:
    message = f"`{name}` is a directory, not a file"
    return Diagnostic("E0001", message, file=name, hint=f"name its files: `{name}/*.game`")


def _nearest_file(path: Path) -> str | None:
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return None
    near = nearest(path.name, names)
    return on_one_line(str(path.with_name(near))) if near else None
