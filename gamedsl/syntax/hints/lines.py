"""Mistakes about lines: first words, colons, indentation, blocks."""

from __future__ import annotations

from gamedsl.source import Label, Span, nearest
from gamedsl.syntax.hints.error_context import ErrorContext, HintRule, Mistake
from gamedsl.syntax.scan import Kind, LogicalLine
from gamedsl.syntax.words import SECTIONS, STATEMENTS

_OTHER_NAMES = {
    "action": "move", "actions": "move", "moves": "move", "rule": "move", "function": "def",
    "func": "def", "fn": "def", "procedure": "effect", "init": "setup", "initial": "setup",
    "start": "setup", "terminal": "end", "goal": "end", "win": "end", "variables": "state",
    "vars": "state", "var": "state", "title": "game", "name": "game", "const": "param",
    "parameter": "param", "enum": "type", "grid": "board", "heuristic": "evaluate",
    "eval": "evaluate", "assert": "expect", "else": "otherwise", "display": "show",
}  # fmt: skip
"""Likely wrong names of sections -> the right names."""

_FOREIGN_STATEMENTS = {
    "return": (
        "nothing is returned: a statement changes the state, or says how the game ends",
        "an outcome is `p wins`, without `return`; a formula is a `def`",
    ),
    "end": (
        "the turn passes by itself",
        "`again` keeps it; when the game is over is said in `end:`",
    ),
    "while": ("there is no `while`: every loop runs over a known set", "`for x in S while c:`"),
    "break": ("there is no `break`", "a loop ends early with `for x in S while c:`"),
    "continue": ("there is no `continue`", "leave elements out with `for x in S where c:`"),
    "pass": ("there is no `pass`: a move that changes nothing still needs one statement", None),
    "var": ("there is no `var`", "a name inside a block is made with `let x = ...`"),
    "const": ("there is no `const`", "a name inside a block is made with `let x = ...`"),
    "set": ("there is no `set`", "write `x = ...`"),
    "print": ("rules print nothing", None),
    "foreach": ("`foreach` is written `for` here", "`for p in players:`"),
    "when": ("there is no `when`", "`if c:` chooses; `require c` says when a move is legal"),
    "unless": ("there is no `unless`", "write `if not c:`, or `require c`"),
    "next": ("the turn passes by itself", "to give it to somebody else write `turn = p`"),
    "switch": ("there is no `switch`", "`if`, `elif`, `else`; the turn passes by itself"),
    "then": ("there is no `then`", "write `if c:`"),
    "assert": ("there is no `assert`", "write `require c` or `ensure c`"),
    "import": ("there is no `import`", 'at the top of a file: `include "chess.game"`'),
}
"""Statements of other languages -> message and hint."""

_COLON_HINTS = {
    "expect": "a claim is written as in `expect value: draw`",
    "payoff": "first who is paid, then what: `payoff A: 3, B: -3`",
}
"""Words of lines -> a hint about the text around `:`, if more than `:` may be missing."""

_STATEMENT_HINT = "a statement is `x = ...`, `f(x)`, `require ...`, `let`, `if`, `for`, `chance`"


def colon_missing(context: ErrorContext) -> Mistake | None:
    """A header without `:`, at the end of the line or before the block."""
    if "COLON" not in context.accepts or context.open_brackets():
        return None
    end = context.line.lexemes[context.at - 1].end if context.at else context.line.first.end
    if context.is_at_end:
        words = (lexeme.text for lexeme in context.line.lexemes)
        hint = next((_COLON_HINTS[word] for word in words if word in _COLON_HINTS), None)
        return Mistake("E0105", f"put `:` after {_head(context)}", Span(end, end), hint)
    if context.text == "then" and context.starter in {"if", "elif"}:
        message = f"`{context.starter} c:` has `:` where you wrote `then`"
        return Mistake("E0115", message, context.span)
    if context.text in {"{", "do", "begin"}:
        message = f"a block begins with `:`, not with `{context.text}`"
        hint = "its lines are indented by 4 spaces; nothing closes it"
        return Mistake("E0115", message, context.span, hint)
    if context.text == "=" and context.starter in {"if", "elif", "for"}:
        return None
    if _begins_statement(context):
        return Mistake("E0105", f"put `:` after {_head(context)}", Span(end, end))
    return None


