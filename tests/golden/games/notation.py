"""Typed expressions of a model as text that does not depend on the classes of the nodes.

In: expressions over the state before a move. Out: text in the language's notation. Places, types
and narrowings are left out; locals are numbered by their first appearance.
"""

from __future__ import annotations

import re

from gamedsl.model import nodes
from gamedsl.model.types import SetType
from gamedsl.model.values import text_of

SLOT = re.compile(r"@(\d+)")


class Notation:
    """Writes expressions that share parts and definitions.

    A definition is written once, as a line of `definitions`.
    """

    def __init__(self) -> None:
        self.definitions: list[str] = []
        self._known: dict[int, tuple[object, str]] = {}

    def text(self, node: nodes.Expr) -> str:
        """An expression; a local is `@` and its slot until `folded` numbers the locals."""
        entry = self._known.get(id(node))
        if entry is None:
            entry = self._known[id(node)] = (node, self._text(node))
        return entry[1]

    def listed(self, several: tuple[nodes.Expr, ...]) -> str:
        """Expressions with commas between them."""
        return ", ".join(map(self.text, several))

    def _text(self, node: nodes.Expr) -> str:
        text = self.text
        match node:
            case nodes.Const():
                return text_of(node.value)
            case nodes.Local():
                return f"@{node.slot}"
            case nodes.Cell():
                return f"{node.variable.name}[{self.listed(node.indices)}]"
            case nodes.ArrayRef():
                return f"{node.variable.name}[{self.listed(node.fixed)} ...]"
            case nodes.Mover():
                return node.word
            case nodes.Stuck():
                return "stuck"
            case nodes.Not():
                return f"not {text(node.operand)}"
            case nodes.Narrowed():
                return text(node.operand)
            case nodes.Arithmetic() | nodes.Compare():
                return f"({text(node.left)} {node.operator} {text(node.right)})"
            case nodes.Member():
                return f"({text(node.element)} in {text(node.collection)})"
            case nodes.Logic():
                return f"({f' {node.operator} '.join(map(text, node.operands))})"
            case nodes.Conditional():
                then, otherwise = text(node.then), text(node.otherwise)
                return f"({then} if {text(node.condition)} else {otherwise})"
            case nodes.Collection():
                items = self.listed(node.items)
                return f"{{{items}}}" if isinstance(node.type, SetType) else f"[{items}]"
            case nodes.Builtin(name="..", arguments=(low, high)):
                return f"({text(low)}..{text(high)})"
            case nodes.Builtin(name="|", arguments=(left, right)):
                return f"({text(left)} | {text(right)})"
            case nodes.Builtin(name="[]", arguments=(items, index)):
                return f"{text(items)}[{text(index)}]"
            case nodes.Comprehension():
                clauses = "".join(map(self._clause, node.clauses))
                return f"{node.kind}({text(node.element)}{clauses})"
            case nodes.Apply() | nodes.ApplyRecursive():
                return f"{self._called(node.definition)}({self.listed(node.arguments)})"
            case nodes.Builtin(name="-n" | "-d", arguments=(operand,)):
                return f"-{text(operand)}"
            case nodes.Builtin(name="s+d" | "d+d" | "n*d", arguments=(left, right)):
                return f"({text(left)} {node.name[1]} {text(right)})"
            case nodes.Builtin():
                return f"{node.name}({self.listed(node.arguments)})"

    def _clause(self, clause: nodes.Clause) -> str:
        where = "" if clause.condition is None else f" where {self.text(clause.condition)}"
        return f" for @{clause.slot} in {self.text(clause.domain)}{where}"

    def _called(self, definition: nodes.Definition | nodes.RecursiveDefinition) -> str:
        """The name of a definition, numbered: a name may have several bodies."""
        entry = self._known.get(id(definition))
        if entry is None:
            name = f"{definition.name}_{len(self.definitions) + 1}"
            entry = self._known[id(definition)] = (definition, name)
            self.definitions.append("")
            place = len(self.definitions) - 1
            if isinstance(definition, nodes.Definition):
                slots, body = definition.slots, definition.body
            else:
                slots = tuple(parameter.slot for parameter in definition.parameters)
                body = definition.value
            parameters = ", ".join(f"@{slot}" for slot in slots)
            self.definitions[place] = f"def {name}({parameters}) = {self.text(body)}"
        return entry[1]


def folded(text: str) -> str:
    """A text with its locals numbered by first appearance."""
    numbers: dict[str, int] = {}
    return SLOT.sub(lambda found: f"v{numbers.setdefault(found[1], len(numbers) + 1)}", text)
