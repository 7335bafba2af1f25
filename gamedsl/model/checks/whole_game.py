"""Check a game as a whole: missing sections, excluded combinations, unused declarations.

Findings are reported as diagnostics.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.model import nodes
from gamedsl.model.statement_facts import draws_in
from gamedsl.model.symbols.symbol_table import SymbolTable, words_used
from gamedsl.source import Label, Severity
from gamedsl.syntax import ast


def check_sections(symbols: SymbolTable, moves: tuple[nodes.Move, ...]) -> None:
    """Report missing sections, sections that stand beside a `tree:`, and needless `secret`s."""
    if symbols.program.broken:
        return
    if next(symbols.all(ast.TreeDecl), None) is not None:
        excluded = (
            ast.StateDecl, ast.SetupDecl, ast.MoveDecl, ast.EndDecl, ast.RepeatDecl,
            ast.DiscountDecl,
        )  # fmt: skip
        extra = next((declaration for kind in excluded for declaration in symbols.all(kind)), None)
        if extra is not None:
            symbols.reporter.report(
                "E2006",
                extra.span,
                "a game given by `tree:` has no state, moves, `end:` or `discount` besides",
                hint="say it in the tree, or leave the tree out",
            )
    elif next(symbols.all(ast.MoveDecl), None) is None:
        symbols.reporter.report(
            "E2002",
            symbols.place_of_missing,
            "the game has no moves",
            hint="write `move name(s in square):` and under it what it does",
        )
    for move in moves:
        if move.is_simultaneous and move.is_secret:
            symbols.reporter.report(
                "E1302",
                move.span,
                "a simultaneous choice is hidden already: leave out `secret`",
            )


def check_forbidden_repeats(
    symbols: SymbolTable,
    repeats: tuple[nodes.Repeat, ...],
    moves: tuple[nodes.Move, ...],
    players: int,
) -> None:
    """Report `repeat x: illegal` where the mover alone does not decide the compared part of the
    state after a move, or does not see the part."""
    undecided = next(
        (move for move in moves if move.is_simultaneous or draws_in(move.body)),
        None,
    )
    for rule in repeats:
        if rule.outcome is not None:
            continue
        if undecided is not None:
            symbols.reporter.report(
                "E2007",
                rule.span,
                "a repetition cannot be illegal where the mover alone does not decide"
                f" what `{undecided.name}` leads to",
                secondary=(Label(undecided.span, "chance or other players decide here"),),
                hint="give the repetition an outcome instead, as in `repeat ... : draw`",
            )
        hidden = next(
            (
                variable
                for variable in rule.variables
                if any(len(viewers) < players for viewers in variable.viewers or ())
            ),
            None,
        )
        if hidden is not None:
            symbols.reporter.report(
                "E0141",
                rule.span,
                f"a repetition cannot be illegal where players do not see `{hidden.name}`:"
                " the legal moves would tell",
                secondary=(Label(hidden.span, "is secret here"),),
                hint="compare public variables, or give the repetition an outcome",
            )


def warn_about_unused(symbols: SymbolTable) -> None:
    """Warn about names that the file declares and never uses; included files may declare unused
    names."""
    if symbols.reporter.has_errors:
        return
    uses = words_used(symbols.program)
    named: tuple[tuple[str, Mapping[str, ast.DefDecl | ast.EffectDecl | ast.ParamDecl]], ...] = (
        ("def", symbols.defs),
        ("effect", symbols.effects),
        ("param", symbols.params),
    )
    for word, declarations in named:
        for name, declared in declarations.items():
            is_own = symbols.program.source.is_own(declared.name.span)
            if is_own and uses[name] < 2 and name.isidentifier():
                symbols.reporter.report(
                    "W1001",
                    declared.name.span,
                    f"`{word} {name}` is never used",
                    severity=Severity.WARNING,
                )
