"""`gamedsl new`: a small commented game of a kind to start from, or a variant of a file."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from textwrap import fill

from gamedsl.cli.boundary import CommandError, wrong_usage
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import rendered, text_of
from gamedsl.cli.options import GameKind
from gamedsl.game import read_program, shipped_game
from gamedsl.game.library import templates
from gamedsl.source.rewording import reworded
from gamedsl.source.screen import on_one_line
from gamedsl.syntax import ast
from gamedsl.syntax.including.declared import NAMED, name_of, parameters_of, replaceable

VARIANT = """\
# How does this game differ from {base}?
# Say it here, in a few lines that a newcomer understands.

include "{file}"
game "{title}"

# What is declared here replaces what {file} declares under the same name:
#
{names}
#
# Leave something out: `without move NAME`. In a body that replaces another, `included` stands for
# the statements of that other one. All of it together:
#     gamedsl show --format expanded {path}
{end}
# Claims are not included; `gamedsl solve` and `gamedsl perft` tell the answers.
# expect perft 2: 400
"""

END = """
end:
    included
"""


def run(title: str, base: str | None, kind: GameKind | None) -> ExitCode:
    """Write the template to a new file named after the title."""
    if base is not None and kind is not None:
        raise wrong_usage("`--from` starts a variant, `--kind` a game of its own; use only one")
    path = Path(_file_name(title))
    plain = on_one_line(title.removesuffix(".game").replace('"', "'"))
    text = (
        _titled(kind or GameKind.COUNTERS, plain) if base is None else _variant(plain, path, base)
    )
    taken = f"there is already a file {path}; nothing was written"
    with (
        reworded(wrong_usage, f"cannot write {path}: {{}}", OSError),
        reworded(wrong_usage, taken, FileExistsError),
        path.open("x", encoding="utf-8", newline="\n") as file,
    ):
        file.write(text)
    console = Console()
    console.out(str(path))
    console.note(f"Now try: gamedsl check {path} && gamedsl play {path}")
    return ExitCode.DONE


def _titled(kind: GameKind, title: str) -> str:
    """The template of a kind, with a title of its own."""
    text = templates()[kind].read_text("utf-8")
    return re.sub(r'^game ".*"$', lambda _: f'game "{title}"', text, count=1, flags=re.MULTILINE)


def _variant(title: str, path: Path, base: str) -> str:
    """A file with an `include` of an existing file and a list of the replaceable declarations."""
    source = text_of(base)
    program, diagnostics = read_program(source)
    if errors := [diagnostic for diagnostic in diagnostics if diagnostic.is_error]:
        raise CommandError(ExitCode.NO, rendered(errors, sys.stderr))
    titles = [
        declaration.title
        for declaration in program.declarations
        if isinstance(declaration, ast.GameTitle)
    ]
    has_end = any(isinstance(declaration, ast.EndDecl) for declaration in program.declarations)
    return VARIANT.format(
        base=(titles or [base])[0],
        file=_as_included(base, source.path),
        title=title,
        names="\n".join(_names(program)),
        path=path,
        end=END if has_end else "",
    )


def _as_included(base: str, path: Path | None) -> str:
    """The file's path in an `include` from the current folder."""
    if path is None:
        raise wrong_usage("a variant needs a file to include")
    if path == shipped_game(base):
        return path.name
    return Path(os.path.relpath(path)).as_posix()


def _names(program: ast.Program) -> list[str]:
    """The declared names, a comment line for each kind."""
    names_by_kind: dict[str, list[str]] = {}
    for declaration in replaceable(program):
        if type(declaration) in NAMED:
            parameters = ", ".join(parameters_of(declaration))
            written = (
                f"{name_of(declaration).text}({parameters})"
                if parameters
                else name_of(declaration).text
            )
            names_by_kind.setdefault(NAMED[type(declaration)], []).append(written)
    return [
        fill(
            ", ".join(names),
            width=98,
            initial_indent=f"#     {kind:<6} ",
            subsequent_indent=f"#     {'':<6} ",
            break_long_words=False,
        )
        for kind, names in names_by_kind.items()
    ]


def _file_name(title: str) -> str:
    """`My game` becomes `my_game.game`."""
    words = re.findall(r"[^\W_]+", title.removesuffix(".game").lower())
    return "_".join(words or ["my", "game"]) + ".game"