def _begins_statement(context: ErrorContext) -> bool:
    words = context.texts_before()
    is_plain = context.starter in {"state", "setup", "end", "endless", "show", "tree", "else"}
    is_outcome = context.starter in {"if", "elif", "for"} and (
        context.text in STATEMENTS or context.text_at(1) in {"wins", "loses", "=", "+=", "-="}
    )
    return (len(words) == 1 and is_plain) or is_outcome


def _head(context: ErrorContext) -> str:
    last = context.at - 1
    if context.starter in {"move", "simultaneous", "effect"}:
        last = max(last, min(1, len(context.line.lexemes) - 1))
    return f"`{context.written(0, max(last, 0))}`"


def colon_too_many(context: ErrorContext) -> Mistake | None:
    """`players: X, O`, `otherwise:`, `players = X, O`."""
    if context.at != 1 or context.text not in {":", "="}:
        return None
    if context.starter not in {"players", "directions", "game", "include", "without", "param",
                               "type", "board", "def", "otherwise", "move", "effect",
                               "simultaneous", "require", "ensure"}:  # fmt: skip
        return None
    message = f"no `{context.text}` comes after `{context.starter}`"
    examples = {
        "players": "write `players X, O`",
        "directions": "write `directions N, E, S, W`",
        "game": 'write `game "Title"`',
        "include": 'write `include "chess.game"`',
        "without": "write `without move castle`",
        "param": "write `param n = 3`",
        "type": "write `type Card = J | Q | K`",
        "board": "write `board 3 wide 3 high`",
        "require": "write `require c`",
        "ensure": "write `ensure c`",
    }
    return Mistake("E0124", message, context.span, examples.get(context.starter))


def else_alone(context: ErrorContext) -> Mistake | None:
    """`else if`, an `else` or `elif` without `if`, a second `else`."""
    if context.starter == "else" and context.at == 1 and context.text == "if":
        span = Span(context.line.first.start, context.span.end)
        return Mistake("E0115", "`else if` is written `elif` here", span)
    if context.at != 0 or context.starter not in {"else", "elif"}:
        return None
    above = _sibling_above(context)
    if above is not None and above.first.text == "else":
        message = f"`{context.starter}` cannot follow `else`: an `if` has one `else`, at its end"
        label = (Label(above.first.span, "the `else` is here"),)
        return Mistake("E0121", message, context.span, None, label)
    is_chain = context.starter == "elif" or context.text_at(1) == "if"
    hint = None
    if above is not None and above.first.text == "for":
        hint = f"the line above is a `for`; {'write `if`' if is_chain else 'an `if` is needed'}"
        if "if" in (lexeme.text for lexeme in above.lexemes):
            hint = "put the `if` on a line below the `for`, and `elif` or `else` below that `if`"
    message = f"there is no `if` above for this `{context.starter}`"
    if is_chain and context.starter == "else":
        message = "`else if` is written `elif`, and there is no `if` above for it"
    return Mistake("E0121", message, context.span, hint)


def _sibling_above(context: ErrorContext) -> LogicalLine | None:
    indent = context.line.indent
    for line in reversed(context.lines[: context.row]):
        if line.indent <= indent:
            return line if line.indent == indent else None
    return None


def section_unknown(context: ErrorContext) -> Mistake | None:
    """A line at the left margin that begins no section."""
    if context.at != 0 or not {"PLAYERS", "STATE"} <= context.accepts:
        return None
    word = context.starter
    if word in STATEMENTS or word in {"wins", "loses"} or _is_change(context):
        message = f"this statement stands at the left margin; `{word}` belongs into a block"
        constant = "; a constant of the whole file is `param n = ...`" if word == "let" else ""
        return Mistake("E0123", message, context.span, f"indent it by 4 spaces{constant}")
    if context.line.first.kind is not Kind.NAME:
        return Mistake("E0109", f"`{word}` begins no section", context.span, None)
    near = _OTHER_NAMES.get(word.lower()) or nearest(word, SECTIONS)
    if near is not None:
        message = f"`{word}` begins no section; did you mean `{near}`?"
        return Mistake("E0109", message, context.span)
    hint = f"the sections are {', '.join(SECTIONS)}"
    if context.text_at(1) == "=":
        hint = f"a constant is `param {word} = ...`; what changes is declared in `state:`"
    elif context.text_at(1) == ":":
        hint = "the variables of a game are declared in `state:`, indented"
    message = f"`{word}` begins no section"
    return Mistake("E0109", message, context.span, hint)


