"""The record of a generated module, and of its chance events.

The record stands apart from the generator (`module`): a run that reads a module from the cache
imports no generator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.faults import Fault, Site
from gamedsl.compiler.layout import Layout
from gamedsl.compiler.options import EVERYTHING, CompilerOptions
from gamedsl.model import nodes
from gamedsl.model.errors import GameRuleError
from gamedsl.model.model import Model
from gamedsl.model.state import State
from gamedsl.model.values import Domain, text_of
from gamedsl.source.records import dataclass

if TYPE_CHECKING:
    from gamedsl.compiler.definitions import Definitions
    from gamedsl.compiler.ir.statements import Module


@dataclass(frozen=True, slots=True)
class Event:
    """A chance event as the engine sees the event.

    Attributes:
        move: the number of the move whose body has the event, -1 for `setup:`.
        name: the target of the draw, with the values of its indices if known.
        support: an outcome's id is its position here.
        drawn_into: the variable whose cell is found during play, by the function `cell_NUMBER`.
    """

    number: int
    move: int
    name: str
    support: Domain
    drawn_into: nodes.Variable | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated module.

    Attributes:
        origin: the source of the module: the rules, their parameters, and the options left out.
        module: gives the functions, in terms of words.
        source: the functions as Python; runs after a prelude.
        sites: the meaning of each guard in the code. The last sites are for errors that the code
            itself does not detect: in games with simultaneous choices, one for each player who
            cannot choose, and one for both kinds of moves; then one for a player to move without
            legal action in a game that is not over.
        words: number of words of a state.
        start: the words before `setup:`, unsigned.
        saved: number of integers behind the words in games with chance: the number of the event (0:
            a player decides), then locals.
        events: the chance events; the first has number 1.
        groups: number of groups of moves between `otherwise` lines.
        move_names: names of the moves that have instances.
        stuck_by_history: `end` takes two more numbers, which it passes to `stuck_now` to learn
            whether the player to move is stuck: the answer depends on past states.
        can_pick: the module has `candidates` and `allowed`.
        can_walk: testing legality cannot fail. The module has `walk`, for games without repetition
            rules, and `pick`, for games without `candidates`.
        levels: greatest depth of recursion of a `def`.
        for_kernels: gives the module with the additional functions for kernels: the number of legal
            actions, `end_after`, `candidates`, `walk`; None if the present module has them.
        more: gives further functions, without making `module`.
    """

    origin: str
    module: Callable[[], Module]
    source: str
    layout: Layout
    codes: Codes
    sites: Sequence[Site]
    start: tuple[int, ...]
    saved: int
    events: tuple[Event, ...]
    groups: int
    move_names: tuple[str, ...]
    stuck_by_history: bool
    can_pick: bool
    can_walk: bool
    levels: int
    for_kernels: Callable[[], Generated] | None = None
    more: Callable[[], Module] | None = None

    def whole(self) -> Generated:
        """The module with all functions for kernels. Raises CannotCompileError."""
        return self if self.for_kernels is None else self.for_kernels()

    @property
    def words(self) -> int:
        """Words in a state, without the saved integers."""
        return self.layout.words

    @property
    def initial(self) -> tuple[int, ...]:
        """The argument of `setup`."""
        return (*self.start, *(0 for _ in range(self.saved)))

    def error(self, fault: Fault, state: State | None, action: str | None) -> GameRuleError:
        """The error of a guard that failed in a state, at an action."""
        site, detail, place = fault.args
        error: GameRuleError = self.sites[site].error(detail, place)
        error.state, error.action = state, action
        return error

    def beside(self, more: Definitions) -> Generated:
        """The module with additional functions of a state, whose names must be new."""
        from gamedsl.compiler.printers.python import print_module

        assert self.more is None
        sources = print_module(more.module, "BESIDE_"), *(later.source for later in more.later)
        return replace(self, more=more.whole, source="\n\n".join((self.source, *sources)))


def origin_of(model: Model, options: CompilerOptions = EVERYTHING) -> str:
    """All inputs of a module besides the compiler."""
    parameters = (f"{name} = {text_of(value)}" for name, value in model.parameters)
    rounds = f"max_rounds = {model.max_rounds}"
    endings = f"repeats = {len(model.repeats)}, endless = {model.facts.endless}"
    without = (*(f"without {name}" for name in model.left_out), *sorted(options.without))
    return "\0".join([model.source.text, *parameters, rounds, endings, *without])
