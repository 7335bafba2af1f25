"""Words of rulebooks in the place of rules: `play again`, `highest score wins`, `cannot move`.

In: an error context. Out: the form of the language, and the words that find the pattern in the
cookbook.
"""

from __future__ import annotations

from gamedsl.source import Span
from gamedsl.syntax.hints.error_context import ErrorContext, HintRule, Mistake
from gamedsl.syntax.scan import Kind

_AGAIN = "the player keeps the turn by the line `again`"
_STUCK = "whether the player to move has no legal move is asked by `stuck`"
_MOST = "points are payoffs: `payoff p: score[p] - score[other(p)]`; `is greatest` chooses moves"
_AWAY = "what is taken off is overwritten: `man[s] = empty`"
_HIDDEN = "only p sees a cell declared in `state:` as `card[p in players]: ... secret to p`"
_UNTIL = (
    "a loop runs over a set, `for x in S while c:`; what players repeat are moves, with `again`"
)
_KO = "no position may come back: `repeat man: illegal`, at the left margin"

_WORDS = {
    "remove": _AWAY, "delete": _AWAY, "discard": _AWAY, "eliminate": _AWAY,
    "until": _UNTIL, "hidden": _HIDDEN, "hide": _HIDDEN, "private": _HIDDEN,
    "ko": _KO, "superko": _KO,
}  # fmt: skip
"""First words of a statement or section -> how it is written."""
_PHRASES = {
    ("play", "again"): _AGAIN, ("move", "again"): _AGAIN, ("go", "again"): _AGAIN,
    ("roll", "again"): _AGAIN, ("extra", "turn"): _AGAIN, ("another", "turn"): _AGAIN,
    ("extra", "move"): _AGAIN, ("another", "move"): _AGAIN,
    ("cannot", "move"): _STUCK, ("no", "moves"): _STUCK, ("no", "move"): _STUCK,
    ("no", "legal"): _STUCK,
    ("highest", "score"): _MOST, ("most", "points"): _MOST, ("higher", "score"): _MOST,
    ("greatest", "score"): _MOST, ("repeat", "until"): _UNTIL,
}  # fmt: skip
"""Words side by side, anywhere -> how it is written."""
_SIGNS = frozenset({"=", "+=", "-=", "[", "(", ":", ","})


def words_of_a_rulebook(context: ErrorContext) -> Mistake | None:
    """`remove s`, `play again`, `if cannot move:`, `highest score wins`, `hidden card`, `ko`."""
    lexemes = context.line.lexemes
    for first in (context.at - 1, context.at):
        pair = tuple(lexeme.text for lexeme in lexemes[max(first, 0) : first + 2])
        if pair in _PHRASES:
            span = Span(lexemes[first].start, lexemes[first + 1].end)
            return _written_otherwise(" ".join(pair), span, _PHRASES[pair])
    word = context.line.lexemes[context.begin]
    behind = lexemes[context.begin + 1 : context.begin + 2]
    if word.text not in _WORDS or word.kind is not Kind.NAME:
        return None
    if context.at > context.begin + 1 or any(one.text in _SIGNS for one in behind):
        return None
    return _written_otherwise(word.text, word.span, _WORDS[word.text])


def _written_otherwise(words: str, span: Span, instead: str) -> Mistake:
    hint = f"{instead}; see `gamedsl how {words}`"
    return Mistake("E0115", f"the language has no `{words}`", span, hint)


RULES: tuple[HintRule, ...] = (words_of_a_rulebook,)
