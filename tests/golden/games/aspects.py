"""The aspects of a shipped game that a change of the core may lose without a wrong answer.

In: a model and its generated module. Out: for each aspect a text, equal in every process, and
figures of the text. Generated code is compared without comments and without the names of locals.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass

from gamedsl.compiler.foresight.prospects import prospects
from gamedsl.compiler.foresight.wins import foresight
from gamedsl.compiler.generated import Generated
from gamedsl.compiler.printers.python import print_module
from gamedsl.model import Model, nodes
from gamedsl.model.rewriting.effects import Effect, effect_of
from gamedsl.model.rewriting.endings import Endings, endings_after, endings_of
from gamedsl.model.rewriting.goals import goals_of
from gamedsl.model.rewriting.legality import stuck_at
from gamedsl.model.rewriting.moments import Moment, NotToldError, Unknown
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.symmetries import symmetries
from gamedsl.model.rewriting.terms import Terms
from gamedsl.model.values import text_of
from tests.golden.games.counting import counted
from tests.golden.games.notation import Notation, folded

REFUSED = "refused: "
NAME = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
NUMBERED = re.compile(r"(?<=__f)\d+\b")
"""Numbers of functions that the lowering adds."""


@dataclass(frozen=True, slots=True)
class Fact:
    """An aspect of a game: the whole text, and figures about the text by name."""

    text: str
    figures: Mapping[str, int]

    def __str__(self) -> str:
        """A hash and the figures, or the reason of a refusal."""
        if self.text.startswith(REFUSED):
            return self.text
        figures = ", ".join(f"{name} {number}" for name, number in self.figures.items())
        return f"{hashlib.sha256(self.text.encode()).hexdigest()[:8]}  {figures}"


def code(_: Model, generated: Generated | None) -> Fact:
    """The generated Python."""
    if generated is None:
        return Fact(f"{REFUSED}not compiled", {})
    text = folded_code(generated.source)
    return Fact(text, asdict(counted(generated, text)))


def foreseen(model: Model, generated: Generated | None) -> Fact:
    """The functions about the moves ahead."""
    if generated is None:
        return Fact(f"{REFUSED}not compiled", {})
    wins, chances = foresight(model, generated), prospects(model, generated)
    modules = [module for module in (wins, chances and chances.module) if module is not None]
    rest = f"# a player without prospects gets {chances.rest} at most\n" if chances else ""
    text = rest + "\n".join(folded_code(print_module(module)) for module in modules)
    figures = {"functions": sum(len(module.functions) for module in modules)}
    return Fact(text or f"{REFUSED}nothing is foreseen", {**figures, "lines": text.count("\n")})


def proved_symmetries(model: Model, _: Generated | None) -> Fact:
    """The proved symmetries, with the images of values and cells."""
    proved = symmetries(model)
    if isinstance(proved, Unknown):
        return Fact(REFUSED + proved.reason, {})
    lines = []
    for symmetry in proved:
        values = sorted(f"{text_of(v)}->{text_of(i)}" for v, i in symmetry.renaming.items())
        cells = [f"{cell}->{image}" for cell, image in sorted(symmetry.cells.items())]
        keeps = "players stay" if symmetry.keeps_players else "players move"
        lines.append(f"{symmetry.name}: {keeps}; {', '.join(values)}; {', '.join(cells)}\n")
    return Fact("".join(lines), {"symmetries": len(proved)})


def effects(model: Model, _: Generated | None) -> Fact:
    """The effect of every move: bindings, needs, writes and the next player; or the refusal."""
    found = [effect_of(model, move) for move in model.moves]
    told = [effect for effect in found if isinstance(effect, Effect)]
    texts = [
        f"{move.name}\n{_lines(_of_effect(effect) if isinstance(effect, Effect) else effect)}"
        for move, effect in zip(model.moves, found, strict=True)
    ]
    figures = {
        "effects": len(told),
        "needs": sum(len(effect.needs) for effect in told),
        "writes": sum(len(effect.writes) for effect in told),
        "refused": len(found) - len(told),
    }
    return Fact("".join(texts), figures)


def endings(model: Model, _: Generated | None) -> Fact:
    """The endings of a state and after every effect, and whether no move is legal."""
    found: list[tuple[str, Endings | Unknown]] = [("in a state", endings_of(model))]
    for move in model.moves:
        effect = effect_of(model, move)
        if isinstance(effect, Effect):
            found.append((f"after {move.name}", endings_after(model, effect)))
    known = [each for _, each in found if isinstance(each, Endings)]
    texts = [
        f"{title}\n{_lines(_of_endings(each) if isinstance(each, Endings) else each)}"
        for title, each in found
    ]
    figures = {
        "endings": sum(len(each.endings) for each in known),
        "refused": len(found) - len(known),
    }
    return Fact("".join(texts), figures)


def legality(model: Model, _: Generated | None) -> Fact:
    """The condition that no move is legal."""
    rewriter = Rewriter(Terms(model.board, model.players), model.slot_names)
    try:
        stuck = stuck_at(model, rewriter, Moment())
    except NotToldError as error:
        return Fact(f"{REFUSED}{error}", {})
    text = _lines(_of_conditions(stuck))
    return Fact(text, {"letters": len(text)})


def goals(model: Model, _: Generated | None) -> Fact:
    """The cells of won positions in a game of one player."""
    found = goals_of(model)
    if isinstance(found, Unknown):
        return Fact(REFUSED + found.reason, {})
    lines = sorted(f"{sorted(goal.items())}\n" for goal in found)
    return Fact("".join(lines), {"goals": len(found)})


Aspect = Callable[[Model, Generated | None], Fact]
ASPECTS: Mapping[str, Aspect] = {
    "code": code,
    "foresight": foreseen,
    "symmetries": proved_symmetries,
    "effects": effects,
    "endings": endings,
    "legality": legality,
    "goals": goals,
}


def aspects_of(model: Model) -> tuple[str, ...]:
    """The aspects of a game: an explicit tree has no moves, and a game of several players no
    goals."""
    if model.tree is not None:
        return ("code",)
    return tuple(aspect for aspect in ASPECTS if aspect != "goals" or len(model.players) == 1)


def folded_code(source: str) -> str:
    """A generated module without comments; locals and added functions are numbered by first
    appearance."""
    lines = [line for line in source.splitlines() if not line.lstrip().startswith("#")]
    for function in ast.parse("\n".join(lines)).body:
        if isinstance(function, ast.FunctionDef):
            stored = (node for node in ast.walk(function) if isinstance(node, ast.Name))
            names = {node.id for node in stored if isinstance(node.ctx, ast.Store)}
            names |= {argument.arg for argument in function.args.args}
            part = slice(function.lineno - 1, function.end_lineno)
            lines[part] = _numbered("\n".join(lines[part]), names).split("\n")
    numbers: dict[str, int] = {}
    text = "\n".join(lines) + "\n"
    return NUMBERED.sub(lambda found: str(numbers.setdefault(found[0], len(numbers) + 1)), text)


def _numbered(text: str, names: set[str]) -> str:
    numbers: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        name = found[0]
        if name not in names:
            return name
        return f"v{numbers.setdefault(name, len(numbers) + 1)}"

    return NAME.sub(number, text)


def _lines(lines: Iterator[str] | Unknown) -> str:
    if isinstance(lines, Unknown):
        return f"  {REFUSED}{lines.reason}\n"
    return folded("".join(f"  {line}\n" for line in lines))


def _of_effect(effect: Effect) -> Iterator[str]:
    notation = Notation()
    for parameter in effect.move.parameters:
        yield f"parameter @{parameter.slot}"
    for slot, value in effect.bindings:
        yield f"let @{slot} = {notation.text(value)}"
    for need in effect.needs:
        yield f"needs {notation.text(need)}"
    for write in effect.writes:
        cell = f"{write.variable.name}[{notation.listed(write.indices)}]"
        yield f"{cell} = {notation.text(write.value)} if {notation.text(write.guard)}"
    assert effect.after.turn is not None
    yield f"turn = {notation.text(effect.after.turn)}"
    yield from notation.definitions


def _of_endings(found: Endings) -> Iterator[str]:
    notation = Notation()
    for ending in found.endings:
        yield f"{_outcome(ending.outcome, notation)} if {notation.text(ending.condition)}"
    yield from notation.definitions


def _outcome(outcome: nodes.Outcome, notation: Notation) -> str:
    if isinstance(outcome, nodes.Pay):
        return f"pays {notation.listed(outcome.payoffs)}"
    amount = "" if outcome.amount is None else f" {notation.text(outcome.amount)}"
    return f"{notation.text(outcome.player)} wins{amount} times {outcome.sign}"


def _of_conditions(*conditions: nodes.Expr) -> Iterator[str]:
    notation = Notation()
    yield from map(notation.text, conditions)
    yield from notation.definitions