def _call_of(context: ErrorContext, name: str) -> str | None:
    """A call of the effect of this name, if the text declares one."""
    for line in context.lines:
        texts = [lexeme.text for lexeme in line.lexemes[:4]]
        if texts[:2] == ["effect", name]:
            return f"{name}()" if texts[2:] == ["(", ")"] else f"{name}(...)"
    return None


def _is_change(context: ErrorContext) -> bool:
    texts = [lexeme.text for lexeme in context.line.lexemes]
    return "[" in texts[1:2] or texts[1:2] in (["+="], ["-="], ["wins"], ["loses"])


def statement_unknown(context: ErrorContext) -> Mistake | None:
    """A line in a block whose first word begins no statement."""
    if "EQUAL" not in context.accepts or "WINS" not in context.accepts or context.at == 0:
        return None
    word = context.starter
    first = context.line.lexemes[context.begin]
    if first.text in _FOREIGN_STATEMENTS and context.at > context.begin:
        message, hint = _FOREIGN_STATEMENTS[first.text]
        return Mistake("E0115", message, first.span, hint)
    if word in {"elseif", "elsif"}:
        return Mistake("E0115", f"`{word}` is written `elif` here", context.line.first.span)
    if context.is_at_end and context.at == 1 and (call := _call_of(context, word)) is not None:
        message = f"`{word}` is an effect, and is called with parentheses"
        return Mistake("E0109", message, context.line.first.span, f"write `{call}`")
    if context.at == 1 and context.kind_at(0) in {Kind.NAME, Kind.NUMBER, None}:
        near = nearest(word, STATEMENTS)
        if near is not None:
            message = f"`{word}` begins no statement; did you mean `{near}`?"
            return Mistake("E0109", message, context.line.first.span)
        if word in SECTIONS and not context.is_at_end:
            message = f"`{word}` begins a section, which stands at the left margin"
            return Mistake("E0123", message, context.line.first.span)
        if context.kind_at(0) is Kind.NAME:
            message = f"`{word}` begins no statement"
            return Mistake("E0109", message, context.line.first.span, _STATEMENT_HINT)
    return None


def second_header(context: ErrorContext) -> Mistake | None:
    """`if a: if b: draw`"""
    if context.at == 0 or context.text not in {"if", "for"} or context.text_at(-1) != ":":
        return None
    message = f"only a simple statement fits behind this `:`, not `{context.text}`"
    return Mistake("E0108", message, context.span, "put it on the line below, indented")


def else_behind(context: ErrorContext) -> Mistake | None:
    """`if c: x = 1 else: x = 2`"""
    if context.text not in {"else", "elif"} or context.starter not in {"if", "elif"}:
        return None
    if context.begin == 0 or context.open_brackets():
        return None
    message = f"`{context.text}` begins a line of its own, below its `if`"
    return Mistake("E0121", message, context.span)


def returned_from_def(context: ErrorContext) -> Mistake | None:
    """`def f(x) = return x`"""
    if context.starter != "def" or context.text_at(-1) != "return":
        return None
    message = "a `def` is one formula, without `return`"
    return Mistake("E0115", message, context.line.lexemes[context.at - 1].span)


def evaluation_without_player(context: ErrorContext) -> Mistake | None:
    """`evaluate: score[turn]`"""
    if context.starter != "evaluate" or context.at != 1 or context.text not in {":", "="}:
        return None
    message = "an evaluation says for whom it is: `evaluate p: ...`"
    return Mistake("E0124", message, context.span, "p stands for each player, as in `score[p]`")


def procedure_as_def(context: ErrorContext) -> Mistake | None:
    """`def f(x):` with statements below."""
    if context.starter != "def" or context.text != ":" or "EQUAL" not in context.accepts:
        return None
    message = "a `def` is one formula: `def f(x) = ...`"
    return Mistake("E0115", message, context.span, "statements go into an `effect f(x):`")


RULES: tuple[HintRule, ...] = (
    else_alone,
    else_behind,
    returned_from_def,
    evaluation_without_player,
    section_unknown,
    colon_too_many,
    procedure_as_def,
    second_header,
    colon_missing,
    statement_unknown,
)
