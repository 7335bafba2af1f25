"""Mistakes about dealing: `deal 5`, `shuffle deck`, `draw 5 cards`, `chance 5 cards of deck`."""

from __future__ import annotations

from gamedsl.syntax.hints.error_context import ErrorContext, HintRule, Mistake
from gamedsl.syntax.scan import Kind, Lexeme

_WORDS = frozenset({"deal", "draw", "shuffle"})
_SIGNS = frozenset({"=", "+=", "-=", "[", "(", ":"})
_LARGEST_HAND = 99


def hand_in_words(context: ErrorContext) -> Mistake | None:
    """`deal 5`, `deal 5 cards to each player`, `shuffle deck`, `draw 5 cards`; `draw card` is left
    to the hint about `roll`."""
    lexemes = context.line.lexemes[context.begin :]
    word = lexemes[0]
    behind = lexemes[1].text if len(lexemes) > 1 else ""
    if word.text not in _WORDS or not context.line.indent or behind in _SIGNS | {""}:
        return None
    if context.is_below("end"):
        return None
    if word.text == "shuffle":
        message = "a pack is not put in order: chance draws a card, or a hand, when it is needed"
        return Mistake("E0135", message, word.span, _hint(lexemes))
    if not any(lexeme.kind is Kind.NUMBER for lexeme in lexemes):
        return None
    message = "a hand is drawn by chance, as a subset of the cards that are left"
    return Mistake("E0135", message, word.span, _hint(lexemes))


def draw_as_an_effect(context: ErrorContext) -> Mistake | None:
    """`draw(p)`; a declaration `effect draw(p):` is refused by itself."""
    is_call = context.text == "(" and context.text_at(-1) == "draw"
    heads = [[lexeme.text for lexeme in line.lexemes[:2]] for line in context.lines]
    if not is_call or context.begin != context.at - 1 or ["effect", "draw"] in heads:
        return None
    message = "`draw` is an outcome of the game, and no name of an effect"
    span = context.line.lexemes[context.begin].span
    return Mistake("E0135", message, span, "choose another name: `take`, `draw_card`")


def hand_without_a_name(context: ErrorContext) -> Mistake | None:
    """`chance 5 cards of deck`, `chance 5 of 1..52`, `chance cards = 5 of deck`"""
    lexemes = context.line.lexemes
    size = next((n for n, lexeme in enumerate(lexemes) if lexeme.kind is Kind.NUMBER), 0)
    before = [lexeme.text for lexeme in lexemes[1:size]]
    of = [lexeme.text for lexeme in lexemes[size + 1 : size + 3]]
    is_hand = "of" in of or "from" in of
    if context.starter != "chance" or not size or not is_hand or before[1:] not in ([], ["="]):
        return None
    message = "a hand has a name, and its size stands behind `where`"
    return Mistake("E0135", message, lexemes[1].span, _hint(lexemes, before[0] if before else ""))


def _hint(lexemes: tuple[Lexeme, ...], name: str = "") -> str:
    """The statement that draws a hand of the size written."""
    name = name or "hand"
    numbers = [lexeme.text for lexeme in lexemes if lexeme.kind is Kind.NUMBER]
    size = numbers[0] if numbers and int(numbers[0]) <= _LARGEST_HAND else "5"
    return f"`chance {name} subset of deck where count({name}) == {size}`"


RULES: tuple[HintRule, ...] = (hand_in_words, draw_as_an_effect, hand_without_a_name)
