"""Which constructs of the language a program uses, and which there are for a generator to reach.

In: a parsed program. Out: names such as `For`, `For while`, `operator //`, `call ray`. The list of
all constructs is taken from the syntax tree and the tables of the model: it grows with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from gamedsl.model.builtins import BUILTINS
from gamedsl.model.operations import REDUCTIONS
from gamedsl.syntax import ast

BINARY = ("+", "-", "*", "/", "//", "%", "..", "|")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "not in")
OPTIONAL_PARTS = (
    ("For", "condition"),
    ("For", "going"),
    ("If", "otherwise"),
    ("Chance", "condition"),
    ("Clause", "condition"),
    ("Parameter", "condition"),
    ("BoardGrid", "condition"),
    ("Wins", "amount"),
    ("Loses", "amount"),
    ("VariableDecl", "initial"),
    ("VariableDecl", "secret"),
    ("Secret", "owner"),
    ("IndexDecl", "name"),
    ("IndexDecl", "condition"),
    ("RepeatDecl", "times"),
    ("RepeatDecl", "outcome"),
    ("TreeChoice", "player"),
    ("TreeChoice", "information_set"),
    ("TreeBranch", "weight"),
    ("ExpectDecl", "number"),
)
ITEM_THAT_MAY_BE_NONE = "item of a list that may be `none`"
SUM_OF_A_CHOICE = "sum of what may be `none`, where it is not"
LEAP = "leap over several squares, perhaps off the board"
WORDS = ("turn", "opponent", "me", "stuck", "none", "empty", "true", "false")
SETS = ("players", "square", "columns", "rows", "directions", "bool")


OF_DIFFERENCES = {"IncludeDecl", "WithoutDecl", "Included"}
"""What only a file that includes another can hold; `tests/laws/test_including.py` makes these."""


def all_constructs() -> frozenset[str]:
    """Everything that there is to reach."""
    kinds = (ast.Expression, ast.Statement, ast.Declaration)
    names = [kind.__name__ for union in kinds for kind in get_args(union)]
    names += ["Always", "Clause", "Diagram", "Secret", "IndexDecl", "Parameter", "VariableDecl"]
    names += ["TreeBranch", "TreeChoice", "TreeLeaf", "Bound", "Bound subset", "max with others"]
    names += ["Chain", "Joined", "Placed", "TupleOfNames", "Parameter subset", "Chance subset"]
    names += [f"operator {sign}" for sign in (*BINARY, *COMPARISONS, "and", "or", "not", "minus")]
    names += [f"assignment {sign}" for sign in ("=", "+=", "-=")]
    names += [f"call {name}" for name in BUILTINS]
    names += [
        f"call {name} with directions"
        for name, row in BUILTINS.items()
        if row.usage_with_directions
    ]
    names += [f"call {name}" for name in REDUCTIONS]
    names += [f"{name} for" for name in REDUCTIONS]
    names += [f"name {word}" for word in (*WORDS, *SETS)]
    for kind, part in OPTIONAL_PARTS:
        names += [f"{kind} {part}", f"{kind} without {part}"]
    names += [
        "move secret",
        "move simultaneous",
        "many indices",
        "list in a list",
        ITEM_THAT_MAY_BE_NONE,
        SUM_OF_A_CHOICE,
        LEAP,
        "elif",
        "board that wraps",
        "expect turns",
        "settings",
    ]
    return frozenset(names) - OF_DIFFERENCES


def constructs(program: ast.Program) -> frozenset[str]:
    """What a program uses, of all there is."""
    return frozenset(name for node in ast.nodes_in(program.declarations) for name in _names(node))


RARE = (
    "WeightsBuild", "Weights", "RepeatDecl", "call group", "TreeLeaf", "list in a list", "Reward",
)  # fmt: skip
"""What engines do in ways of their own, and few games would hold if nobody saw to it."""


def _names(node: ast.Node) -> Iterator[str]:
    kind = type(node).__name__
    yield kind
    for owner, part in OPTIONAL_PARTS:
        if owner == kind:
            yield f"{kind} {part}" if getattr(node, part) is not None else f"{kind} without {part}"
    yield from _signs(node)
    match node:
        case ast.Name(text=text):
            yield f"name {text}"
        case ast.Call(function=function):
            yield f"call {function.text}"
            row = BUILTINS.get(function.text)
            if row is not None and len(node.arguments) > len(row.parameters):
                yield f"call {function.text} with directions"
        case ast.Quantifier(function=function):
            yield f"{function.text} for"
            yield from [f"{function.text} with others"] * bool(node.arguments)
            yield from [SUM_OF_A_CHOICE] * (
                function.text == "sum" and isinstance(node.element, ast.Conditional)
            )
        case ast.Index(base=ast.Index(indices=(ast.Quantifier() | ast.Conditional(),))):
            yield ITEM_THAT_MAY_BE_NONE
        case ast.Require(condition=ast.Compare(first=ast.Binary(right=ast.Binary(operator="*")))):
            yield LEAP
        case ast.Bound() | ast.Parameter() | ast.Chance():
            yield from [f"{kind} subset"] * node.is_subset
        case ast.BoardGrid(wraps=wraps):
            yield from ["board that wraps"] * bool(wraps)
        case ast.MoveDecl():
            yield from ["move secret"] * node.is_secret
            yield from ["move simultaneous"] * node.is_simultaneous
        case ast.Index(indices=indices) if len(indices) > 1:
            yield "many indices"
        case ast.ListLiteral(items=items) if any(isinstance(i, ast.ListLiteral) for i in items):
            yield "list in a list"
        case ast.If(branches=branches) if len(branches) > 1:
            yield "elif"
        case ast.ExpectDecl():
            yield from ["expect turns"] * node.in_turns
            yield from ["settings"] * bool(node.settings)


def _signs(node: ast.Node) -> Iterator[str]:
    match node:
        case ast.Unary(operator=sign):
            yield f"operator {'minus' if sign == '-' else sign}"
        case ast.Binary(operator=sign) | ast.Logic(operator=sign):
            yield f"operator {sign}"
        case ast.Series(operators=operators):
            yield from (f"operator {sign}" for sign in operators)
        case ast.Compare(rest=rest):
            yield from (f"operator {sign}" for sign, _ in rest)
        case ast.Assign(operator=sign):
            yield f"assignment {sign}"
