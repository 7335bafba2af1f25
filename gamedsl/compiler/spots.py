"""Places as sets of one square: where a step leads or a ray ends, whichever square that is.

In: an expression that gives a square or `none`, and what is asked of it. Out: the set of that
square, empty for `none`: a cell is asked by `&` with a plane, `none` by comparing with nothing.
What is not said so is left to `cells` and `conditions`.
"""

from __future__ import annotations

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.layout import Layout, Planes
from gamedsl.compiler.scope import Code, Scope
from gamedsl.compiler.sets import Sets
from gamedsl.compiler.square_sets import Bits
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.types import BOOLEAN
from gamedsl.model.values import NONE, Value, Vector


class Spots(Sets):
    """The places of one game that are cheaper as sets.

    Attributes:
        held_ends: for sets whose first or last square is held at present (the lowest where they
            are gone through upwards, else the highest), code for it.
    """

    def __init__(self, model: Model, codes: Codes, layout: Layout) -> None:
        super().__init__(model, codes, layout)
        self.held_ends: dict[tuple[str, bool], str] = {}

    def spot(self, node: nodes.Expr, scope: Scope) -> str | None:
        """The set of the square that an expression leads to; None where its number is as good."""
        if self.safety.can_fail(node):
            return None
        node, scope = self._opened(node, scope)
        match node:
            case nodes.Local():
                meaning = scope.of(node.slot)
                return meaning.spot or None if isinstance(meaning, Code) else None
            case nodes.Step():
                return self._spot_beyond(node, scope)
            case nodes.Quantify():
                return self.spot_of_end(node, scope)
        return None

    def square_of(self, node: nodes.Expr, scope: Scope) -> Bits:
        """The set of the square that an expression is, without its number if that can be."""
        spot = self.spot(node, scope)
        return super().square_of(node, scope) if spot is None else spot

    def _spot_beyond(self, node: nodes.Step, scope: Scope) -> str | None:
        """A step by the same distance from every square is a shift."""
        way = self.known_value(node.offset, scope)
        if not isinstance(way, Vector):
            return None
        steps = self._steps(way)
        distances = {to - n for n, to in steps.items()}
        base = self._base(node.square, scope) if len(distances) == 1 else None
        if base is None:
            return None
        return self.moved(base, distances.pop(), sum(1 << n for n in steps))

    def _base(self, node: nodes.Expr, scope: Scope) -> str | None:
        opened, inner = self._opened(node, scope)
        if isinstance(opened, nodes.Local):
            meaning = inner.of(opened.slot)
            is_sure = isinstance(meaning, Code) and meaning.is_name
            if is_sure and isinstance(meaning, Code) and not meaning.type.can_be_none:
                return self.bits_text(self.one_square(meaning))
        return self.spot(opened, inner)

    def spot_of_end(self, node: nodes.Quantify, scope: Scope) -> str | None:
        """`first` and `last` of squares as a set: the lowest or the highest bit."""
        found = None if self.safety.can_fail(node) else self.end_of_set(node, scope)
        if found is None:
            return None
        bits, is_lowest = found
        if found in self.held_ends:
            return self.held_ends[found]
        name = self.program.fresh("squares")
        text = f"{name} & -{name}" if is_lowest else f"(ONE << highest({name} | ONE)) & {name}"
        stem = "lowest_of" if is_lowest else "highest_of"
        return self.program.call(
            stem, lambda: self.program.writer.line(f"return {text}"), {name: bits}
        )

    # --- what is asked of a place ------------------------------------------------------------

    def is_cell(self, node: nodes.Cell, value: Value, scope: Scope) -> str | None:
        """Code for `cell == value`: what the plane and the place have in common."""
        place = self.layout.place_of(node.variable)
        digit = None if value is NONE else node.variable.domain.position(value)
        if isinstance(place, Planes) and digit is not None:
            spot = self.spot(node.indices[0], scope)
            if spot is not None:
                return f"({self.plane(place, digit)} & {spot} != 0)"
        return super().is_cell(node, value, scope)

    def _compare(self, node: nodes.Compare, scope: Scope) -> Low:
        """Whether there is a first or last square is whether there is any."""
        for one, other in ((node.left, node.right), (node.right, node.left)):
            is_test = node.operator in {"==", "!="} and self.known_value(other, scope) is NONE
            if is_test and not self.safety.can_fail(one):
                end, inner = self._opened(one, scope)
                found = self.end_of_set(end, inner) if isinstance(end, nodes.Quantify) else None
                if found is not None:
                    return Code(f"({found[0]} {node.operator} 0)", BOOLEAN)
        return super()._compare(node, scope)

    # --- places that are held ----------------------------------------------------------------

    def held_with_spot(self, node: nodes.Expr, scope: Scope, local: str, low: Code) -> Code:
        """A place under a name, with its set beside it where that is how it was found."""
        opened, inner = self._opened(node, scope)
        spot = None
        if isinstance(opened, nodes.Quantify | nodes.Step):
            spot = self.spot(opened, inner)
        if spot is None:
            self.program.writer.assign(local, low.text)
            return Code(local, low.type, low.per)
        name = self.program.named(f"at_{local}")
        self.program.writer.assign(name, spot)
        number = low.text
        if isinstance(opened, nodes.Quantify):
            base = self.codes.code(self.codes.squares[0])
            found = f"lowest({name})" if base == 0 else f"lowest({name}) + {base}"
            number = f"{found} if {name} != 0 else {self.codes.none}"
        self.program.writer.assign(local, number)
        return Code(local, low.type, low.per, name)
