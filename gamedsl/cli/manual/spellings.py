"""Other spellings of options: old ones are understood for one version, with a note on standard
error; JSON may be asked for by `--json` and by `--format json`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

ENDS_IN = "0.3"
"""The version without the old spellings."""
OLD = {
    ("show", "--stage"): "--format",
    ("check", "--output-format"): "--format",
    ("trace", "--depth"): "--cutoff",
}
"""The new spelling of an option, by command and old spelling."""
OLD_OF_ALL = {"--seconds": "--time", "--max-seconds": "--time"}
MEANT = {("play", "--level"): "--opponent level:N", ("match", "--level"): "--first level:N"}
"""The spelling of a wish for which a command has no option, by command and option."""


MOST_NAMED = 3
"""Options or commands that a message names, at most."""


class _Offered(Protocol):
    """An option or argument of a command."""

    opts: list[str]
    metavar: str | None


def about(unknown: str, offered: Iterable[_Offered]) -> list[str]:
    """The options of a command whose help has the word of an unknown option: `--count` has
    "Number of plays", so `--plays` may mean `--count`. Empty for words that many have."""
    told = re.compile(rf"\b{re.escape(unknown.lstrip('-'))}\b", re.IGNORECASE)
    named = []
    for param in offered:
        names = [name for name in param.opts if name.startswith("--")]
        if names and told.search(f"{param.metavar or ''} {getattr(param, 'help', None) or ''}"):
            named.append(names[0])
    return named if len(named) <= MOST_NAMED else []


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


def with_json_as_offered(arguments: list[str], options: Collection[str]) -> list[str]:
    """The arguments in which a wish for JSON has the spelling that the command offers."""
    if ("--json" in options) == ("--format" in options):
        return arguments
    flag, choice = ["--json"], ["--format", "json"]
    asked, offered = (choice, flag) if "--json" in options else (flag, choice)
    end = arguments.index("--") if "--" in arguments else len(arguments)
    words = [
        word
        for argument in arguments[:end]
        for word in (choice if argument == "--format=json" else [argument])
    ]
    for place in range(len(words)):
        if words[place : place + len(asked)] == asked:
            words[place : place + len(asked)] = offered
            break
    return [*words, *arguments[end:]]
