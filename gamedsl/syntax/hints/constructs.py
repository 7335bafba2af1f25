"""Mistakes about forms: constructs of the language in the notation of another language."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from gamedsl.source import Span
from gamedsl.syntax.hints.error_context import ErrorContext, HintRule, Mistake
from gamedsl.syntax.scan import Kind
from gamedsl.syntax.vocabulary import is_operator, is_value

_QUANTIFIERS = frozenset({"any", "all", "count", "sum", "min", "max", "first", "last"})
_OF_LOGIC = {
    "exists": "any", "exist": "any", "some": "any", "forall": "all", "foreach": "all",
    "every": "all", "each": "all",
}  # fmt: skip
_CONDITIONAL = frozenset({"require", "ensure", "if", "elif"})

_A_DIE = "for a die write `chance die in 1..6`"
_A_CARD = "for a card write `chance card in Card`; `gamedsl how draw a card` shows a pack"
_CHANCE_WORDS = {
    "roll": _A_DIE, "throw": _A_DIE, "toss": _A_DIE, "flip": _A_DIE, "random": _A_DIE,
    "draw": _A_CARD, "deal": _A_CARD, "shuffle": _A_CARD,
}  # fmt: skip
"""Words of rulebooks for chance -> a hint."""
_WITH_CHANCE = frozenset({"move", "effect", "setup"})


def comment_of_another_language(context: ErrorContext) -> Mistake | None:
    """`x = 1  // so it begins`, `/* so it begins */`"""
    lexemes = context.line.lexemes
    if context.starter == "/" and context.line.lexemes[1:2] and lexemes[1].text == "*":
        return Mistake("E0114", "a comment begins with `#`, not with `/*`", lexemes[0].span)
    if context.text == "//" and not is_operator(context.accepts):
        return Mistake("E0114", "a comment begins with `#`, not with `//`", context.span)
    if context.kind_at(0) is not Kind.NAME or context.kind_at(-1) is not Kind.NAME:
        return None
    slashes = next((lexeme for lexeme in lexemes[: context.at] if lexeme.text == "//"), None)
    if slashes is None or context.open_brackets():
        return None
    return Mistake("E0114", "a comment begins with `#`; `//` is a division", slashes.span)


def chance_in_other_words(context: ErrorContext) -> Mistake | None:
    """`roll die in 1..6`, `die = roll 6`, `draw card`, in a block."""
    word = context.text_at(-1)
    if word not in _CHANCE_WORDS or context.at == 0 or context.open_brackets():
        return None
    above = reversed(context.lines[: context.row])
    section = next((line.first.text for line in above if not line.indent), "")
    if section not in _WITH_CHANCE or context.kind_at(0) not in {Kind.NAME, Kind.NUMBER}:
        return None
    message = f"`{word}` is no word for chance; what is left to chance begins with `chance`"
    return Mistake("E0165", message, context.line.lexemes[context.at - 1].span, _CHANCE_WORDS[word])


def annotated_definition(context: ErrorContext) -> Mistake | None:
    """`def f(a: Card)`, `def f(s in square):`, `def f(x) -> int`"""
    if context.starter != "def" or "=" in context.texts_before() or context.at < 2:
        return None
    head = f"def {context.line.lexemes[1].text}({', '.join(_parameters(context))})"
    if context.text == "->":
        message = "a `def` does not say what kind of value it has"
        return Mistake("E0115", message, context.span, f"write `{head} = ...`")
    if context.text != ":":
        return None
    if context.open_brackets():
        message = "the parameters of a `def` have no types"
        return Mistake("E0115", message, context.span, f"write `{head} = ...`")
    if any(lexeme.text == "in" for lexeme in context.line.lexemes[: context.at]):
        message = "a `def` is one formula, behind `=`"
        hint = "what a player can do is a `move`; a formula is `def f(x) = ...`"
        return Mistake("E0115", message, context.span, hint)
    return None


def _parameters(context: ErrorContext) -> list[str]:
    lexemes = context.line.lexemes
    closing = next((i for i, lexeme in enumerate(lexemes) if lexeme.text == ")"), len(lexemes))
    return [
        lexeme.text
        for before, lexeme in pairwise(lexemes[:closing])
        if before.text in {"(", ","} and lexeme.kind is Kind.NAME
    ]


def conditions_in_a_list(context: ErrorContext) -> Mistake | None:
    """`require a, b`, `type T = a, b`"""
    if context.text != "," or context.open_brackets():
        return None
    if context.starter in _CONDITIONAL and context.last_colon() < 0:
        message = "conditions are joined by `and` or `or`, not by `,`"
        return Mistake("E0114", message, context.span)
    if context.starter == "type":
        message = "the values of a type are joined by `|`, not by `,`"
        return Mistake("E0114", message, context.span, "as in `type Card = J | Q | K`")
    return None


def condition_on_a_move(context: ErrorContext) -> Mistake | None:
    """`move f(s in square) if c:`"""
    if context.starter not in {"move", "simultaneous"} or "COLON" not in context.accepts:
        return None
    if context.text not in {"if", "when", "where", "require", "requires"}:
        return None
    message = "when a move is legal is said in its block"
    return Mistake("E0115", message, context.span, "write `require ...` on the line below")


def simultaneous_beside_move(context: ErrorContext) -> Mistake | None:
    """`simultaneous move show(h in Hand):`, or `simultaneous` on a line of its own"""
    if context.starter != "simultaneous":
        return None
    words = context.line.lexemes
    if context.at == 1 and context.is_at_end:
        word, instead = words[0], "simultaneous NAME(...):"
    elif context.at == 2 and words[1].text == "move":
        word, instead = words[1], f"simultaneous {context.text}"
    else:
        return None
    message = "`simultaneous` stands in the place of `move`"
    return Mistake("E0115", message, word.span, f"write `{instead}`")


def loop_of_another_language(context: ErrorContext) -> Mistake | None:
    """`for each p in players:`, `for (i = 0; ...)`"""
    if context.starter != "for":
        return None
    if context.at == 2 and context.text_at(-1) in {"each", "all", "every"}:
        word, name = context.text_at(-1), context.text
        message = f"`for {word} {name} in` is written `for {name} in` here"
        return Mistake("E0115", message, context.line.lexemes[1].span)
    if context.at == 1 and context.text == "(":
        message = "a loop has no brackets and runs over a set: `for i in 1..3:`"
        return Mistake("E0115", message, context.span)
    return None


def chance_as_a_value(context: ErrorContext) -> Mistake | None:
    """`die = chance 1..6`"""
    if context.text_at(-1) != "chance" or context.text_at(-2) != "=" or context.at < 3:
        return None
    span = context.line.lexemes[context.at - 1].span
    name = context.text_at(-3)
    message = "`chance` is no value: it begins a statement of its own"
    return Mistake("E0115", message, span, f"write `chance {name} in ...`")


def reward_in_another_form(context: ErrorContext) -> Mistake | None:
    """`reward 1`, `reward -1`, `reward P = 1`, `reward += 1`"""
    if context.starter != "reward" or ":" in context.texts_before():
        return None
    message = "rewards say whose they are, with `:`"
    hint = "`reward turn: 1`, `reward A: 1, B: -1`, or for every player: `reward p: ...`"
    return Mistake("E0104", message, context.span, hint)


def payoff_in_another_form(context: ErrorContext) -> Mistake | None:
    """`payoff [1, -1]`, `payoff 1, -1`, `payoff A = 1`, `payoff for p in players: 1`"""
    is_name = context.kind_at(0) is Kind.NAME and context.text != "for"
    is_list = context.text_at(-1) == "payoff" and not is_name
    is_set = context.text_at(-2) == "payoff" and context.text == "="
    if not (is_list or is_set) or context.is_at_end:
        return None
    message = "payoffs say whose they are, with `:`"
    hint = "`payoff A: 1, B: -1`, or one formula for every player: `payoff p: ...`"
    return Mistake("E0104", message, context.span, hint)


def secret_in_front(context: ErrorContext) -> Mistake | None:
    """`secret card: Card`"""
    if context.starter != "secret" or context.at != 1 or context.kind_at(0) is not Kind.NAME:
        return None
    message = "`secret` stands at the end of the line"
    hint = f"as in `{context.text}[p in players]: ... = ... secret to p`"
    return Mistake("E0100", message, context.line.first.span, hint)


def secret_before_the_value(context: ErrorContext) -> Mistake | None:
    """`card: 0..3 secret to p = 0`"""
    texts = context.texts_before()
    if context.text != "=" or ":" not in texts or "secret" not in texts:
        return None
    behind = texts[texts.index("secret") + 1 :]
    if behind and behind[0] != "to":
        return None
    whose = " ".join(["secret", *behind])
    message = f"the first value stands before `secret`: `= ... {whose}`"
    return Mistake("E0100", message, context.span)


def secret_to_several(context: ErrorContext) -> Mistake | None:
    """`card: 0..3 secret from p`, `secret to all but p`, `secret to p, q`"""
    texts = context.texts_before()
    if ":" not in texts or "secret" not in texts[texts.index(":") :]:
        return None
    if context.text == "," and "to" in texts and not context.open_brackets():
        first = texts.index("secret") + 2
        named = context.written(first, len(context.line.lexemes) - 1)
        message = "several players who see the cell are a set"
        return Mistake("E0100", message, context.span, f"`secret to {{{named}}}`")
    if context.text == "where":
        condition = context.written(context.at + 1, len(context.line.lexemes) - 1)
        message = "a set of players with a condition stands in braces"
        hint = f"`secret to {{q for q in players where {condition or 'q != p'}}}`"
        return Mistake("E0100", message, context.span, hint)
    if context.text not in {"from", "but", "except"}:
        return None
    message = "behind `secret to` stand the players who see the cell"
    player = context.text_at(1) or "p"
    hint = f"all players but `{player}` see it: `secret to players - {player}`"
    return Mistake("E0100", message, context.span, hint)


_SEEING = frozenset({"sees", "see", "observes", "observe", "observation", "sight", "visible"})


def sight_in_other_words(context: ErrorContext) -> Mistake | None:
    """`sees p: cell[s]`, `observation p: cell[s]`; `n: 0..3 = 0 always k`"""
    if context.starter in _SEEING and context.at == 0 and "STATE" in context.accepts:
        message = "the sight of a player is a variable that has `always` the value of an expression"
        hint = "in `state:`, `sight[p in players, s in square]: ... always ... secret to p`"
        return Mistake("E0140", message, context.line.first.span, hint)
    if context.text == "always" and "=" in context.texts_before():
        message = "a variable has a first value, by `=`, or `always` the value of an expression"
        return Mistake("E0140", message, context.span)
    return None


def look_behind_a_colon(context: ErrorContext) -> Mistake | None:
    """`hole: pits`, `hole = pits` in `show:`"""
    if "AS" not in context.accepts or context.text not in {":", "=", "is", "are", "like"}:
        return None
    things = context.written(0, context.at - 1)
    message = "how a thing is drawn stands behind `as`"
    hint = f"write `{things} as {context.text_at(1) or '...'}`"
    return Mistake("E0100", message, context.span, hint)


def brackets_side_by_side(context: ErrorContext) -> Mistake | None:
    """`cell[1..3][1..3]: bool`"""
    if context.text != "[" or context.text_at(-1) != "]" or "LSQB" in context.accepts:
        return None
    if "COLON" not in context.accepts or is_operator(context.accepts):
        return None
    message = "several indices stand in one pair of brackets"
    hint = f"as in `{context.starter}[1..3, 1..3]`"
    return Mistake("E0111", message, context.span, hint)


def element_in_front(context: ErrorContext) -> Mistake | None:
    """`any(t in square: c)`, `count(t in square where c)`"""
    lexemes, brackets = context.line.lexemes, context.open_brackets()
    if context.text not in {":", "where", "|", "if", ";", "such"} or not brackets:
        return None
    opened = lexemes.index(brackets[-1])
    inside = [lexeme.text for lexeme in lexemes[opened + 1 : context.at]]
    word = lexemes[opened - 1].text if opened else ""
    if word not in _QUANTIFIERS or "for" in inside or "in" not in inside[1:2]:
        return None
    name, values = inside[0], context.written(opened + 3, context.at - 1)
    subject = "what is asked" if word in {"any", "all"} else "what is counted"
    message = f"{subject} stands in front: `{word}(... for {name} in {values})`"
    span = Span(lexemes[opened + 1].start, context.span.end)
    hint = f"with a condition: `{word}(... for {name} in {values} where ...)`"
    return Mistake("E0115", message, span, hint)


def quantifier_that_stops(context: ErrorContext) -> Mistake | None:
    """`all(c for v in ray(s, N) while v != t)`"""
    brackets = context.open_brackets()
    if context.text != "while" or not brackets or "WHERE" not in context.accepts:
        return None
    message = "`while` belongs to `for` loops of statements"
    hint = "`where` leaves out elements; `sight(a, s, d)` goes on as long as squares are empty"
    return Mistake("E0115", message, context.span, hint)


def quantifier_of_logic(context: ErrorContext) -> Mistake | None:
    """`exists t in square: c`, `forall t in square c`"""
    word = _OF_LOGIC.get(context.text_at(-1).lower())
    if word is None or context.kind_at(0) is not Kind.NAME or not is_operator(context.accepts):
        return None
    span = context.line.lexemes[context.at - 1].span
    message = f"`{context.text_at(-1)}` is written `{word}(...)` here"
    return Mistake("E0115", message, span, f"as in `{word}(... for s in square)`")


def several_names(context: ErrorContext) -> Mistake | None:
    """`for a, b in S`"""
    if context.text != "," or context.accepts & {"IN", "COLON"} != {"IN"}:
        return None
    if context.text_at(-2) != "for" or context.text_at(2) != "in":
        return None
    pair = f"({context.text_at(-1)}, {context.text_at(1)})"
    message = f"names for the items of tuples stand in parentheses: `for {pair} in ...`"
    hint = "one in another is written `for a in S` and, below it, `for b in T`"
    return Mistake("E0111", message, context.span, hint)


def several_loops(context: ErrorContext) -> Mistake | None:
    """`for a in S, b in T:`, `any(... for a in S, b in T)`"""
    if context.text != "," or context.text_at(2) != "in" or context.kind_at(1) is not Kind.NAME:
        return None
    before, brackets = context.line.lexemes[: context.at], context.open_brackets()
    inside = before[before.index(brackets[-1]) :] if brackets else before[context.begin :]
    if "for" not in [lexeme.text for lexeme in inside]:
        return None
    loop = f"for {context.text_at(1)} in ..."
    hint = f"write `{loop}` in place of `, {context.text_at(1)} in ...`"
    if not brackets:
        hint = f"write `{loop}:` on a line of its own below, indented"
    return Mistake("E0150", "each of several loops has its own `for`", context.span, hint)


def condition_among_parameters(context: ErrorContext) -> Mistake | None:
    """`move mark(s in square, cell[s] == empty):`"""
    if context.starter not in {"move", "simultaneous"} or context.text_at(-2) != ",":
        return None
    if context.accepts != {"IN", "SUBSET"}:
        return None
    message = "a condition on a parameter stands behind `where`"
    span = context.line.lexemes[context.at - 1].span.to(context.span)
    return Mistake("E0115", message, span, "as in `s in square where ...`, or `require ...` below")


def step_by_one(context: ErrorContext) -> Mistake | None:
    """`left--`"""
    if context.text != "-" or context.text_at(1) != "-" or "EQUAL" not in context.accepts:
        return None
    target = context.written(context.begin, context.at - 1)
    span = context.span.to(context.line.lexemes[context.at + 1].span)
    return Mistake("E0114", "there is no `--`", span, f"write `{target} -= 1`")


def quantifier_without_brackets(context: ErrorContext) -> Mistake | None:
    """`all cell[s] == X for s in square`"""
    word = context.text_at(-1)
    if word not in _QUANTIFIERS or context.kind_at(0) is not Kind.NAME or context.text == "is":
        return None
    if not is_operator(context.accepts):
        return None
    span = context.line.lexemes[context.at - 1].span
    hint = f"as in `{word}(... for s in square)`"
    return Mistake("E0111", f"what belongs to `{word}` stands in parentheses", span, hint)


def share_in_percent(context: ErrorContext) -> Mistake | None:
    """`{heads: 50%, tails: 50%}`"""
    if context.text_at(-1) != "%" or context.kind_at(-2) is not Kind.NUMBER:
        return None
    if not is_value(context.accepts):
        return None
    number = context.text_at(-2)
    span = context.line.lexemes[context.at - 1].span
    share = Fraction(number) / 100
    message = "`%` is the remainder of a division, not a share of 100"
    return Mistake("E0114", message, span, f"write a fraction: `{share}`")


RULES: tuple[HintRule, ...] = (
    comment_of_another_language,
    annotated_definition,
    conditions_in_a_list,
    condition_on_a_move,
    simultaneous_beside_move,
    loop_of_another_language,
    chance_in_other_words,
    chance_as_a_value,
    reward_in_another_form,
    payoff_in_another_form,
    secret_in_front,
    secret_before_the_value,
    secret_to_several,
    sight_in_other_words,
    look_behind_a_colon,
    brackets_side_by_side,
    element_in_front,
    quantifier_that_stops,
    several_names,
    several_loops,
    condition_among_parameters,
    quantifier_of_logic,
    step_by_one,
    quantifier_without_brackets,
    share_in_percent,
)
