"""`gamedsl rule` and `gamedsl how`: the pages of diagnostic codes, and patterns of the cookbook."""

from __future__ import annotations

import re
import sys
from io import StringIO
from typing import ClassVar

from gamedsl.cli.boundary import wrong_usage
from gamedsl.cli.console import Console, uses_colour
from gamedsl.cli.exits import ExitCode
from gamedsl.python.cookbook import Pattern, patterns, patterns_about
from gamedsl.reports.paragraphs import fill, line_width
from gamedsl.services.message_pages import pages
from gamedsl.source import nearest

LOOKS = {"markdown.code": "bold", "markdown.h1": "bold underline", "markdown.h2": "bold"}
"""Font weights in place of Rich's colours, designed for black terminals."""

MOST_PATTERNS = 3
"""Patterns written in full at most; of more the titles are listed."""


def run(code: str | None) -> ExitCode:
    """Print the page of a code, or the list of all codes with their titles."""
    known = pages()
    if code is None:
        lines = [page.read_text("utf-8").partition("\n")[0] for page in known.values()]
        Console().out("\n".join(line.removeprefix("# ") for line in lines))
        return ExitCode.DONE
    page = known.get(code.upper())
    if page is None:
        near = nearest(code.upper(), known)
        same = " or ".join(full_code for full_code in known if full_code[1:] == code)
        meant = same or near
        hint = f"did you mean {meant}?" if meant else "`gamedsl rule` lists all codes"
        raise wrong_usage(f"there is no diagnostic {code}; {hint}")
    text = page.read_text("utf-8")
    if code.upper().startswith("W"):
        text += (
            f"\n`# meant: {code.upper()}` at the end of a line silences the remark about the line."
        )
    Console().out(rendered(text, has_colours=uses_colour(sys.stdout)))
    return ExitCode.DONE


def rendered(markdown: str, *, has_colours: bool) -> str:
    """A page as text: no Markdown marks, no line wider than the terminal except code."""
    from rich.console import Console as Screen
    from rich.console import ConsoleOptions, RenderResult
    from rich.markdown import CodeBlock, Heading, Markdown
    from rich.padding import Padding
    from rich.text import Text
    from rich.theme import Theme

    class LeftHeading(Heading):
        def __rich_console__(self, console: Screen, options: ConsoleOptions) -> RenderResult:
            self.text.justify = "left"
            yield self.text

    class PlainCode(CodeBlock):
        def __rich_console__(self, console: Screen, options: ConsoleOptions) -> RenderResult:
            yield Padding(Text(str(self.text).rstrip()), (0, 0, 0, 4))

    class Page(Markdown):
        elements: ClassVar = {
            **Markdown.elements,
            "heading_open": LeftHeading,
            "fence": PlainCode,
            "code_block": PlainCode,
        }

    if not has_colours:
        markdown = re.sub(r"(?<!`)(`[^`\n]+`)(?!`)", r"`` \1 ``", markdown)
    screen = Screen(
        file=StringIO(),
        width=line_width(),
        force_terminal=has_colours,
        color_system="standard" if has_colours else None,
        highlight=False,
        theme=Theme(LOOKS),
    )
    with screen.capture() as captured:
        screen.print(Page(markdown))
    return "\n".join(line.rstrip() for line in captured.get().strip("\n").splitlines())


def patterns_of(question: str) -> ExitCode:
    """Print the patterns about a question, or the titles of all patterns."""
    console = Console()
    if not question:
        console.out(_titles(patterns()))
        console.note("\nTry `gamedsl how draw a card`.")
        return ExitCode.DONE
    about = patterns_about(question)
    if not about:
        raise wrong_usage(
            f"the cookbook has no pattern about `{question}`\n"
            "  = help: `gamedsl how` lists all patterns",
        )
    console.out("\n\n".join(map(_written, about[:MOST_PATTERNS])))
    if more := about[MOST_PATTERNS:]:
        console.out("\nSee also:\n" + _titles(tuple(more)))
    return ExitCode.DONE


def _titles(listed: tuple[Pattern, ...]) -> str:
    return "\n".join(f"  {pattern.title}" for pattern in listed)


def _written(pattern: Pattern) -> str:
    """A pattern with its rules indented."""
    rules = "\n".join(f"    {line}".rstrip() for line in pattern.rules.rstrip().split("\n"))
    return f"{pattern.title}\n{fill(pattern.text, first='  ', later='  ')}\n\n{rules}"
