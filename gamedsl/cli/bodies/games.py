"""`gamedsl games`: the shipped games in a table, or a description of a game."""

from __future__ import annotations

from gamedsl.cli.boundary import wrong_usage
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import text_of
from gamedsl.game import further_games, shipped_games


def run(name: str | None, prints_rules: bool = False, prints_path: bool = False) -> ExitCode:
    """List names (accepted wherever a FILE is), or describe one game, or print its file."""
    console = Console()
    if prints_rules or prints_path:
        console.out(_file(name, prints_rules))
        return ExitCode.DONE
    if name is not None:
        console.report(_described(name))
        return ExitCode.DONE
    from gamedsl.reports.catalogue import catalogue_text, entries_of
    from gamedsl.reports.paragraphs import fill

    texts = {path.name: path.read_text("utf-8") for path in shipped_games()}
    console.out(catalogue_text(entries_of(texts)))
    more = "  ".join(path.stem for path in further_games())
    console.out("\n" + fill(f"Games that OpenSpiel has too: {more}", later="  "))
    console.note("\nTry `gamedsl games NAME`, `gamedsl solve NAME` or `gamedsl play NAME`.")
    return ExitCode.DONE


def _file(name: str | None, prints_rules: bool) -> str:
    """The rules of a game as they are written, or the path of the file."""
    if name is None:
        raise wrong_usage("whose? `gamedsl games NAME --rules`")
    source = text_of(name)
    return source.text.rstrip("\n") if prints_rules else str(source.path)


def _described(name: str) -> str:
    """The comment at the top, parameters, facts and claims of a game."""
    from gamedsl.cli.inputs import load
    from gamedsl.cli.options import EngineName
    from gamedsl.cli.request import Request
    from gamedsl.reports.catalogue import opening_comment
    from gamedsl.reports.checks.facts import facts_text
    from gamedsl.reports.paragraphs import fill, labelled

    game = load(Request(file=name, parameters=(), at="", state=None, engine=EngineName.AUTO))
    comment = opening_comment(game.source.text)
    claims = [
        line.partition("#")[0].removeprefix("expect ").strip()
        for line in game.source.text.splitlines()
        if line.startswith("expect ")
    ]
    settings = [f"{name} = {value}" for name, value in game.parameters.items()]
    facts = [
        *([labelled("  params", "; ".join(settings), 11)] if settings else []),
        labelled("  players", ", ".join(game.facts.players), 11),
        facts_text(game.facts),
        *([labelled("  claims", "; ".join(claims), 11)] if claims else []),
    ]
    about = "\n\n".join(fill(" ".join(part.split())) for part in comment.split("\n\n"))
    parts = [game.name, about, "\n".join(facts)]
    return "\n\n".join(part for part in parts if part)
