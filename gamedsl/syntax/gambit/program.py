"""Conversion of a Gambit file to a program with a `tree:`, so that all tools for games apply.

In: a source. Out: the declarations of the game, or a diagnostic. Names become names of the
language: letters, digits and `_`; equal names are numbered.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from string import digits

from gamedsl.source import Diagnostic, SourceFile, Span
from gamedsl.syntax import ast
from gamedsl.syntax.gambit.efg import read_efg
from gamedsl.syntax.gambit.nfg import read_nfg
from gamedsl.syntax.gambit.scan import GambitError, Kind, Reader, told
from gamedsl.syntax.gambit.tree import GambitGame, GambitNode


def read_gambit(
    source: SourceFile,
) -> tuple[tuple[ast.Declaration, ...], tuple[Diagnostic, ...]]:
    """The declarations of a Gambit file, and diagnostics."""
    try:
        reader = Reader(source)
        return _declarations(_game(reader)), ()
    except GambitError as error:
        return (), (error.diagnostic,)


def _game(reader: Reader) -> GambitGame:
    head = reader.take()
    if head.text not in {"EFG", "NFG"}:
        message = f"a file of Gambit's begins with `EFG 2 R` or `NFG 1 R`; this is {told(head)}"
        reader.refuse(message, head, "a file of rules has the ending .game")
    version = reader.whole("the version of the format", 1)
    wanted = 2 if head.text == "EFG" else 1
    if version.number != wanted:
        reader.refuse(f"version {wanted} of {head.text} files is read, not {version.text}", version)
    sort = reader.expect(Kind.WORD, "`R` (or `D`)")
    if sort.text not in {"R", "D"}:
        reader.refuse(f"`R` (or `D`) is expected here; this is {told(sort)}", sort)
    return read_efg(reader) if head.text == "EFG" else read_nfg(reader)


def _declarations(game: GambitGame) -> tuple[ast.Declaration, ...]:
    start = Span(0, 0)
    players = _names(game.players, "Player")
    names = tuple(ast.Name(game.players_span, name) for name in players)
    sets = _set_names(game)
    root = _choice(game.root, players, sets)
    return (
        ast.GameTitle(start, game.title.replace('"', "'") or "untitled"),
        ast.PlayersDecl(game.players_span, names),
        ast.TreeDecl(game.root.span, root),
    )


def _choice(
    node: GambitNode, players: tuple[str, ...], sets: dict[tuple[int, int], str]
) -> ast.TreeChoice:
    """The `TreeChoice` of a node; a root that is an ending becomes a chance event with a single
    branch."""
    if node.player is None:
        branch = ast.TreeBranch(
            node.span, ast.Number(node.span, 1), _name(node, "end"), _leaf(node)
        )
        return ast.TreeChoice(node.span, None, None, (branch,))
    labels = _names(node.actions, "action")
    branches = []
    for place, (label, child) in enumerate(zip(labels, node.children, strict=True)):
        weight = _number(node.span, node.weights[place]) if node.player < 0 else None
        below = _leaf(child) if child.player is None else _choice(child, players, sets)
        span = Span(child.span.start, max(child.end, child.span.end))
        branches.append(ast.TreeBranch(span, weight, _name(node, label), below))
    if node.player < 0:
        return ast.TreeChoice(node.span, None, None, tuple(branches))
    owner = _name(node, players[node.player])
    group = _name(node, sets[node.player, node.information_set])
    return ast.TreeChoice(node.span, owner, group, tuple(branches))


def _name(node: GambitNode, text: str) -> ast.Name:
    return ast.Name(node.span, text)


def _leaf(node: GambitNode) -> ast.TreeLeaf:
    numbers = tuple(_number(node.span, payoff) for payoff in node.payoffs)
    if len(numbers) == 1:
        return ast.TreeLeaf(node.span, numbers[0])
    return ast.TreeLeaf(node.span, ast.TupleLiteral(node.span, numbers))


def _number(span: Span, number: Fraction) -> ast.Expression:
    expression: ast.Expression = ast.Number(span, abs(number.numerator))
    if number < 0:
        expression = ast.Unary(span, "-", expression)
    if number.denominator != 1:
        expression = ast.Binary(span, "/", expression, ast.Number(span, number.denominator))
    return expression


def _set_names(game: GambitGame) -> dict[tuple[int, int], str]:
    """A name for each information set of a player, in the order of first occurrence."""
    met: dict[tuple[int, int], None] = {}
    pending = [game.root]
    while pending:
        node = pending.pop()
        if node.player is not None and node.player >= 0:
            met[node.player, node.information_set] = None
        pending += reversed(node.children)
    players = _names(game.players, "Player")
    plain = [
        game.set_names.get(key) or f"{players[key[0]]}_{key[1]}" for key in met
    ]  # fmt: skip
    return dict(zip(met, _names(plain, "set"), strict=True))


def _names(texts: Iterable[str], kind: str) -> tuple[str, ...]:
    """Texts as names of the language, all different; an empty text is named by its number."""
    names: dict[str, int] = {}  # name -> least number for a repetition of the name
    for place, text in enumerate(texts, start=1):
        plain = re.sub(r"\W+", "_", unicodedata.normalize("NFC", text)).strip("_")
        if not plain:
            plain = f"{kind}_{place}"
        elif plain[0] in digits and (kind != "action" or plain.strip(digits)):
            plain = f"{kind}_{plain}"
        if kind == "Player":
            plain = plain[0].upper() + plain[1:]  # words of the language begin with small letters
        name, number = plain, names.get(plain, 2)
        while name in names:
            name, number = f"{plain}_{number}", number + 1
        names[plain] = number
        names.setdefault(name, 2)
    return tuple(names)
