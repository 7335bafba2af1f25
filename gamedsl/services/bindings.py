"""Name resolution: the declaration of each name of a program, in texts with mistakes too.

In: a program with its included files, and its global names. Out: `Occurrence`s. The rule is the
rule of the language: a name means the innermost `let`, loop or parameter around it, else a global
name, and no name hides another. Elaboration resolves names in the same way (a law compares the two)
but stops at mistakes; this module resolves names wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gamedsl.model.builtins import BUILTINS
from gamedsl.model.elaborate.declarations.claims import ABOUT_ACTIONS
from gamedsl.model.operations import REDUCTIONS
from gamedsl.model.symbols.keywords import KEYWORDS
from gamedsl.model.symbols.symbol_table import SymbolTable
from gamedsl.model.values import COMPASS, Pair
from gamedsl.services.symbols import Occurrence, Symbol, SymbolKind
from gamedsl.source import Span
from gamedsl.syntax import ast

Names = Mapping[str, Symbol]
"""Names in force at a place."""

CELL_WORDS = ("column", "row")
"""Names of a square's column and row in the declaration of the board."""


def bindings(program: ast.Program, symbols: SymbolTable) -> tuple[Occurrence, ...]:
    """All names of a program that have a meaning, in order of place, each place once."""
    resolver = _Resolver(program, symbols)
    resolver.run()
    return tuple(sorted(resolver.occurrences.values(), key=lambda occurrence: occurrence.span))


def global_symbols(program: ast.Program, symbols: SymbolTable) -> dict[str, Symbol]:
    """The meanings of global names; the first declaration of a name counts."""
    meanings: dict[str, Symbol] = {}

    def add(kind: SymbolKind, name: ast.Name, node: ast.Node) -> None:
        meanings.setdefault(name.text, Symbol(kind, name.text, name.span, node))

    for declared in program.declarations:
        match declared:
            case ast.ParamDecl():
                add(SymbolKind.PARAM, declared.name, declared)
            case ast.TypeDecl():
                add(SymbolKind.TYPE, declared.name, declared)
            case ast.DefDecl():
                add(SymbolKind.DEFINITION, declared.name, declared)
            case ast.EffectDecl():
                add(SymbolKind.EFFECT, declared.name, declared)
            case ast.PlayersDecl():
                for name in declared.names:
                    add(SymbolKind.PLAYER, name, declared)
            case ast.StateDecl():
                for variable in declared.variables:
                    add(SymbolKind.VARIABLE, variable.name, variable)
    for text, name in symbols.declared.items():
        if (atom := symbols.atoms.get(text)) is not None:
            is_pair = isinstance(atom, Pair)
            add(SymbolKind.VALUE, name, symbols.types[atom.kind] if is_pair else name)
    for declared in program.declarations:
        if isinstance(declared, ast.BoardGraph):
            for point in points_of(declared):
                add(SymbolKind.SQUARE, point, declared)
    return meanings


def points_of(board: ast.BoardGraph) -> Iterable[ast.Name]:
    """The names of points in a graph, in order, with repeats."""
    for line in board.lines:
        match line:
            case ast.Chain():
                yield from line.points
            case ast.Joined():
                yield line.point
                yield from line.neighbours
            case ast.Placed():
                yield line.point


def meaning(text: str, known: Names, symbols: SymbolTable) -> Symbol | None:
    """The meaning of a name that is not local; `known` are the global names of the file."""
    if text in known:
        return known[text]
    if text in KEYWORDS:
        return Symbol(SymbolKind.WORD, text)
    board = symbols.board
    if board is not None and board.is_grid and text in COMPASS:
        return Symbol(SymbolKind.DIRECTION, text)
    if board is not None and text in board.named:
        return Symbol(SymbolKind.SQUARE, text)
    return None


def called(text: str, known: Names) -> Symbol | None:
    """The meaning of a name in front of `(`."""
    if text in known:
        return known[text]
    return Symbol(SymbolKind.FUNCTION, text) if text in BUILTINS or text in REDUCTIONS else None


