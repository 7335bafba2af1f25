"""Old spellings of options: understood for one version, with a note on standard error."""

from __future__ import annotations

from collections.abc import Iterator

ENDS_IN = "0.3"
"""The version without the old spellings."""
OLD = {
    ("show", "--stage"): "--format",
    ("check", "--output-format"): "--format",
    ("trace", "--depth"): "--cutoff",
}
"""The new spelling of an option, by command and old spelling."""
OLD_OF_ALL = {"--seconds": "--time", "--max-seconds": "--time"}


def modern(command: str, arguments: list[str]) -> tuple[list[str], list[str]]:
    """The arguments in the new spelling, and a note for each old spelling."""
    notes: list[str] = []
    return list(_renamed(command, arguments, notes)), notes


def _renamed(command: str, arguments: list[str], notes: list[str]) -> Iterator[str]:
    is_option = True
    for argument in arguments:
        is_option = is_option and argument != "--"
        name, sign, value = argument.partition("=")
        new = OLD.get((command, name), OLD_OF_ALL.get(name)) if is_option else None
        if new is not None:
            notes.append(f"note: {name} is now {new}; {name} ends with version {ENDS_IN}")
        yield (new or name) + sign + value
