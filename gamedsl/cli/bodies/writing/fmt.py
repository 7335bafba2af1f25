"""`gamedsl fmt` and `gamedsl import`: the rules of a file in the standard layout."""

from __future__ import annotations

import sys
from pathlib import Path

from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import STDIN, read, write_diagnostics
from gamedsl.cli.output import deliver, write_file
from gamedsl.cli.progress import ProgressLine
from gamedsl.reports.differences import differences
from gamedsl.source import Diagnostic, SourceFile
from gamedsl.source.files import LARGEST_FILE
from gamedsl.syntax.parse import foreign_kind, parse
from gamedsl.syntax.printers.program import format_program


def run(files: list[str], check: bool, diff: bool, quiet: bool) -> ExitCode:
    """Format every file; a file with syntax errors is left alone and reported."""
    codes = [_format(file, check, diff, Console(quiet)) for file in files]
    return max(codes, default=ExitCode.DONE)


def _format(file: str, check: bool, diff: bool, console: Console) -> ExitCode:
    source = read(file)
    if isinstance(source, Diagnostic):
        write_diagnostics([source], sys.stderr)
        return ExitCode.NO
    program, diagnostics = parse(source)
    if any(diagnostic.is_error for diagnostic in diagnostics):
        write_diagnostics(diagnostics, sys.stderr)
        return ExitCode.NO
    kind = foreign_kind(source)
    if kind is not None:
        console.note(
            f"{source.name} is {kind}, which is left as it is; "
            f"`gamedsl import {source.name}` writes it as rules"
        )
        return ExitCode.NO
    text = format_program(program)
    if check or diff:
        return _compare(source, text, diff, console)
    if file == STDIN:
        console.out(text)
    elif text != source.text:
        write_file(source.path or Path(file), text)
        console.note(f"formatted {source.name}")
    return ExitCode.DONE


def _compare(source: SourceFile, text: str, diff: bool, console: Console) -> ExitCode:
    if text == source.text:
        return ExitCode.DONE
    if diff:
        console.out(differences(source.text, text, source.name))
    else:
        console.note(f"would format {source.name}")
    return ExitCode.NO


def write_rules(file: str, output: Path | None) -> ExitCode:
    """Write a file of another language as rules of this language."""
    source = read(file)
    if isinstance(source, Diagnostic):
        write_diagnostics([source], sys.stderr)
        return ExitCode.USAGE
    kind = foreign_kind(source)
    if kind is None:
        is_own = source.name.endswith(".game")
        found = "has rules in this language already" if is_own else "is neither"
        Console().note(
            "error: `gamedsl import` reads files of Gambit's (.efg, .nfg) and files in GDL (.kif, "
            f".gdl); {source.name} {found}"
        )
        return ExitCode.USAGE
    with ProgressLine("importing", quiet=False):
        program, diagnostics = parse(source)
    write_diagnostics(diagnostics, sys.stderr)
    if any(diagnostic.is_error for diagnostic in diagnostics):
        return ExitCode.NO
    heading = f"# The rules of {Path(source.name).name}, {kind}.\n"
    rules = heading + format_program(program).rstrip("\n")
    deliver(rules, output)
    size = len(rules.encode())
    if size > LARGEST_FILE:
        Console().note(
            f"warning: the rules have {size:,} bytes, and files of rules of more than "
            f"{LARGEST_FILE:,} bytes are not read; all commands read {source.name} itself"
        )
    return ExitCode.DONE
