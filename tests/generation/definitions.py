"""Makes `def`s and `effect`s, each over those made before it, so that none calls itself."""

from __future__ import annotations

from dataclasses import replace

from tests.generation.code import (
    AND,
    BOOL,
    COMPARISON,
    OR,
    SQUARE,
    SUBSET,
    SUM,
    Code,
    Sort,
    binary,
    numbers,
)
from tests.generation.declarations import Declarations
from tests.generation.declared import Definition, Effect, Place, Scope
from tests.generation.layout import Block, Line, Loop, section
from tests.generation.statements import Allowed


class Definitions(Declarations):
    """Makes what moves and ends can call."""

    def definition(self) -> list[str]:
        """`def f(a, b) = e`: a value, or a set of values."""
        name = self.declared.fresh("f")
        arrays = self.whole(Scope(Place.DEFINITION))
        array = self.dice.choose(arrays) if arrays and self.dice.happens(20) else None
        parameters = tuple(
            self.dice.choose(self.sorts()) for _ in range(self.dice.choose((1, 0, 2)))
        )
        named = [Code(self.declared.fresh("x"), 10, sort, -1, True) for sort in parameters]
        scope = Scope(Place.DEFINITION).having(*named)
        labels = [code.text for code in named]
        if array is not None:
            label = self.declared.fresh("board")
            scope = replace(scope, arrays=(replace(array, name=label),))
            labels.insert(0, label)
        self.declared.reads = set()
        depth = self.dice.choose((2, 1, 3))
        sort = self.some_sort(scope)
        if self.dice.happens(20):
            result = self.collection(sort, scope, depth)
        else:
            result = self.maybe(sort, scope, depth)
        reads = frozenset(self.declared.reads)
        self.declared.definitions.append(Definition(name, parameters, result, reads, array))
        head = f"{name}({', '.join(labels)})" if labels else name
        text = f"({result.text})" if self.dice.happens(15) else result.text
        return [f"def {head} = {text}"]

    def recursive_definition(self) -> list[str]:
        """`def f(n in 0..3, ...) = e` that calls itself with `n - 1`, or a walk over squares."""
        name, n = self.declared.fresh("f"), self.declared.fresh("n")
        most = self.dice.number(1, 3)
        sort = self.dice.choose((BOOL, numbers(0, 9), numbers(-3, 20)))
        self.declared.reads = set()
        if self.declared.board is not None and self.dice.happens(60):
            return self._walk(name, n, min(most, 2))
        kept = [one for one in self.sorts() if one.family not in {"offset", "compass"}]
        others = self.dice.some(kept, 0, 1)
        named = [Code(self.declared.fresh("x"), 10, one, -1, True) for one in others]
        scope = Scope(Place.DEFINITION).having(Code(n, 10, numbers(0, most), -1, True), *named)
        given = [one.text if self.dice.happens(50) else "" for one in named]
        given = [
            text or self.value(one, scope, 1).text for text, one in zip(given, others, strict=True)
        ]
        itself = Code(f"{name}({', '.join([f'{n} - 1', *given])})", 10, sort)
        base, step = self.value(sort, scope, 1), self.value(sort, scope.having(itself), 2)
        if itself.text not in step.text:
            step = self._together(itself, step, sort)
        text = f"{base.at(1)} if {n} == 0 else {step.at(0)}"
        if self.dice.happens(30):
            text = f"{step.at(1)} if {n} > 0 else {base.at(0)}"
        reads, parameters = frozenset(self.declared.reads), (numbers(0, most), *others)
        result = Code(name, 10, sort, -1, base.is_fixed and step.is_fixed)
        self.declared.definitions.append(Definition(name, parameters, result, reads))
        bounds = [f"{one.text} in {self.domain_text(one.sort)}" for one in named]
        return [f"def {name}({', '.join([f'{n} in 0..{most}', *bounds])}) = {text}"]

    def _together(self, itself: Code, other: Code, sort: Sort) -> Code:
        if sort.family == "bool":
            return binary(itself, self.dice.choose(("==", "!=")), other, COMPARISON, sort)
        return self.clamped(binary(itself, "+", other, SUM, numbers(-6, 40)), sort)

    def _walk(self, name: str, n: str, most: int) -> list[str]:
        """How far, or whether somewhere, a walk goes that comes to no square twice."""
        here, there, seen = (self.declared.fresh(stem) for stem in ("s", "t", "seen"))
        scope = Scope(Place.DEFINITION).having(Code(there, 10, SQUARE))
        test = self.truth(scope, 1)
        further = f"{name}({there}, {seen} | {{{there}}}, {n} - 1)"
        asked = f"{n} > 0 and {there} not in {seen}"
        rounds = f"for {there} in neighbours({here}) where {asked}"
        if self.dice.happens(50):
            sort = numbers(0, most)
            text = f"max(0, 1 + {further} {rounds} and {test.at(AND)})"
        else:
            sort = BOOL
            text = f"any({further} or {test.at(OR)} {rounds})"
        reads = frozenset(self.declared.reads)
        parameters = (SQUARE, SUBSET, numbers(0, most))
        self.declared.definitions.append(Definition(name, parameters, Code(name, 10, sort), reads))
        head = f"{here} in square, {seen} subset of square, {n} in 0..{most}"
        return [f"def {name}({head}) = {text}"]

    def effect(self) -> list[str]:
        """`effect f(a, b):`."""
        name = self.declared.fresh("do")
        parameters = tuple(
            self.dice.choose(self.sorts()) for _ in range(self.dice.choose((1, 0, 2)))
        )
        named = [Code(self.declared.fresh("x"), 10, sort) for sort in parameters]
        scope = Scope(Place.MOVE, is_open=True).having(*named)
        is_for_move = self.dice.happens(30)
        allowed = Allowed(
            chance=self.may_draw and self.dice.happens(30),
            turn=is_for_move,
            rewards=is_for_move and self.has_rewards,
        )
        self.declared.reads = set()
        labels = [code.text for code in named]
        arrays: tuple[str, ...] = ()
        body: Block = ()
        squares = [v for v in self.writable(scope) if v.is_on_squares]
        if squares and self.dice.happens(25):
            label, square = self.declared.fresh("board"), self.declared.fresh("s")
            array = self.dice.choose(squares)
            inner = scope.having(Code(square, 10, Sort("square")))
            change = self.change(f"{label}[{square}]", array.sort, inner, 1)
            body = (Loop(f"for {square} in square", (change,)),)
            labels.insert(0, label)
            arrays = (array.name,)
        body += self.block(scope, 2, 2, allowed)
        reads = frozenset(self.declared.reads)
        draws, moves = self._specials(body)
        self.declared.effects.append(Effect(name, parameters, draws, moves, reads, arrays))
        head = f"effect {name}({', '.join(labels)})" if labels else f"effect {name}"
        return section(self.dice, head, body)

    may_draw: bool = True

    def _specials(self, body: Block) -> tuple[bool, bool]:
        """Whether a block has chance events, and whether it is for moves alone."""
        texts = [text for statement in body for text in _texts(statement)]
        called = [e for e in self.declared.effects if any(e.name in text for text in texts)]
        draws = any(text.startswith("chance ") for text in texts)
        words = ("turn =", "reward ")
        turns = any(text == "again" or text.startswith(words) for text in texts)
        return (
            draws or any(effect.draws for effect in called),
            turns or any(effect.is_for_move for effect in called),
        )


def _texts(statement: object) -> list[str]:
    if isinstance(statement, Line):
        return [statement.text]
    bodies = [statement.body] if isinstance(statement, Loop) else [b for _, b in statement.parts]  # type: ignore[attr-defined]
    return [text for body in bodies for inner in body for text in _texts(inner)]
