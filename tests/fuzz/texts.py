"""Texts that are rarely valid games: random derivations of the grammar, soups of words, mutants.

In: decisions. Out: texts. What a reader of games makes of them is tried by `trial`.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from lark.grammar import NonTerminal, Rule, Symbol
from lark.lexer import PatternStr

from gamedsl.game import shipped_games
from gamedsl.syntax.grammar import build_parser
from gamedsl.syntax.words import SECTIONS, STATEMENTS
from tests.generation.dice import Dice

STEP = "    "
NAMES = ("n", "A", "B", "cell", "square", "players", "turn", "s", "empty", "none", "f", "Kind")
WORDS = (
    *SECTIONS, *STATEMENTS, *NAMES, "in", "where", "while", "for", "wide", "high", "secret", "to",
    "wins", "loses", "illegal", "times", "turns", "with", "diagram", "graph", "and", "or", "not",
    "any", "all", "count", "sum", "min", "max", "first", "last", "row", "column", "ray", "sight",
    "line", "group", "full", "next", "other", "opponent", "stuck", "me", "bool", "true", "a1",
    "0", "1", "2", "99999999999", "0.5", '"Game"', '"', "3", "N", "NE", "directions", "chains",
)  # fmt: skip
SIGNS = (
    "=", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "//", "%", "..", "|", "(", ")",
    "[", "]", "{", "}", ",", ":", "->", "+=", "-=", "#", ".", "\\", "$", "é", "\t", "\ue000",
)  # fmt: skip
TOKEN = re.compile(r"[^\W\d]\w*|\d+(?:\.\d+)?|\.\.|->|//|[=!<>+-]=|\n[ \t]*|[^\w\s]|[ \t]+")
LETTERS = 'aZ_09 \n\t"#:()[]{}=.,-+*/%|<>!\\\x00\u2028\ue000é\u0301😀'


@cache
def shipped_texts() -> tuple[str, ...]:
    """The texts of all shipped games."""
    return tuple(path.read_text(encoding="utf-8") for path in shipped_games())


# --- soups -------------------------------------------------------------------------------------


def token_soup(dice: Dice) -> str:
    """Lines of words and signs of the language in any order, indented anyhow."""
    lines: list[str] = []
    for _ in range(dice.number(1, 15)):
        indent = dice.choose(("", STEP, STEP * 2, "  ", "\t", " " * 5))
        words = [
            dice.choose(WORDS) if dice.happens(60) else dice.choose(SIGNS)
            for _ in range(dice.number(1, 10))
        ]
        start = [dice.choose((*SECTIONS, *STATEMENTS))] if dice.happens(60) else []
        end = ":" if dice.happens(40) else ""
        lines.append(indent + dice.choose((" ", "")).join([*start, *words]) + end)
    return "\n".join(lines)


def letter_soup(dice: Dice) -> str:
    """Characters in any order."""
    return "".join(dice.choose(LETTERS) for _ in range(dice.number(0, 80)))


# --- derivations of the grammar ----------------------------------------------------------------


@cache
def _rules() -> dict[str, tuple[Rule, ...]]:
    found: dict[str, list[Rule]] = {}
    for rule in build_parser().rules:
        found.setdefault(rule.origin.name, []).append(rule)
    return {name: tuple(rules) for name, rules in found.items()}


@cache
def _depths() -> dict[str, int]:
    """How deep the flattest derivation of each rule is."""
    depths: dict[str, int] = {}
    is_growing = True
    while is_growing:
        is_growing = False
        for name, rules in _rules().items():
            possible = [_depth_of(rule, depths) for rule in rules]
            least = min((depth for depth in possible if depth is not None), default=None)
            if least is not None and least < depths.get(name, least + 1):
                depths[name] = least
                is_growing = True
    return depths


def _depth_of(rule: Rule, depths: dict[str, int]) -> int | None:
    below = [depths.get(s.name) for s in rule.expansion if isinstance(s, NonTerminal)]
    known = [depth for depth in below if depth is not None]
    return 1 + max(known, default=0) if len(known) == len(below) else None


@cache
def _signs() -> dict[str, str]:
    terminals = build_parser().terminals
    return {t.name: t.pattern.value for t in terminals if isinstance(t.pattern, PatternStr)}


def derivation(dice: Dice) -> str:
    """A text that the grammar allows, whatever its words mean."""
    start = dice.choose(("program", "suite", "lone_expression"))
    words = _derived(dice, NonTerminal(start), [dice.number(10, 250)])
    prefix = {"suite": ["end", ":"], "lone_expression": ["param", "n", "="]}.get(start, [])
    return _laid_out([*prefix, *words])


def _derived(dice: Dice, symbol: Symbol, left: list[int]) -> list[str]:
    """The words of a symbol; when none of the rules are left to spend, the flattest ones."""
    if not isinstance(symbol, NonTerminal):
        return [_terminal(dice, symbol.name)]
    left[0] -= 1
    rules = _rules()[symbol.name]
    if left[0] > 0:
        rule = dice.choose(rules)
    else:
        rule = min(rules, key=lambda rule: _depth_of(rule, _depths()) or 0)
    return [word for part in rule.expansion for word in _derived(dice, part, left)]


def _terminal(dice: Dice, name: str) -> str:
    match name:
        case "_NL":
            return "\n"
        case "_INDENT" | "_DEDENT":
            return name
        case "NAME" | "WORD" | "CELL":
            return dice.choose(NAMES)
        case "NUMBER":
            return str(dice.number(0, 4))
        case "DECIMAL":
            return "0.5"
        case "TITLE":
            return '"Game"'
        case "GAP":
            return "# gap"
        case _:
            return _signs()[name]


def _laid_out(words: list[str]) -> str:
    """The words with blanks between them, and blocks indented."""
    text, depth = "", 0
    for word, following in pairwise([*words, "\n"]):
        depth += (following == "_INDENT") - (following == "_DEDENT")
        if word == "\n":
            text += "\n" + STEP * depth
        elif word not in {"_INDENT", "_DEDENT"}:
            text += word + " "
    return text


# --- mutants -----------------------------------------------------------------------------------


def mutant(dice: Dice, text: str) -> str:
    """The text with one to four small mistakes in it."""
    for _ in range(dice.choose((1, 1, 2, 4))):
        text = dice.choose(MUTATIONS)(dice, text)
    return text


def _changed(dice: Dice, parts: list[str]) -> list[str]:
    """Some part deleted, doubled, swapped with the next, or put elsewhere."""
    if not parts:
        return parts
    place = dice.number(0, len(parts) - 1)
    match dice.number(0, 3):
        case 0:
            return parts[:place] + parts[place + 1 :]
        case 1:
            return parts[:place] + parts[place : place + 1] * 2 + parts[place + 1 :]
        case 2:
            return parts[:place] + parts[place : place + 2][::-1] + parts[place + 2 :]
        case _:
            other = dice.number(0, len(parts) - 1)
            return parts[:other] + parts[place : place + 1] + parts[other:]


def _change_token(dice: Dice, text: str) -> str:
    return "".join(_changed(dice, TOKEN.findall(text)))


def _change_line(dice: Dice, text: str) -> str:
    return "".join(_changed(dice, text.splitlines(keepends=True)))


def _change_letter(dice: Dice, text: str) -> str:
    return "".join(_changed(dice, list(text)))


def _put_letter(dice: Dice, text: str) -> str:
    place = dice.number(0, len(text))
    return text[:place] + dice.choose(LETTERS) + text[place:]


def _replace_token(dice: Dice, text: str) -> str:
    """A word replaced by another of the text, or by any of the language."""
    tokens = TOKEN.findall(text)
    if not tokens:
        return text
    others = tokens if dice.happens(60) else (*WORDS, *SIGNS)
    tokens[dice.number(0, len(tokens) - 1)] = dice.choose(others)
    return "".join(tokens)


def _change_number(dice: Dice, text: str) -> str:
    numbers = list(re.finditer(r"\d+", text))
    if not numbers:
        return text
    found = dice.choose(numbers)
    value = int(found.group())
    other = dice.choose((0, value + 1, value - 1, -value, 1, 10, 1_000, 10**6, 10**30))
    return text[: found.start()] + str(other) + text[found.end() :]


def _break_indentation(dice: Dice, text: str) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    place = dice.number(0, len(lines) - 1)
    bare = lines[place].lstrip(" \t")
    lines[place] = dice.choose(("", " ", "  ", STEP, "\t", "     ", STEP * 2)) + bare
    return "".join(lines)


def _splice(dice: Dice, text: str) -> str:
    """A line of another game."""
    lines = text.splitlines(keepends=True)
    foreign = dice.choose(shipped_texts()).splitlines(keepends=True)
    lines.insert(dice.number(0, len(lines)), dice.choose(foreign))
    return "".join(lines)


def _cut_off(dice: Dice, text: str) -> str:
    return text[: dice.number(0, len(text))]


MUTATIONS = (
    _change_token,
    _replace_token,
    _change_number,
    _change_line,
    _break_indentation,
    _change_letter,
    _put_letter,
    _splice,
    _cut_off,
)