class _Resolver:
    def __init__(self, program: ast.Program, symbols: SymbolTable) -> None:
        self._program = program
        self._symbols = symbols
        self._globals = global_symbols(program, symbols)
        self._moves: dict[str, Symbol] = {}
        for move in symbols.all(ast.MoveDecl):
            name = move.name
            self._moves.setdefault(name.text, Symbol(SymbolKind.MOVE, name.text, name.span, move))
        self._infosets: dict[str, Symbol] = {}
        self._owner = ""
        self.occurrences: dict[Span, Occurrence] = {}

    def run(self) -> None:
        for declared in self._program.declarations:
            self._owner = ""
            self._read(declared, {})

    # --- names ---------------------------------------------------------------------------------

    def _put(self, name: ast.Node, symbol: Symbol | None, is_written: bool = False) -> None:
        if symbol is not None and name.span not in self.occurrences:
            file, place = self._program.source.local(name.span)
            self.occurrences[name.span] = Occurrence(symbol, name.span, file, place, is_written)

    def _new(
        self,
        target: ast.Name | ast.TupleOfNames,
        node: ast.Node,
        names: Names,
        kind: SymbolKind = SymbolKind.PARAMETER,
    ) -> Names:
        """The names in force with the local names of a target added."""
        for name in (target,) if isinstance(target, ast.Name) else target.names:
            symbol = Symbol(kind, name.text, name.span, node, self._owner)
            self._put(name, symbol)
            names = {**names, name.text: symbol}
        return names

    def _meaning(self, text: str, names: Names) -> Symbol | None:
        return names[text] if text in names else meaning(text, self._globals, self._symbols)

    def _is_new(self, node: ast.Expression, names: Names) -> bool:
        """Whether an expression is a name without a meaning."""
        return isinstance(node, ast.Name) and self._meaning(node.text, names) is None

    # --- nodes ---------------------------------------------------------------------------------

    def _all(self, parts: tuple[object, ...], names: Names) -> Names:
        """Enter all names in nodes; the names in force behind the last node."""
        for part in parts:
            names = self._read(part, names)
        return names

    def _read(self, node: object, names: Names) -> Names:
        """Enter all names in a node, or in a tuple, whose local names end with the tuple; the names
        in force behind the node."""
        match node:
            case tuple():
                self._all(node, names)
            case ast.Name():
                self._put(node, self._meaning(node.text, names))
            case ast.Call(function=ast.Name(text="stuck")):
                self._all((node.function, *node.arguments[:1]), names)
                for move in node.arguments[1:]:
                    self._action(move)
            case ast.Call(function=name) | ast.CallEffect(name=name):
                self._put(name, called(name.text, self._globals))
                self._read(node.arguments, names)
            case ast.Quantifier():
                self._put(node.function, called(node.function.text, self._globals))
                self._read(node.arguments, names)
                self._read(node.element, self._all(node.clauses, names))
            case ast.SetBuild() | ast.ListBuild():
                self._read(node.element, self._all(node.clauses, names))
            case ast.WeightsBuild():
                self._all((node.key, node.weight), self._all(node.clauses, names))
            case ast.Clause():
                self._read(node.domain, names)
                names = self._new(node.name, node, names, SymbolKind.LOCAL)
                self._read(node.condition, names)
            case ast.Parameter() | ast.IndexDecl():
                self._read(node.domain, names)
                names = names if node.name is None else self._new(node.name, node, names)
                self._read(node.condition, names)
            case ast.Assign() | ast.AssignAll() | ast.Let() | ast.For() | ast.Chance():
                return self._statement(node, names)
            case (
                ast.Reward(shares=((ast.Name() as key, amount),))
                | ast.Payoff(entries=((ast.Name() as key, amount),))
            ) if self._is_new(key, names):  # for every player
                self._read(amount, self._new(key, key, names, SymbolKind.LOCAL))
            case ast.Node():
                self._declaration(node, names)
        return names

    def _write(self, target: ast.Expression, names: Names) -> None:
        """Enter the target of an assignment: the name is written, the indices are read."""
        base = target
        while isinstance(base, ast.Index):
            self._read(base.indices, names)
            base = base.base
        if isinstance(base, ast.Name):
            self._put(base, self._meaning(base.text, names), is_written=True)
        else:
            self._read(base, names)

    def _statement(
        self, node: ast.Assign | ast.AssignAll | ast.Let | ast.For | ast.Chance, names: Names
    ) -> Names:
        match node:
            case ast.Assign():
                self._write(node.target, names)
                self._read(node.value, names)
            case ast.AssignAll():
                for target in node.targets:
                    self._write(target, names)
                self._read(node.values, names)
            case ast.Let():
                self._read(node.value, names)
                return self._new(node.name, node, names, SymbolKind.LOCAL)
            case ast.For():
                self._read(node.domain, names)
                inner = self._new(node.name, node, names, SymbolKind.LOCAL)
                self._read((node.condition, node.going, node.body), inner)
            case ast.Chance():
                self._read(node.domain, names)
                if isinstance(node.target, ast.Name) and self._is_new(node.target, names):
                    names = self._new(node.target, node, names, SymbolKind.LOCAL)
                else:
                    self._write(node.target, names)
                self._read((node.condition, node.weight), names)
        return names

    # --- declarations --------------------------------------------------------------------------

    def _declaration(self, node: ast.Node, names: Names) -> None:
        match node:
            case ast.BoardGrid():
                self._read((node.width, node.height), names)
                cell_functions = {word: Symbol(SymbolKind.FUNCTION, word) for word in CELL_WORDS}
                self._read(node.condition, cell_functions)
            case ast.BoardGraph():
                for point in points_of(node):
                    self._put(point, self._globals.get(point.text))
            case ast.VariableDecl():
                self._owner = node.name.text
                self._put(node.name, self._globals.get(node.name.text))
                names = self._all(node.indices, names)
                self._all((node.domain, node.initial, node.secret), names)
            case ast.MoveDecl():
                self._owner = f"move {node.name.text}"
                self._put(node.name, self._moves[node.name.text])
                self._read(node.body, self._all(node.parameters, names))
            case ast.DefDecl() | ast.EffectDecl():
                self._definition(node)
            case ast.EvaluateDecl():
                self._owner = "evaluate"
                self._read((node.condition, node.value), self._new(node.player, node, names))
            case ast.Shown():
                self._shown(node)
            case ast.TreeChoice():
                self._tree(node)
            case ast.ExpectDecl():
                self._expect(node)
            case ast.WithoutDecl():
                pass  # names of what is left out, in another file
            case ast.Diagram():
                self._read(node.rows, {})
            case _:
                self._read(ast.contents(node), names)

    def _definition(self, node: ast.DefDecl | ast.EffectDecl) -> None:
        self._put(node.name, self._globals.get(node.name.text))
        word = "def" if isinstance(node, ast.DefDecl) else "effect"
        self._owner = f"{word} {node.name.text}"
        names: Names = {}
        for parameter in node.parameters:
            names = self._new(parameter, node, names)
        if isinstance(node, ast.DefDecl):
            self._read(node.bounds, {})
            self._read(node.value, names)
        else:
            self._read(node.body, names)

    def _shown(self, node: ast.Shown) -> None:
        """Enter the names drawn by a `show` line; for an edge of the board, the player who owns the
        edge."""
        self._read(node.names, {})
        symbol = self._meaning(node.look.text, {})
        if isinstance(node.look, ast.Name) and symbol and symbol.kind is SymbolKind.PLAYER:
            self._put(node.look, symbol)

    def _tree(self, node: ast.TreeChoice) -> None:
        self._read(node.player, {})
        label = node.information_set
        if label is not None:
            known = Symbol(SymbolKind.INFORMATION_SET, label.text, label.span, node)
            self._put(label, self._infosets.setdefault(label.text, known))
        for branch in node.branches:
            self._all((branch.weight, branch.subtree), {})

    def _expect(self, node: ast.ExpectDecl) -> None:
        self._read(node.settings, {})
        if node.fact.text not in ABOUT_ACTIONS:
            self._read(node.claims, {})
            return
        for claim in node.claims:
            self._action(claim)

    def _action(self, node: ast.Node) -> None:
        """Enter the names of an action: moves, and the values in their brackets."""
        match node:
            case ast.Call():
                self._put(node.function, self._moves.get(node.function.text))
                self._read(node.arguments, {})
            case ast.Binary() | ast.Series():
                for operand in ast.children(node):
                    self._action(operand)
            case ast.Name() if node.text in self._moves:
                self._put(node, self._moves[node.text])
            case _:
                self._read(node, {})
