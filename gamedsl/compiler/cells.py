"""Reading and writing variables: bit tests on planes, digits in chunks, guards where needed.

In: a variable, its indices, a value. Out: code. Where a plane or a chunk lies is `layout`'s
knowledge; here only its name is used.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.compiler.codes import domain_type
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.expressions import Expressions
from gamedsl.compiler.faults import off_the_board, out_of_range
from gamedsl.compiler.layout import Digits, Planes
from gamedsl.compiler.safety import fits
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import Scalar, number
from gamedsl.model.values import NONE, Domain, Value, text_of


class Cells(Expressions):
    """The state variables of one game."""

    # --- indices ---------------------------------------------------------------------------

    def _index(
        self, node: nodes.Expr, variable: nodes.Variable, domain: Domain, scope: Scope
    ) -> Low:
        """An index as a value that lies in its domain or is `none`, guarded if need be."""
        low = self.lower(node, scope)

        def no_cell(value: Value) -> tuple[str, str | None]:
            text = f"`{variable.name}` has no cell {text_of(value)}; its indices are `{domain}`"
            return text, None

        if isinstance(low, Known):
            if low.value is NONE or low.value in domain.digit:
                return low
            value = low.value
            site = self.site("E3002", node.span, lambda _, __: no_cell(value))
            return Code(f"fault({site}, 0, 0)", domain_type(domain))
        if fits(low.type, domain):
            return low

        def message(found: int, _: int) -> tuple[str, str | None]:
            return no_cell(self.codes.value(found, kind))

        kind = low.type
        site = self.site("E3002", node.span, message)
        inside = self._inside(domain, kind)
        name = self.as_name(
            low,
            "index",
            lambda i: f"({i.text} if {inside(i.text)} else fault({site}, {i.text}, 0))",
        )
        within = domain_type(domain)
        joined = Scalar(
            within.low, within.high, False, within.boolean,
            within.atoms | ({NONE} if kind.can_be_none else set()), within.vectors,
        )  # fmt: skip
        return Code(name, joined)

    def _inside(self, domain: Domain, kind: Scalar) -> Callable[[str], str]:
        """Code for whether a value is one of the domain, or `none` where that is possible."""
        codes = sorted(self.codes.of_domain(domain))
        low, high = codes[0], codes[-1]
        if codes == list(range(low, high + 1)):

            def test(text: str) -> str:
                between = f"{low} <= {text} <= {high}"
                return (
                    f"({text} == {self.codes.none} or {between})" if kind.can_be_none else between
                )
        else:
            allowed = [*codes, *([self.codes.none] if kind.can_be_none else [])]

            def test(text: str) -> str:
                return f"{text} in ({', '.join(map(str, allowed))},)"

        return test

    def digit_of(self, low: Low, domain: Domain) -> str:
        """The digit of a value (not `none`) that lies in a domain."""
        if isinstance(low, Known):
            return str(domain.digit[low.value])
        codes = self.codes.of_domain(domain)
        text = f"int({low.text})" if low.type.is_boolean else low.text
        if codes == tuple(range(codes[0], codes[0] + len(codes))):
            base = codes[0]
            return (
                text if base == 0 else f"({text} - {base})" if base > 0 else f"({text} + {-base})"
            )
        first = min(codes)
        entries = [0] * (max(codes) - first + 1)
        for digit, code in enumerate(codes):
            entries[code - first] = digit
        table = self.program.table(tuple(entries))
        return f"{table}[{text} - {first}]" if first >= 0 else f"{table}[{text} + {-first}]"

    def place(
        self, variable: nodes.Variable, indices: tuple[nodes.Expr, ...], scope: Scope
    ) -> tuple[list[Low], list[str]]:
        """The indices, and those of them (as names or tables) that may be `none`."""
        lows = [
            self._index(node, variable, domain, scope)
            for node, domain in zip(indices, variable.indices, strict=True)
        ]
        doubtful = [low.text for low in lows if isinstance(low, Code) and low.type.can_be_none]
        return lows, doubtful

    def number_of(self, variable: nodes.Variable, lows: list[Low]) -> str:
        """The number of a cell within its variable."""
        number = ""
        known = 0
        stride = variable.size
        for low, domain in zip(lows, variable.indices, strict=True):
            stride //= len(domain)
            digit = self.digit_of(low, domain)
            if digit.isdigit():
                known += int(digit) * stride
                continue
            term = digit if stride == 1 else f"{digit} * {stride}"
            number = f"{number} + {term}" if number else term
        if not number:
            return str(known)
        return (
            f"({number} + {known})"
            if known
            else f"({number})"
            if not number.isidentifier()
            else number
        )

    # --- reading ---------------------------------------------------------------------------

    def read(self, node: nodes.Cell, scope: Scope) -> Low:
        """The value of a cell; `none` where an index is."""
        variable = node.variable
        lows, doubtful = self.place(variable, node.indices, scope)
        if any(isinstance(low, Known) and low.value is NONE for low in lows):
            if len(lows) > 1 and any(self.safety.can_fail(index) for index in node.indices):
                raise CannotCompileError("a cell whose indices are `none` or may fail", node.span)
            return Known(NONE)
        assert isinstance(node.type, Scalar)
        kind = node.type
        place = self.layout.place_of(variable)
        if not doubtful:
            return self._read_at(node, place, self.number_of(variable, lows), kind)
        inner: list[Low] = []
        given: dict[str, str] = {}
        tests = []
        for low in lows:
            if isinstance(low, Code) and not low.is_name:
                name = self.program.fresh("index")
                given[name] = low.text
                low = Code(name, low.type)
            if isinstance(low, Code) and low.type.can_be_none:
                tests.append(f"{low.text} == {self.codes.none}")
            inner.append(low)
        found = self._read_at(node, place, self.number_of(variable, inner), kind)
        text = self._as_number(found)
        whole = f"({self.codes.none} if {' or '.join(tests)} else {text})"
        joined = Code(whole, kind)
        if not given:
            return joined
        call = self.program.call(
            variable.name, lambda: self.program.writer.line(f"return {whole}"), given
        )
        return Code(call, kind)

    def _as_number(self, low: Low) -> str:
        text = self.text(low)
        is_truth = isinstance(low, Code) and low.type.is_boolean
        return f"int({text})" if is_truth else text

    def _read_at(self, node: nodes.Cell, place: Planes | Digits, number: str, kind: Scalar) -> Low:
        if isinstance(place, Planes):
            return self._read_planes(place, number, kind)
        digit = self._digit_at(place, number)
        if place.unset is not None:
            digit = self._checked(node, place, digit)
        return self.of_digit(digit, node.variable.domain, kind)

    def _checked(self, node: nodes.Cell, place: Digits, digit: str) -> str:
        name = node.variable.name
        site = self.site(
            "E3008", node.span, lambda _, __: (f"`{name}` is read before it is set", None)
        )
        raw = Code(digit, number(0, place.unset or 0))
        return self.as_name(
            raw,
            "digit",
            lambda d: f"({d.text} if {d.text} != {place.unset} else fault({site}, 0, 0))",
        )

    def of_digit(self, digit: str, domain: Domain, kind: Scalar) -> Code:
        """The value of a digit."""
        codes = self.codes.of_domain(domain)
        own = domain_type(domain)
        if own.is_boolean and not kind.can_be_none:
            if len(domain) == 2 and domain.values[0] is False:
                return Code(f"({digit} != 0)", own)
            return Code(
                f"({digit} == {domain.digit[True]})" if True in domain.values else "False", own
            )
        if codes == tuple(range(codes[0], codes[0] + len(codes))):
            base = codes[0]
            text = (
                digit
                if base == 0
                else f"({digit} + {base})"
                if base > 0
                else f"({digit} - {-base})"
            )
            return Code(text, own if not kind.can_be_none else kind)
        table = self.program.table(codes)
        return Code(f"{table}[{digit}]", own if not kind.can_be_none else kind)

    def _digit_at(self, place: Digits, number: str) -> str:
        mask = self.program.number((1 << place.bits) - 1)
        if len(place.names) == 1:
            if number == "0":
                single = place.variable.size == 1
                return place.names[0] if single else f"({place.names[0]} & {mask})"
            return f"(({place.names[0]} >> {self._times(number, place.bits)}) & {mask})"
        if number.isdigit():
            chunk, position = divmod(int(number), place.per_chunk)
            return f"(({place.names[chunk]} >> {position * place.bits}) & {mask})"

        def chosen(n: Code) -> str:
            text = place.names[-1]
            last = len(place.names) - 1
            found = (
                f"({text} >> {self._times(f'({n.text} - {last * place.per_chunk})', place.bits)})"
            )
            for chunk in range(last - 1, -1, -1):
                start = chunk * place.per_chunk
                at = n.text if start == 0 else f"({n.text} - {start})"
                one = f"({place.names[chunk]} >> {self._times(at, place.bits)})"
                found = f"({one} if {n.text} < {start + place.per_chunk} else {found})"
            return f"({found} & {mask})"

        return self.as_name(Code(number, number_type(place)), "cell", chosen)

    @staticmethod
    def _times(text: str, factor: int) -> str:
        if text.isdigit():
            return str(int(text) * factor)
        return text if factor == 1 else f"({text} * {factor})"

    def _read_planes(self, place: Planes, number: str, kind: Scalar) -> Low:
        domain = place.variable.domain
        if domain_type(domain).is_boolean and len(domain) == 2 and not kind.can_be_none:
            text = self.bit(place.names[0][1], number)
            return Code(text if domain.values[place.names[0][0]] is True else f"(not {text})", kind)

        def chain(n: Code) -> str:
            text = str(self.codes.code(domain.values[place.default]))
            for digit, name in reversed(place.names):
                code = self.codes.code(domain.values[digit])
                text = f"({code} if {self.bit(name, n.text)} else {text})"
            return text

        own = domain_type(domain) if not kind.can_be_none else kind
        if not place.names:
            return Known(domain.values[place.default])
        return Code(self.as_name(Code(number, number_type(place)), "place", chain), own)

    def bit(self, plane: str, number: str) -> str:
        """Whether a square (not `none`) is in a set."""
        if number.isdigit():
            return f"({plane} & {self.program.number(1 << int(number))} != 0)"
        return f"(({plane} >> {number}) & 1 != 0)"

    def is_cell(self, node: nodes.Cell, value: Value, scope: Scope) -> str | None:
        """Code for `cell == value`: one bit of a plane; None where there is no plane."""
        place = self.layout.place_of(node.variable)
        if not isinstance(place, Planes) or value is NONE:
            return None
        digit = place.variable.domain.position(value)
        if digit is None:
            return None
        lows, doubtful = self.place(node.variable, node.indices, scope)
        if any(isinstance(low, Known) and low.value is NONE for low in lows):
            return "False"
        name = place.name_of(digit)

        def test(number: str) -> str:
            if name is not None:
                return self.bit(name, number)
            return self.bit(self.plane(place, digit), number)

        if not doubtful:
            return test(self.number_of(node.variable, lows))
        (low,) = lows
        assert isinstance(low, Code)

        def guarded(index: Code) -> str:
            there = self.number_of(node.variable, [index])
            return f"({index.text} != {self.codes.none} and {test(there)})"

        return self.as_name(low, "index", guarded)

    def plane(self, place: Planes, digit: int) -> str:
        """The set of squares that hold a digit."""
        name = place.name_of(digit)
        if name is not None:
            return name
        everything = self.program.number((1 << place.variable.size) - 1)
        if not place.names:
            return everything
        return f"({everything} & ~({' | '.join(name for _, name in place.names)}))"

    # --- writing ---------------------------------------------------------------------------

    def write(self, statement: nodes.SetCell, scope: Scope) -> None:
        """`variable[indices] = value`, in the order of the language: place, value, guards."""
        variable = statement.variable
        lows, _ = self.place(variable, statement.indices, scope)
        lows = [self._held(low, "at") for low in lows]
        value = self._held(self.lower(statement.value, scope), "value")
        self.store(variable, lows, value, statement)

    def _held(self, low: Low, stem: str) -> Low:
        if isinstance(low, Known) or (low.is_name and low.text not in self._field_names):
            return low
        name = self.program.fresh(stem)
        self.program.writer.assign(name, low.text)
        return Code(name, low.type, low.per)

    @property
    def _field_names(self) -> set[str]:
        return {field.name for field in self.layout.fields}

    def store(
        self,
        variable: nodes.Variable,
        lows: list[Low],
        value: Low,
        at: nodes.SetCell | nodes.Chance,
    ) -> None:
        """Put a value into a cell, guarded unless it is proved to fit."""
        writer = self.program.writer
        if any(isinstance(low, Known) and low.value is NONE for low in lows):
            site = self.site("E3002", at.span, lambda _, __: off_the_board(variable))
            writer.line(f"fault({site}, 0, 0)")
            return
        tests = [
            f"{low.text} == {self.codes.none}"
            for low in lows
            if isinstance(low, Code) and low.type.can_be_none
        ]
        if tests:
            site = self.site("E3002", at.span, lambda _, __: off_the_board(variable))
            with writer.block(f"if {' or '.join(tests)}"):
                writer.line(f"fault({site}, 0, 0)")
        number = self.number_of(variable, lows)
        value = self._in_domain(variable, number, value, at)
        place = self.layout.place_of(variable)
        if isinstance(value, Known) and variable.domain.position(value.value) is None:
            return
        if isinstance(place, Planes):
            spot = lows[0].spot if isinstance(lows[0], Code) else ""
            self._store_planes(place, number, value, spot)
        else:
            self._store_digit(place, number, self.digit_of(value, variable.domain))

    def _in_domain(
        self, variable: nodes.Variable, number: str, value: Low, at: nodes.SetCell | nodes.Chance
    ) -> Low:
        domain = variable.domain
        if isinstance(value, Known):
            if domain.position(value.value) is None:
                known = value.value
                site = self.site(
                    "E3001", at.span, lambda _, cell: out_of_range(variable, cell, known)
                )
                self.program.writer.line(f"fault({site}, 0, {number})")
            return value
        if value.per != 1:
            raise CannotCompileError("a fraction that is stored", at.span)
        if fits(value.type, domain) and not (
            value.type.can_be_none and domain.position(NONE) is None
        ):
            return value
        kind = value.type

        def message(found: int, cell: int) -> tuple[str, str | None]:
            return out_of_range(variable, cell, self.codes.value(found, kind))

        site = self.site("E3001", at.span, message)
        if domain.position(NONE) is None:
            test = self._inside(domain, kind.without_none())(value.text)
        else:
            test = f"{value.text} in ({', '.join(map(str, self.codes.of_domain(domain)))},)"
        with self.program.writer.block(f"if not ({test})"):
            self.program.writer.line(f"fault({site}, {value.text}, {number})")
        return Code(value.text, domain_type(domain))

    def _store_planes(self, place: Planes, number: str, value: Low, spot: str = "") -> None:
        writer = self.program.writer
        domain = place.variable.domain
        if number.isdigit():
            bit = self.program.number(1 << int(number))
        elif spot:
            bit = spot
        else:
            bit = self.program.fresh("bit")
            writer.assign(bit, f"ONE << {number}")
        for digit, name in place.names:
            held = domain.values[digit]
            if isinstance(value, Known):
                is_held = domain.position(value.value) == digit
                writer.assign(name, f"{name} | {bit}" if is_held else f"{name} & ~{bit}")
                continue
            if isinstance(held, bool):
                test = value.text if held else f"not {value.text}"
            else:
                test = f"{value.text} == {self.codes.code(held)}"
            writer.assign(name, f"({name} | {bit}) if {test} else ({name} & ~{bit})")

    def _store_digit(self, place: Digits, number: str, digit: str) -> None:
        writer = self.program.writer
        if place.variable.size == 1:
            writer.assign(place.names[0], digit)
            return
        if len(place.names) == 1 or number.isdigit():
            chunk = int(number) // place.per_chunk if number.isdigit() else 0
            at = str(int(number) % place.per_chunk) if number.isdigit() else number
            self._store_in_chunk(place, place.names[chunk], at, digit)
            return
        held = self.program.fresh("place")
        writer.assign(held, number)
        for chunk, name in enumerate(place.names):
            start = chunk * place.per_chunk
            head = "if" if chunk == 0 else "elif"
            test = f"{head} {held} < {start + place.per_chunk}"
            with writer.block("else" if chunk == len(place.names) - 1 else test):
                self._store_in_chunk(place, name, f"({held} - {start})" if start else held, digit)

    def _store_in_chunk(self, place: Digits, name: str, at: str, digit: str) -> None:
        mask = (1 << place.bits) - 1
        if at.isdigit():
            shift = int(at) * place.bits
            kept = self.program.number(((1 << self.layout.field(name).bits) - 1) & ~(mask << shift))
            moved = (
                self.program.number(int(digit) << shift)
                if digit.isdigit()
                else f"({digit} << {shift})"
            )
            self.program.writer.assign(name, f"{name} & {kept} | {moved}")
            return
        shift_text = self.program.fresh("shift")
        self.program.writer.assign(shift_text, self._times(at, place.bits))
        self.program.writer.assign(
            name, f"{name} & ~({mask} << {shift_text}) | ({digit} << {shift_text})"
        )


def number_type(place: Planes | Digits) -> Scalar:
    """The type of the number of a cell within its variable."""
    return number(0, place.variable.size - 1)
