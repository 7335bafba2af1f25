"""The rules of a game in its file's own words, sorted by the function of the textbook they define.

In: a game, whose text is parsed once more. Out: `Rules`: formulas and excerpts. Conditions are
rewritten with the signs of mathematics (`and` as ∧, `==` as =); nothing is simplified.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gamedsl.game import LoadedGame
from gamedsl.source import SourceFile
from gamedsl.syntax import ast, parse

_SIGNS = (
    (r"\band\b", "∧"), (r"\bor\b", "∨"), (r"\bnot in\b", "∉"), (r"\bnot ", "¬"),
    (r"\bin\b", "∈"), (r"==", "="), (r"!=", "≠"), (r"<=", "≤"), (r">=", "≥"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rules:
    """Formulas and excerpts of the file; empty where it says nothing.

    Attributes:
        about: the comment that opens the file.
        state, setup, definitions, moves, end: these parts of the file, as written.
        turn_words: how the turn passes.
        end_words: when play ends, in a sentence.
        actions: ACTIONS(s), a formula for each family of moves.
        chances: the chance events.
        rewards: what is paid at once, a formula for each statement.
        evaluation: EVAL.
    """

    about: str
    state: str
    setup: str
    definitions: str
    moves: str
    end: str
    turn_words: str
    end_words: str
    actions: tuple[str, ...]
    chances: tuple[str, ...]
    rewards: tuple[str, ...]
    evaluation: tuple[str, ...]


def rules_of(game: LoadedGame) -> Rules:
    """The rules of the game, read from its source."""
    source = game.source
    program, _ = parse(source)
    found = program.declarations
    moves = [d for d in found if isinstance(d, ast.MoveDecl)]
    ends = (ast.EndDecl, ast.EndlessDecl, ast.RepeatDecl)
    is_tree = game.facts.is_tree
    actions = tuple(_action_formula(source, move) for move in moves)
    if any(isinstance(d, ast.Otherwise) for d in found):
        actions += ("of groups parted by `otherwise`: the first that has a legal move",)
    if is_tree:
        actions = ("ACTIONS(s) = the branches of the node s",)
    return Rules(
        about=_opening_comment(source),
        state=_excerpts(source, found, (ast.StateDecl,)),
        setup=_excerpts(source, found, (ast.SetupDecl,)),
        definitions=_excerpts(source, found, (ast.DefDecl,)),
        moves=_excerpts(source, found, (ast.MoveDecl, ast.EffectDecl)),
        end=_excerpts(source, found, ends),
        turn_words=_turn_words(game, moves),
        end_words="at the leaves of the tree" if is_tree else "whether the game is over",
        actions=actions,
        chances=tuple(dict.fromkeys(_chance_formulas(source, found))),
        rewards=tuple(_reward_formulas(source, found)),
        evaluation=tuple(
            formula
            for d in found
            if isinstance(d, ast.EvaluateDecl)
            for formula in _evaluation(source, d)
        ),
    )


def _evaluation(source: SourceFile, declared: ast.EvaluateDecl) -> list[str]:
    formulas = [f"EVAL(s, {declared.player.text}) = {_math(source, declared.value)}"]
    if declared.condition is not None:
        formulas.append(f"s is quiescent: {_math(source, declared.condition)}")
    return formulas


def _opening_comment(source: SourceFile) -> str:
    """The first paragraph of the comment at the top of the file."""
    words = []
    for line in source.text.splitlines():
        if not line.startswith("#") or line.strip() == "#":
            break
        words.append(line.removeprefix("#").strip())
    return " ".join(words)


def _excerpts(
    source: SourceFile, found: Iterable[ast.Node], kinds: tuple[type[ast.Node], ...]
) -> str:
    return "\n".join(_lines_of(source, node) for node in found if isinstance(node, kinds))


def _lines_of(source: SourceFile, node: ast.Node) -> str:
    """The line on which a declaration begins, and the indented lines that follow."""
    begin = source.text.rfind("\n", 0, node.span.start) + 1
    lines = source.text[begin:].splitlines()
    kept = [lines[0]]
    for line in lines[1:]:
        if line.strip() and not line.startswith((" ", "\t")):
            break
        kept.append(line)
    return "\n".join(kept).rstrip() + "\n"


def _action_formula(source: SourceFile, move: ast.MoveDecl) -> str:
    """`ACTIONS(s) ⊇ { take(k) : k ∈ 1..3, k ≤ left }`; the state is called `state` where a
    parameter is called `s`."""
    names = ", ".join(parameter.name.text for parameter in move.parameters)
    written = f"{move.name.text}({names})" if names else move.name.text
    ranges = [f"{p.name.text} ∈ {_math(source, p.domain)}" for p in move.parameters]
    conditions = [_math(source, p.condition) for p in move.parameters if p.condition is not None]
    for node in _inside(move.body):
        if isinstance(node, ast.Require):
            conditions.append(_math(source, node.condition))
        elif isinstance(node, ast.RequireGreatest):
            conditions.append(f"{_math(source, node.value)} is greatest")
        elif isinstance(node, ast.Ensure):
            conditions.append(f"afterwards {_math(source, node.condition)}")
    such = f" : {', '.join(ranges)}" if ranges else ""
    if conditions:
        such += (", " if ranges else " : ") + ", ".join(conditions)
    state = "state" if any(p.name.text == "s" for p in move.parameters) else "s"
    return f"ACTIONS({state}) ⊇ {{ {written}{such} }}"


def _chance_formulas(source: SourceFile, found: Iterable[ast.Node]) -> Iterator[str]:
    for declaration in found:
        body = getattr(declaration, "body", ())
        for node in _inside(body):
            if isinstance(node, ast.Chance):
                where = "" if node.condition is None else f", {_math(source, node.condition)}"
                target = _math(source, node.target)
                yield f"{target} is drawn from {_math(source, node.domain)}{where}"


def _reward_formulas(source: SourceFile, found: Iterable[ast.Node]) -> Iterator[str]:
    """`take: turn gets -n` for every reward, with the name of what it stands in."""
    for declaration in found:
        name = getattr(declaration, "name", None)
        where = name.text if isinstance(name, ast.Name) else "setup"
        for node in _inside(getattr(declaration, "body", ())):
            if isinstance(node, ast.Reward):
                shares = (f"{_math(source, p)} gets {_math(source, e)}" for p, e in node.shares)
                yield f"{where}: {', '.join(shares)}"


def _inside(body: Iterable[ast.Node]) -> Iterator[ast.Node]:
    """All statements of a block, those of inner blocks included."""
    for node in body:
        yield node
        match node:
            case ast.If():
                for _, block in node.branches:
                    yield from _inside(block)
                yield from _inside(node.otherwise or ())
            case ast.For():
                yield from _inside(node.body)


def _math(source: SourceFile, node: ast.Node) -> str:
    """An expression with the signs of mathematics."""
    text = " ".join(source.text[node.span.start : node.span.end].split())
    for pattern, sign in _SIGNS:
        text = re.sub(pattern, sign, text)
    return text


def _turn_words(game: LoadedGame, moves: Iterable[ast.MoveDecl]) -> str:
    facts = game.facts
    if facts.is_tree:
        return "whose node it is"
    if facts.is_simultaneous:
        return "who moves: where a move is simultaneous, all at once"
    if len(facts.players) == 1:
        return "who moves: there is one player"
    again = any(isinstance(node, ast.Again) for move in moves for node in _inside(move.body))
    order = " → ".join((*facts.players, facts.players[0]))
    return f"who moves: {order}" + (", unless a move says `again`" if again else "")
