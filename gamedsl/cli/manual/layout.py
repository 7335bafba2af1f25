"""The help of a command: usage, sections of options, examples; rare options on request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

SHOWS_ALL = "--help-all"
TERM_INDENT = 2
"""Blanks in front of an option in the help."""
SECTIONS = {
    "Position": ("--define", "--at", "--state"),
    "Limits": (
        "--time", "--memory", "--positions", "--max-positions", "--max-nodes", "--max-visits",
        "--max-rounds", "--budget", "--longest", "--threads", "--jobs",
    ),
    "Output": (
        "--format", "--output", "--json", "--quiet", "--save", "--summary", "--help", "--help-all",
    ),
}  # fmt: skip
"""Options of a kind, in a section of their own behind the options of the command."""
RARE = {
    "": ("--max-rounds", "--engine", "--threads", "--max-visits"),
    "solve": (
        "--out-of-core", "--resume", "--checkpoint-every", "--rounds", "--seed", "--rationality",
        "--no-symmetry",
    ),
    "tree": ("--equilibrium", "--no-boards", "--states", "--frames", "--plays", "--seed",
             "--max-nodes"),
    "trace": ("--max-nodes", "--max-positions", "--plays", "--seed"),
    "check": ("--facts", "--claims", "--max-positions", "--jobs"),
    "best": ("--budget", "--max-positions"),
    "play": ("--max-positions",),
    "match": ("--longest", "--jobs"),
    "playouts": ("--longest",),
    "estimate": ("--seed",),
    "explain": ("--max-positions",),
    "compare": ("--seed", "--plays", "--positions"),
}  # fmt: skip
"""Options that few need, by command; of all commands without a name."""
_TYPES = {"int": "N", "int range": "N", "integer": "N", "float": "NUMBER", "float range": "NUMBER"}
_TYPE = re.compile(r"<(int range|float range|integer|int|float|str|text|path|list\[str\])>")
_DEFAULT = re.compile(r"\s*\[([^][]*)\]$")

Row = tuple[str, str]


def sections(command: str, params: Iterable[Any], context: Any, shows_all: bool) -> Iterator[
    tuple[str, list[Row]]
]:  # fmt: skip
    """The sections of the help with their rows: arguments, own options, position, limits,
    output."""
    rare = {*RARE[""], *RARE.get(command, ())}
    rows: dict[str, list[Row]] = {"Arguments": [], "Options": [], **{name: [] for name in SECTIONS}}
    is_cut = False
    for param in params:
        record = param.get_help_record(context)
        if record is None:
            continue
        names = {*param.opts, *param.secondary_opts}
        if names & rare and not shows_all:
            is_cut = True
            continue
        rows[_section(param, names)].append(plain(record))
    if is_cut:
        rows["Output"].append((SHOWS_ALL, "Show this help with all options."))
    return ((title, listed) for title, listed in rows.items() if listed)


def _section(param: Any, names: set[str]) -> str:
    if param.param_type_name == "argument":
        return "Arguments"
    return next((title for title, kinds in SECTIONS.items() if names & {*kinds}), "Options")


def plain(row: Row) -> Row:
    """A row without the types of the library: `--depth N`, `[default: 250]`."""
    term, text = row
    term = _TYPE.sub(lambda kind: _TYPES.get(kind[1], ""), term).rstrip()
    bracket = _DEFAULT.search(text)
    if bracket is None:
        return term, text
    parts = [part for part in bracket[1].split("; ") if not _is_bound(part)]
    kept = "; ".join(parts).strip()
    kept = re.sub(r"^default: \((.*)\)$", r"default: \1", kept)
    words = text[: bracket.start()]
    return term, f"{words}  [{kept}]" if kept else words


def _is_bound(part: str) -> bool:
    return part == "required" or re.fullmatch(r"[\d,]*<?=?x[<>]=?[\d,]*", part) is not None


def usage(pieces: Iterable[str]) -> list[str]:
    """The pieces of the usage line without braces: `FILE [OPTIONS]`."""
    return [re.sub(r"\{([^{}]*?)(?:\.\.\.)?\}", r"\1", piece) for piece in pieces]
