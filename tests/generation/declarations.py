"""Makes declarations: players, parameters, types, boards, state variables, `setup:`.

In: what is declared so far. Out: lines, and more that is declared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from tests.generation.code import Code, Sort, numbers
from tests.generation.declared import AtomType, Board, Place, Scope, Table, Variable
from tests.generation.ends import Ends
from tests.generation.layout import Line, Loop, Statement, indented, section
from tests.generation.statements import Allowed

PLAYERS = (("Ann", "Bob", "Cid"), ("X", "O", "Z"), ("Red", "Blue", "Green"))
TYPES = (("Throw", ("rock", "paper", "scissors")), ("Side", ("heads", "tails")))
WITH_NUMBERS = (("Throw", ("rock", "paper")), ("Side", ("1", "2", "tails")))
"""Types of which a product is made, in games of the players X and O."""
VARIABLES = ("cell", "heap", "flag", "spot", "marker", "keeper", "tally", "wheel")
ANONYMOUS = (("ice", "hole", "goal"), ("domino", "lamp"))
GRAPHS = (
    ("p1-p2-p3", "p3-q4", "p1-q4"),
    ("p1-p2", "p2-p3-q4-q5", "q5-p1"),
    ("p1", "p2-p3"),
    ("p1-p2-p3-p1", "q4-p2"),
    ("p1-p2-q4-p3-p1", "p1-p1", "q4-p1"),
)
DIRECTIONS = (("N", "E", "S", "W"), ("N", "NE", "E", "S", "SW", "W"), ("E", "W"))
ALL_DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
WRAPS = (" wrap", " wrap", " wrap wide", " wrap high")
MASKS = ("column != row", "(column + row) % 2 == 0", "column > 1 or row == 1", "row != 2")


class Declarations(Ends):
    """Makes everything above the moves."""

    def players(self) -> list[str]:
        """`players A, B`, or so many of three names."""
        count = 2 if self.is_plain else self.dice.choose((2, 2, 2, 1, 3))
        names = self.dice.choose(PLAYERS)
        self.declared.players = names[:count]
        if not self.is_plain and self.dice.happens(20):
            return ["param seats = 1", f"players seats + {count - 1} of {', '.join(names)}"]
        return [f"players {', '.join(self.declared.players)}"]

    def parameters(self) -> list[str]:
        """`param`s: numbers, lists, players."""
        found: list[str] = []
        for _ in range(self.dice.choose((1, 0, 2))):
            name = self.declared.fresh("param")
            if self.dice.happens(25):
                found.append(self._table(name))
            elif self.dice.happens(35):
                values = [self.dice.number(0, 4) for _ in range(self.dice.number(1, 3))]
                sort = numbers(min(values), max(values))
                code = Code(name, 10, sort, len(values), True)
                self.declared.lists.append(code)
                found.append(f"param {name} = [{', '.join(map(str, values))}]")
            elif self.dice.happens(25):
                player = self.dice.choose(self.declared.players)
                self.declared.constants.append(Code(name, 10, Sort("player"), -1, True))
                found.append(f"param {name} = {player}")
            else:
                value = self.dice.number(1, 4)
                self.declared.constants.append(Code(name, 10, numbers(value, value), -1, True))
                found.append(f"param {name} = {value}")
        return found

    def _table(self, name: str) -> str:
        """A list of lists, perhaps of different lengths."""
        height, width = self.dice.number(1, 3), self.dice.number(1, 2)
        rows = [
            [self.dice.number(0, 4) for _ in range(width + self.dice.choose((0, 0, 1)))]
            for _ in range(height)
        ]
        every = [value for row in rows for value in row]
        table = Table(name, height, width, numbers(min(every), max(every)))
        self.declared.tables.append(table)
        listed = ", ".join(f"[{', '.join(map(str, row))}]" for row in rows)
        return f"param {name} = [{listed}]"

    def types(self) -> list[str]:
        """`type`s of new atoms, unions of them, and ranges of numbers."""
        chosen = self.dice.some(TYPES, 0, 2)
        if chosen == TYPES and self.declared.players[0] == "X":
            chosen = WITH_NUMBERS
        for name, atoms in chosen:
            self.declared.types.append(AtomType(name, atoms))
        found = [f"type {kind.name} = {' | '.join(kind.atoms)}" for kind in self.declared.types]
        if chosen is WITH_NUMBERS:
            (owner, owners), (part, parts) = chosen
            atoms = tuple(f"{one}_{other}" for one, other in product(owners, parts))
            self.declared.types.append(AtomType("Pair", atoms, (part, owner)))
            found.append(f"type Pair = {part} of {owner}")
        if self.dice.happens(20):
            high = self.dice.number(2, 4)
            self.declared.number_types.append(Code("Face", 10, numbers(1, high), high, True))
            found.append(f"type Face = 1..{high}")
        return found

    # --- the board -------------------------------------------------------------------------

    def board(self) -> list[str]:
        """No board, a grid, a grid with squares missing, or a graph."""
        kind = self.dice.choose(("", "grid", "grid", "masked", "graph"))
        if not kind:
            return []
        if kind == "graph":
            return self._graph()
        width, height = self.dice.number(2, 3), self.dice.number(1, 3)
        mask = ""
        squares = [(c, r) for r in range(1, height + 1) for c in range(1, width + 1)]
        if kind == "masked":
            mask = self.dice.choose(MASKS)
            squares = [(c, r) for c, r in squares if eval(mask, {"column": c, "row": r})]
        if len(squares) < 2:
            mask, width, height = "", 2, 2
            squares = [(1, 1), (2, 1), (1, 2), (2, 2)]
        directions = self.dice.choose((ALL_DIRECTIONS, *DIRECTIONS))
        names = tuple(f"{'abc'[column - 1]}{row}" for column, row in squares)
        self.declared.board = Board(names, width, height, directions)
        found = [f"board {self._size(width)} wide {self._size(height)} high{self._wrap()}"]
        if mask:
            found[0] += f" where {mask}"
        if directions is not ALL_DIRECTIONS:
            found.append(f"directions {', '.join(directions)}")
        return found

    def _wrap(self) -> str:
        return self.dice.choose(WRAPS) if self.dice.happens(35) else ""

    def _size(self, size: int) -> str:
        same = [c.text for c in self.declared.constants if c.sort == numbers(size, size)]
        return self.dice.choose([str(size), *same])

    def _graph(self) -> list[str]:
        chains = self.dice.choose(GRAPHS)
        squares = tuple(dict.fromkeys(name for chain in chains for name in chain.split("-")))
        self.declared.board = Board(squares, 0, 0, (), len(chains))
        lines = list(chains)
        if self.dice.happens(40):
            point, *others = self.dice.some(squares, 2, 3)
            lines.append(f"{point}: {', '.join(others)}")
        if self.dice.happens(30):
            lines += [f"{name} at ({n}, {n} % 2 - 1)" for n, name in enumerate(squares)]
        return ["board graph:", *indented(lines)]

    # --- state -----------------------------------------------------------------------------

    def state(self) -> list[str]:
        """`state:` with variables of all kinds; those without initial value are set in `setup`."""
        found: list[str] = []
        for name in VARIABLES[: self.dice.choose((2, 1, 3, 4))]:
            found += self._variable(name)
        if self.clock:
            index = "[players]" if self.declared.is_simultaneous else ""
            found.append(f"clock{index}: 0..{self.limit} = 0")
        return ["state:", *indented(found)]

    clock: str = ""
    limit: int = 0
    is_plain: bool = False
    """Whether this is a game for two without `setup:`."""
    unset: frozenset[str] = frozenset()

    def _variable(self, name: str) -> list[str]:
        sort, domain = self._domain()
        indices = self._indices(name)
        secret = self._secret(indices)
        variable = Variable(name, indices, sort, secret)
        named = [self.declared.fresh("i") for _ in indices]
        shown = [
            f"{label} in {self.domain_text(index)}"
            if secret in {"owner", "others"} or self.dice.happens(60)
            else self.domain_text(index)
            for label, index in zip(named, indices, strict=True)
        ]
        if sort.family == "number" and sort.is_sure and numbers(1, 2) in indices:
            domain = self._own_domain(sort, domain, shown[indices.index(numbers(1, 2))])
        shown = [self._with_condition(text) for text in shown]
        head = f"{name}[{', '.join(shown)}]" if indices else name
        tail = ""
        if secret:
            first = named[0] if named else ""
            owner = {"nobody": "", "owner": f" to {first}", "others": f" to players - {first}"}
            tail = f" secret{owner.get(secret, f' to {secret}')}"
        initial, rows = self._initial(variable, shown, named)
        if initial is None:
            self.unset |= {name}
        self.declared.variables.append(variable)
        text = f"{head}: {domain}" + ("" if initial is None else f" = {initial}") + tail
        return [text, *rows, *self._kept(name, domain, named, shown, tail)]

    def _kept(
        self, name: str, domain: str, named: list[str], shown: list[str], tail: str
    ) -> list[str]:
        """A variable that always has the values of a secret variable, perhaps for all to see.

        The length of the domain decides, not the dice: a seed makes the game that it made before.
        """
        if not tail or self.declared.is_simultaneous or len(domain) % 2:
            return []
        indices = [
            index if " in " in index else f"{label} in {index}"
            for label, index in zip(named, shown, strict=True)
        ]
        head, cell = (
            f"{word}[{', '.join(inside)}]" if named else word
            for word, inside in ((f"kept_{name}", indices), (name, named))
        )
        return [f"{head}: {domain} always {cell}{tail * (len(domain) % 4 == 0)}"]

    def _own_domain(self, sort: Sort, domain: str, index: str) -> str:
        """A domain that names an index 1..2 and holds all that is stored there."""
        label, is_named, _ = index.partition(" in ")
        if sort.tokens or not is_named or self.dice.happens(50):
            return domain
        return f"{sort.low}..{label} + {sort.high - 1}"

    def _with_condition(self, index: str) -> str:
        """An index with a `where` that leaves nothing out."""
        label, is_named, _ = index.partition(" in ")
        if not is_named or self.dice.happens(80):
            return index
        return f"{index} where {label} == {label}"

    def _domain(self) -> tuple[Sort, str]:
        sorts = [s for s in self.sorts() if s.family != "offset"]
        board = self.declared.board
        if board is not None:
            sorts += [Sort("player", empty=True)] * 3
        kind = self.dice.number(0, 9)
        if kind == 8:
            players = self.declared.players
            of_players = (("5", *players), ("false", "true", *players))
            of_numbers = (("0", "2", "3"), ("none", "1", "4"))
            tokens = self.dice.choose((*of_numbers, *ANONYMOUS, *of_players))
            text = f"{{{', '.join(tokens)}}}" if self.dice.happens(50) else " | ".join(tokens)
            family = "number" if "1" in tokens or "0" in tokens else tokens[0]
            low, high = (0, 4) if family == "number" else (0, 0)
            is_none = "none" in tokens
            return Sort(family, low, high, none=is_none, tokens=tokens), text
        sort = self.dice.choose(sorts)
        if sort.family == "number":
            low, high = self.dice.choose(((0, 2), (0, 3), (1, 3), (-1, 2), (0, 1)))
            sort = numbers(low, high)
            if self.dice.happens(25):
                sort = replace(sort, empty=True) if self.dice.happens(60) else sort.or_none()
                return sort, self.domain_text(sort)
            return sort, self._number_domain(sort)
        if sort.family != "bool" and self.dice.happens(30):
            sort = sort.or_none()
        return sort, self.domain_text(sort)

    def _number_domain(self, sort: Sort) -> str:
        same = [c.text for c in self.declared.constants if c.sort == numbers(sort.high, sort.high)]
        if same and self.dice.happens(50):
            return f"{sort.low}..{self.dice.choose(same)}"
        exact = [t.text for t in self.declared.number_types if t.sort == sort]
        return self.dice.choose([self.domain_text(sort), *exact])

    def _indices(self, name: str) -> tuple[Sort, ...]:
        if name == VARIABLES[0] and self.declared.board is not None:
            return (Sort("square"),)
        if name == VARIABLES[0] and self.declared.is_simultaneous:
            return (Sort("player"),)
        if self.declared.has_secrets and self.dice.happens(35):
            return (Sort("player"),)
        possible: list[tuple[Sort, ...]] = [(), (), (Sort("player"),), (numbers(1, 2),)]
        possible.append((Sort("player"), numbers(0, 1)))
        possible.append((Sort("bool"),))
        possible += [(Sort(kind.name),) for kind in self.declared.types]
        if self.declared.board is not None:
            possible.append((Sort("square"),))
            possible += [(Sort("player"), Sort("square")), (numbers(1, 2), Sort("square"))]
            if self.declared.board.is_grid:
                possible.append((Sort("compass"),))
        return self.dice.choose(possible)

    def _secret(self, indices: tuple[Sort, ...]) -> str:
        if not self.declared.has_secrets or self.dice.happens(40):
            return ""
        players = self.declared.players
        kinds = ["nobody", self.dice.choose(players), f"{{{players[0]}, {players[-1]}}}"]
        if indices == (Sort("player"),):
            kinds = ["owner", "others", "owner", "others", *kinds]
        return self.dice.choose(kinds)

    def _initial(
        self, variable: Variable, shown: list[str], named: list[str]
    ) -> tuple[str | None, list[str]]:
        board = self.declared.board
        may_wait = variable.indices in {(), (Sort("player"),)} and not self.is_plain
        if may_wait and self.dice.happens(25):
            return None, []
        if variable.is_on_squares and board and board.is_grid and self.dice.happens(35):
            return "diagram", self._diagram(variable.sort, board)
        scope = Scope(Place.CONSTANT)
        for name, text, sort in zip(named, shown, variable.indices, strict=True):
            if text.startswith(f"{name} in "):
                scope = scope.having(Code(name, 10, sort, -1, True))
        return self.value(variable.sort, scope, self.dice.choose((0, 1, 2))).text, []

    def _diagram(self, sort: Sort, board: Board) -> list[str]:
        tokens = [text for text in self.domain_values(sort) if not text.startswith("-")]
        starts = [token[0] for token in tokens if token not in ("false", "true")]
        tokens += [start for start in starts if start.isalpha() and starts.count(start) == 1]
        tokens.append(".")
        rows = []
        for row in range(board.height, 0, -1):
            whole = range(1, board.width + 1)
            there = [column for column in whole if f"{'abc'[column - 1]}{row}" in board.squares]
            columns: Sequence[int] = whole
            if there and len(there) < board.width and self.dice.happens(50):
                columns = there
            drawn = [self.dice.choose(tokens) if c in there else "." for c in columns]
            rows.append(" ".join(drawn))
        return indented(rows)

    # --- setup -----------------------------------------------------------------------------

    def setup(self) -> list[str]:
        """`setup:`, which sets what has no initial value, and perhaps does more."""
        scope = Scope(Place.SETUP, unset=self.unset, is_open=True)
        body: list[Statement] = []
        if self.is_plain:
            return []
        for variable in self.declared.variables:
            if variable.name in self.unset:
                body += self._first_value(variable, scope)
        if self.dice.happens(30):
            open_scope = Scope(Place.SETUP, is_open=True)
            body += self.block(open_scope, 1, 2, Allowed(chance=True, turn=False))
        if self.has_rewards and self.dice.happens(30):
            first = Code(self.declared.fresh("first"), 10, Sort("player"))
            inner = Scope(Place.SETUP, is_open=True).having(first)
            body += [Line(f"chance {first.text} in players"), self.reward(inner, 1)]
        if body and self.dice.happens(20):
            body.append(Line(f"turn = {self.declared.players[-1]}"))
        return section(self.dice, "setup", tuple(body)) if body else []

    def _first_value(self, variable: Variable, scope: Scope) -> list[Statement]:
        if not variable.indices:
            if self.dice.happens(60):
                return [Line(self.draw_into(variable, variable.name, scope))]
            return [Line(f"{variable.name} = {self.value(variable.sort, scope, 1).text}")]
        if self.dice.happens(40):
            name = self.declared.fresh()
            place = f"{variable.name}[{name}]"
            inner = scope.having(Code(name, 10, Sort("player")))
            if self.dice.happens(50):
                change = Line(self.draw_into(variable, place, inner))
            else:
                change = Line(f"{place} = {self.value(variable.sort, inner, 1).text}")
            return [Loop(f"for {name} in players", (change,))]
        found: list[Statement] = []
        places = [f"{variable.name}[{player}]" for player in self.declared.players]
        values = self.domain_values(variable.sort)
        for number, place in enumerate(places):
            text = f"chance {place} in {self.domain_text(variable.sort)}"
            if number and len(values) > number:
                text += f" where {place} != {places[number - 1]}"
            found.append(Line(text))
        return found
