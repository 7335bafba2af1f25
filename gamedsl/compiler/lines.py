"""`line` and `full`: whole boards at once.

In: an array over the squares. Out: code on its planes: runs by shifting and joining.
"""

from __future__ import annotations

from itertools import pairwise

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.layout import Digits, Planes
from gamedsl.compiler.quantifiers import Quantifiers
from gamedsl.compiler.safety import fits
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN
from gamedsl.model.values import EMPTY


class Lines(Quantifiers):
    """The questions about whole boards of one game."""

    def board_builtin(self, node: nodes.Builtin, scope: Scope) -> Low:
        """`line` and `full`, over whole planes where there are any."""
        whole = node.arguments[0]
        assert isinstance(whole, nodes.Whole)
        place = self.layout.place_of(whole.variable)
        if node.name == "full":
            return self._full(place)
        if node.name == "line":
            return self._line(node, place, scope)
        raise CannotCompileError(f"`{node.name}` as a value", node.span)

    def _full(self, place: Planes | Digits) -> Low:
        vacant = place.variable.domain.digit.get(EMPTY)
        if vacant is None:
            return Known(True)
        if isinstance(place, Planes):
            return Code(f"({self.plane(place, vacant)} == 0)", BOOLEAN)

        def write() -> None:
            writer = self.program.writer
            with self._loop("n", f"range({place.variable.size})") as name:
                writer.line(f"if {self._digit_at(place, name)} == {vacant}:")
                writer.line("    return False")
            self.program.writer.line("return True")

        return Code(self.program.call("full", write), BOOLEAN)

    def _line(self, node: nodes.Builtin, place: Planes | Digits, scope: Scope) -> Low:
        value, length = self.lower(node.arguments[1], scope), self.lower(node.arguments[2], scope)
        if any(self.safety.can_fail(argument) for argument in node.arguments[1:]):
            return self.worked_out(
                (value, length), lambda held: self._line_of(node, place, held[0], held[1])
            )
        return self._line_of(node, place, value, length)

    def _line_of(self, node: nodes.Builtin, place: Planes | Digits, value: Low, length: Low) -> Low:
        plane = self.held_plane(node, place, value)
        name = self.program.fresh("plane")
        if isinstance(length, Known):
            test = self._line_test(name, length.value) if isinstance(length.value, int) else None
            if test is None:
                return Known(False)
            text = test
            call = self.program.call(
                "line", lambda: self.program.writer.line(f"return {text}"), {name: plane}
            )
            return Code(call, BOOLEAN)
        return Code(self._line_of_some_length(node, name, plane, length), BOOLEAN)

    def _line_of_some_length(self, node: nodes.Builtin, name: str, plane: str, length: Code) -> str:
        """One test for each length that is possible."""
        assert self.model.board is not None
        most = len(self.model.board.squares)
        values = length.type.enumerate()
        if length.per != 1 or values is None:
            raise CannotCompileError("`line` of a length that is not known", node.span)
        sizes = [v for v in values if isinstance(v, int) and 0 < v <= most]
        size = self.program.fresh("size")

        def write() -> None:
            for number in sizes:
                test = self._line_test(name, number)
                if test is not None:
                    with self.program.writer.block(f"if {size} == {number}"):
                        self.program.writer.line(f"return {test}")
            self.program.writer.line("return False")

        return self.program.call("line", write, {name: plane, size: length.text})

    def held_plane(self, node: nodes.Builtin, place: Planes | Digits, value: Low) -> str:
        """The set of squares that hold a value; of an array of digits it is gathered."""
        if isinstance(place, Planes):
            return self.plane_of(place, value)
        domain = place.variable.domain
        if isinstance(value, Known):
            digit = domain.position(value.value)
            if digit is None:
                return "ZERO"
            wanted = str(digit)
        elif fits(value.type, domain) and not value.type.can_be_none:
            wanted = self.digit_of(value, domain)
        else:
            raise CannotCompileError("`line` of what an array may not hold", node.span)
        sought = self.program.fresh("sought")

        def write() -> None:
            writer = self.program.writer
            writer.assign("held", "ZERO")
            with self._loop("n", f"range({place.variable.size})") as n:
                writer.line(f"if {self._digit_at(place, n)} == {sought}:")
                writer.line(f"    held = held | ONE << {n}")
            writer.line("return held")

        return self.program.call("holding", write, {sought: wanted})

    def plane_of(self, place: Planes, value: Low) -> str:
        """The set of squares that hold a value."""
        domain = place.variable.domain
        if isinstance(value, Known):
            digit = domain.position(value.value)
            return "ZERO" if digit is None else self.plane(place, digit)

        def chosen(code: Code) -> str:
            text = "ZERO"
            values = code.type.enumerate() or domain.values
            for digit, held in reversed(list(enumerate(domain.values))):
                if held in values:
                    test = f"{code.text} == {self.codes.code(held)}"
                    if isinstance(held, bool):
                        test = code.text if held else f"not {code.text}"
                    text = f"({self.plane(place, digit)} if {test} else {text})"
            return text

        return self.as_name(value, "value", chosen)

    def _line_test(self, plane: str, length: int) -> str | None:
        """Code for `some straight run of squares lies within the plane`."""
        board = self.model.board
        assert board is not None
        number_of = {square: n for n, square in enumerate(board.squares)}
        runs = [sorted(number_of[s] for s in run) for run in board.lines(length)]
        if not runs:
            return None
        by_step: dict[int, list[int]] = {}
        single: list[int] = []
        for run in runs:
            steps = {b - a for a, b in pairwise(run)}
            if len(steps) <= 1:
                by_step.setdefault(steps.pop() if steps else 0, []).append(run[0])
            else:
                single.append(sum(1 << n for n in run))
        tests = []
        for step, starts in by_step.items():
            mask = self.program.number(sum(1 << n for n in starts))
            tests.append(f"({_shifted_and(plane, step, length)} & {mask}) != 0")
        tests += [f"{plane} & {self.program.number(m)} == {self.program.number(m)}" for m in single]
        return " or ".join(tests)


def _shifted_and(plane: str, step: int, length: int) -> str:
    """The places from which `length` bits, `step` apart, are set: runs of 1, 2, 4, ... joined."""
    text, have = plane, 1
    while have < length:
        more = min(have, length - have)
        text = f"({text} & ({text} >> {step * more}))"
        have += more
    return text
