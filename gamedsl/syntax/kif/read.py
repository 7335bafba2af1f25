"""Reader of files in GDL: brackets, comments, rules.

In: a source. Out: rules without `or`, or KifError. Words are read without regard to capitals, as
the Knowledge Interchange Format has it.
"""

from __future__ import annotations

import re
from itertools import product
from typing import NamedTuple

from gamedsl.source import SourceFile, Span
from gamedsl.source.plurals import count
from gamedsl.syntax.kif.rules import FORM, Literal, Rule, Term, is_variable, refuse

MOST_WORDS = 500_000
DEEPEST = 100
"""Brackets that are open at once."""
MOST_RULES = 50_000
"""Rules, once each `or` is written out."""
ARITIES = {
    "role": 1, "init": 1, "true": 1, "next": 1, "does": 2, "legal": 2, "goal": 2, "terminal": 0,
    "distinct": 2, "base": 1, "input": 2, "sees": 2,
}  # fmt: skip
"""The relations with a meaning, and their numbers of arguments."""
NOT_DEFINED = frozenset({"true", "does", "distinct"})
"""Relations that stand in bodies alone."""
_LEXEME = re.compile(r";[^\n]*|[()]|[^\s();]+")


class Expression(NamedTuple):
    """A word, or a list in brackets."""

    span: Span
    word: str
    items: tuple[Expression, ...] = ()

    @property
    def is_list(self) -> bool:
        """Whether brackets stand around the expression."""
        return not self.word


Bodies = list[tuple[Literal, ...]]
"""Alternatives, each a conjunction."""


def read_rules(source: SourceFile) -> tuple[Rule, ...]:
    """The rules of a file, in order. Raises KifError."""
    rules: list[Rule] = []
    for expression in _expressions(source):
        rules += _Sentence(source, expression).rules()
        if len(rules) > MOST_RULES:
            message = f"the rules with `or` written out are more than {MOST_RULES:,}"
            refuse(source, "E0132", message, expression.span)
    if not rules:
        refuse(source, FORM, "the file holds no rules", Span(0, 0))
    return tuple(rules)


def _expressions(source: SourceFile) -> list[Expression]:
    """The expressions at the top of a file."""
    stack: list[tuple[int, list[Expression]]] = [(0, [])]
    for number, match in enumerate(_LEXEME.finditer(source.text)):
        text, span = match.group(), Span(*match.span())
        if number == MOST_WORDS:
            refuse(source, "E0132", f"a file has at most {MOST_WORDS:,} words and brackets", span)
        if text[0] == ";":
            continue
        if text == "(":
            stack.append((span.start, []))
            if len(stack) > DEEPEST:
                refuse(source, FORM, f"at most {DEEPEST} brackets are open at once", span)
        elif text == ")":
            if len(stack) == 1:
                refuse(source, FORM, "this bracket closes no bracket", span)
            start, items = stack.pop()
            whole = Span(start, span.end)
            if not items:
                refuse(source, FORM, "nothing stands between these brackets", whole)
            stack[-1][1].append(Expression(whole, "", tuple(items)))
        else:
            stack[-1][1].append(Expression(span, text.lower()))
    if len(stack) > 1:
        start = stack[-1][0]
        refuse(source, FORM, "this bracket is never closed", Span(start, start + 1))
    return stack[0][1]


class _Sentence:
    """A fact or a rule at the top of a file."""

    def __init__(self, source: SourceFile, expression: Expression) -> None:
        self.source = source
        self.expression = expression

    def rules(self) -> list[Rule]:
        """The rules of the sentence: a rule for each combination of the alternatives of `or`."""
        whole = self.expression
        parts = whole.items
        if whole.is_list and parts[0].word in {"=", "=>", "<-", ":-"}:
            message = f"a rule begins with `<=`, not with `{parts[0].word}`"
            refuse(self.source, FORM, message, parts[0].span)
        if not whole.is_list or parts[0].word != "<=":
            return [Rule(whole.span, self._head(whole), ())]
        if len(parts) < 2:
            self._refuse("a rule needs a head: (<= head condition ...)", whole)
        head = self._head(parts[1])
        bodies = self._both([self._alternatives(part, True) for part in parts[2:]])
        return [Rule(whole.span, head, body) for body in bodies]

    def _head(self, expression: Expression) -> Literal:
        literal = self._literal(expression, True)
        if literal.predicate in NOT_DEFINED or literal.predicate in {"not", "or", "and"}:
            instead = {"true": "init` or `next", "does": "legal"}.get(literal.predicate)
            hint = f"did you mean `{instead}`?" if instead else None
            message = f"`{literal.predicate}` cannot be the head of a rule"
            refuse(self.source, FORM, message, expression.span, hint)
        return literal

    def _alternatives(self, expression: Expression, is_positive: bool) -> Bodies:
        """The alternatives of a condition, or of its negation."""
        word = expression.items[0].word if expression.is_list else ""
        if word == "not":
            if len(expression.items) != 2:
                self._refuse("`not` takes one condition", expression)
            return self._alternatives(expression.items[1], not is_positive)
        if word in {"or", "and"}:
            parts = [self._alternatives(part, is_positive) for part in expression.items[1:]]
            if (word == "or") == is_positive:
                return [body for bodies in parts for body in bodies]
            return self._both(parts)
        return [(self._literal(expression, is_positive),)]

    def _both(self, parts: list[Bodies]) -> Bodies:
        size = 1
        for bodies in parts:
            size *= len(bodies)
        if size > MOST_RULES:
            message = f"this rule is {size:,} rules once each `or` is written out"
            refuse(self.source, "E0132", message, self.expression.span)
        return [tuple(sum(bodies, ())) for bodies in product(*parts)]

    def _literal(self, expression: Expression, is_positive: bool) -> Literal:
        head, *rest = expression.items if expression.is_list else (expression,)
        predicate = head.word
        if head.is_list or predicate.startswith("?") or predicate == "<=":
            self._refuse("the name of a relation is expected here", head)
        wanted = ARITIES.get(predicate)
        if wanted is not None and wanted != len(rest):
            actual = count(len(rest), "argument")
            message = f"`{predicate}` takes {count(wanted, 'argument')}; this has {actual}"
            refuse(self.source, FORM, message, expression.span)
        terms = tuple(map(self._term, rest))
        return Literal(expression.span, predicate, terms, is_positive)

    def _term(self, expression: Expression) -> Term:
        if not expression.is_list:
            if expression.word == "?":
                self._refuse("a variable has a name: `?x`", expression)
            return expression.word
        head, *rest = expression.items
        if head.is_list or is_variable(head.word):
            self._refuse("the name of a function is expected here", head)
        if not rest:
            return head.word
        return (head.word, *map(self._term, rest))

    def _refuse(self, message: str, expression: Expression) -> None:
        refuse(self.source, FORM, message, expression.span)
