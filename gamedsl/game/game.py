"""A loaded game: the Game contract over an engine, with names, views and the file's own claims.

All algorithms, reports and interfaces work with `LoadedGame`. The class adds no meaning of its own:
the engine decides, the class names and shows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, TypeVar

from gamedsl import registry
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.errors import CannotCompileError, has_llvm
from gamedsl.compiler.options import EVERYTHING, CompilerOptions
from gamedsl.compiler.steps import WordSteps
from gamedsl.game.accelerator import NativeMode, Refusal
from gamedsl.game.checking import checked_rules
from gamedsl.game.contract import Action, JointAction
from gamedsl.game.engines import Chosen, Engine, choose_engine
from gamedsl.game.notations.chess import ChessNotation, notation_of
from gamedsl.game.notebook import StateView, drawn
from gamedsl.game.reading import action_names, read_action, read_play
from gamedsl.game.sights import RuleSights, Sights, information_state, nodes_of_tree
from gamedsl.game.slices import Slice, in_slice
from gamedsl.game.steps import Steps, steps_of
from gamedsl.model import Facts, Model, Player, State
from gamedsl.model.engine import RulesEngine
from gamedsl.model.expectations import Expectation
from gamedsl.model.values import text_of
from gamedsl.source import SourceFile

if TYPE_CHECKING:
    from gamedsl.game.accelerator import Accelerator
    from gamedsl.game.play import Agent, Play
    from gamedsl.interpreter import RulesInterpreter

NOT_COMPILED = "the rules are interpreted, and machine code is made of compiled rules"


T = TypeVar("T")


class Part(Generic[T]):
    """An attribute of a part of the game, by its path, as an attribute of the game; looked up
    once."""

    def __init__(self, path: str) -> None:
        self._of = attrgetter(path)

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, game: LoadedGame | None, owner: type | None = None) -> T:
        if game is None:
            return self  # type: ignore[return-value]
        value: T = self._of(game)
        game.__dict__[self._name] = value
        return value


class LoadedGame:
    """A game read from a file; implements `contract.Game`.

    Attributes:
        engine_name: the requested engine, one of `engines.ENGINES`.
        is_slice: whether the game is the slice of another game.
    """

    def __init__(
        self, model: Model, engine: str = "interpreter", options: CompilerOptions = EVERYTHING
    ) -> None:
        self.model = model
        self.engine_name = engine
        self.is_slice = False
        self._options = options
        self._definition: RulesInterpreter | None = None
        self._accelerator: Accelerator | Refusal | None = None

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _read_again, (
            self.source.own,
            dict(self.settings),
            self.engine_name,
            self.model.max_rounds,
            self.is_slice,
        )

    @cached_property
    def slice(self) -> Slice | None:
        """The slice of the game; None if every part matters."""
        from gamedsl.model.slicing.slices import sliced

        model = sliced(self.model)
        if model is None:
            return None
        part = LoadedGame(model, self.engine_name, self._options)
        part.is_slice = True
        digits = (
            digit if variable.is_constant else None
            for variable in model.variables
            for digit in variable.initial
        )
        return Slice(part, self, tuple(digits))

    @cached_property
    def endless_variant(self) -> LoadedGame | None:
        """The game in which endless play has the outcome of the repetition rules, in place of the
        rules; None without rules, or where the rules compare parts, or pay different numbers."""
        from gamedsl.model.elaborate.derive import with_endless_play

        model = with_endless_play(self.model)
        return None if model is None else LoadedGame(model, self.engine_name, self._options)

    @property
    def fewest_repetitions(self) -> int:
        """The least number of occurrences of a repetition rule; 0 without rules."""
        return min((rule.times for rule in self.model.repeats), default=0)

    @cached_property
    def _chosen(self) -> Chosen:
        return choose_engine(self.model, self.engine_name, self._options)

    @property
    def definition(self) -> RulesInterpreter | None:
        """The interpreter of the rules, regardless of the playing engine; None for a tree."""
        if self._definition is None and self.model.tree is None:
            from gamedsl.interpreter import RulesInterpreter

            engine = self.engine
            self._definition = (
                engine if isinstance(engine, RulesInterpreter) else RulesInterpreter(self.model)
            )
        return self._definition

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value}" for name, value in self.parameters.items())
        return f"<Game {self.name!r}{settings}>"

    # --- attributes of the rules and of the engine -----------------------------------------

    engine = Part[Engine]("_chosen.engine")
    """The engine, made on first use. Raises: as `engines.choose_engine`."""
    fallback = Part[str | None]("_chosen.reason")
    """The reason why `auto` plays by the interpreter; None if the rules are compiled."""
    name = Part[str]("model.title")
    """The title of the game."""
    source = Part[SourceFile]("model.source")
    """The text of the game."""
    facts = Part[Facts]("model.facts")
    """Consequences of the rules alone."""
    expectations = Part[tuple[Expectation, ...]]("model.expectations")
    """The `expect` lines of the file."""
    left_out = Part[tuple[str, ...]]("model.left_out")
    """Of a slice, the names of the variables and draws left out."""
    players = Part[tuple[Player, ...]]("engine.players")
    """The players in turn order."""

    @property
    def parameters(self) -> Mapping[str, str]:
        """The parameters as bound, in the language's notation."""
        return MappingProxyType({n: text_of(value) for n, value in self.model.parameters})

    @property
    def settings(self) -> Mapping[str, str]:
        """The parameters that differ from the file's values."""
        changed = self.model.changed
        return MappingProxyType({n: text for n, text in self.parameters.items() if n in changed})

    # --- AIMA's functions ------------------------------------------------------------------

    initial_state = Part[Callable[[], State]]("engine.initial_state")
    """S0."""
    current_player = Part[Callable[[State], Player]]("engine.current_player")
    """PLAYER(s)."""
    is_terminal = Part[Callable[[State], bool]]("engine.is_terminal")
    """TERMINAL-TEST(s)."""
    utilities = Part[Callable[[State], tuple[Fraction, ...]]]("engine.utilities")
    """UTILITY(s, p) of every player."""
    chance_outcomes = Part[Callable[[State], tuple[tuple[Action, Fraction], ...]]](
        "engine.chance_outcomes"
    )
    """(outcome, probability) at a chance node."""
    evaluate = Part[Callable[[State, int], Fraction]]("engine.evaluate")
    """EVAL(s, p)."""
    is_quiescent = Part[Callable[[State, int], bool]]("engine.is_quiescent")
    """Whether EVAL(s, p) can be trusted."""
    action_name = Part[Callable[[State, Action | JointAction], str]]("engine.action_name")
    """The action as written."""

    def legal_actions(self, state: State, player: int | None = None) -> tuple[Action, ...]:
        """ACTIONS(s)."""
        return self.engine.legal_actions(state, player)

    def result(self, state: State, action: Action | JointAction | str) -> State:
        """RESULT(s, a); the action may be a name, as read by `action_named`."""
        if isinstance(action, str):
            action = self.action_named(state, action)
        return self.engine.result(state, action)

    def rewards(self, state: State, action: Action | JointAction | str) -> tuple[Fraction, ...]:
        """R(s, a, s') of every player; the action may be a name."""
        if isinstance(action, str):
            action = self.action_named(state, action)
        return self.engine.rewards(state, action)

    def utility(self, state: State, player: int) -> Fraction:
        """UTILITY(s, p)."""
        return self.utilities(state)[player]

    # --- names -----------------------------------------------------------------------------

    def action_named(
        self, state: State, name: str, player: int | None = None
    ) -> Action | JointAction:
        """The legal action (or chance outcome) with the given name, or with the given arguments
        alone.
        """
        return read_action(self, state, name, player)

    def action_names(self, state: State, player: int | None = None) -> tuple[str, ...]:
        """The names of the legal actions, or of the outcomes at a chance node; where all players
        choose simultaneously, the actions of `player`.
        """
        return tuple(action_names(self, state, player).values())

    @cached_property
    def notation(self) -> ChessNotation | None:
        """The notation that other programs use for the game, by its rules; None for none known."""
        return notation_of(self.model, self.engine)

    def position(self, moves: str = "", start: State | None = None) -> State:
        """The state after the given moves from `start` (default: S0): `position("a1 b2")`.

        Raises: IllegalActionError.
        """
        return read_play(self, start or self.initial_state(), moves)[1]

    # --- states and plays ------------------------------------------------------------------

    def states(self, start: State | None = None) -> Iterator[State]:
        """Every state reachable from `start` (default: S0), including `start` and chance nodes; in
        order of distance, computed lazily.
        """
        steps = steps_of(self)
        reached = {steps.key(start or self.initial_state())}
        waiting = deque(reached)
        while waiting:
            key = waiting.popleft()
            yield steps.state(key)
            for following in steps.after(key)[2]:
                if following not in reached:
                    reached.add(following)
                    waiting.append(following)

    def play(
        self,
        agents: Sequence[Agent],
        start: State | None = None,
        *,
        seed: int = 0,
        longest: int = 10_000,
    ) -> Play:
        """The play of the agents, one per player in turn order, from `start` (default: S0) on,
        broken off after `longest` actions.

        An agent is a function from a view (`StateView`) of the position, as its player sees it, to
        the name or number of an action. `seed` is the seed of chance events.

        Raises:
            ValueError: the numbers of agents and players differ.
            IllegalActionError: an agent returns an illegal action.
        """
        from random import Random

        from gamedsl.game.play import play_out

        rng = Random(seed)
        return play_out(self, agents, start or self.initial_state(), rng=rng, longest=longest)

    # --- information -----------------------------------------------------------------------

    def information_state(
        self, history: Sequence[tuple[State, Action | JointAction | None]], player: int
    ) -> tuple[object, ...]:
        """The observations of `player` along a history (rule 11 of the language).

        A sequence of the visible changes and of the moves made: public moves with their parameters,
        a secret move of an opponent by its name alone. In a `tree:` game, a player's own node is
        its information set, as written.
        """
        sights = self.sights()
        if sights is None:
            return nodes_of_tree(self.engine, history, player)
        return information_state(sights, history, player)

    def sights(self) -> Sights | None:
        """The players' observations; None for a `tree:` game."""
        engine = self.engine
        return RuleSights(engine, self.current_player) if isinstance(engine, RulesEngine) else None

    def show(
        self,
        state: State,
        viewer: int | None = None,
        last: tuple[State, Action | JointAction] | None = None,
        *,
        in_words: bool = False,
        has_colours: bool = False,
    ) -> str:
        """The state as text, as the player `viewer` sees the state (None: everything). `last` is
        the previous state with the action taken there: the squares of the action are marked.
        `in_words`: variables other than boards (cards, dice, heaps, ...) are written on lines, not
        drawn. `has_colours`: with ANSI colours, for terminals.
        """
        from gamedsl.game.drawing import draw_state
        from gamedsl.game.pictures.last_move import squares_of_move

        marked: frozenset[str] = frozenset()
        if last is not None and self.model.board is not None:
            action = self.action_name(*last)
            marked = frozenset(squares_of_move(self.model, last[0], state, action))
        return draw_state(self.model, self.engine, state, viewer, marked, in_words, has_colours)

    @property
    def native_mode(self) -> NativeMode:
        """When machine code is to be used, if the rules are compiled."""
        if self.engine_name == "native":
            return NativeMode.ALWAYS
        is_open = self.engine_name == "auto" and has_llvm()
        return NativeMode.WHEN_LARGE if is_open else NativeMode.NEVER

    def accelerator(self) -> Accelerator | Refusal:
        """Counting, playing and solving by kernels, imported on first use."""
        if self._accelerator is None:
            engine = self.engine
            self._accelerator = (
                registry.accelerator(engine)
                if isinstance(engine, CompiledEngine)
                else Refusal(self.fallback or NOT_COMPILED)
            )
        return self._accelerator

    def steps(self) -> Steps | None:
        """Successors of states, on the words of compiled rules."""
        engine = self.engine
        if isinstance(engine, CompiledEngine) and WordSteps.are_for(engine):
            return WordSteps(engine)
        return None

    def distance(self) -> Callable[[State], int] | None:
        """How many tests of the best payoff fail in a state of a single player's game; None if the
        rules do not say, or cannot be compiled."""
        from gamedsl.model.rewriting.goals import with_distance

        model, engine = with_distance(self.model), self.engine
        if not isinstance(model, Model) or not isinstance(engine, CompiledEngine):
            return None
        try:
            measured = CompiledEngine(model)
        except CannotCompileError:
            return None
        if engine.generated.layout == measured.generated.layout:
            measured.packing = engine.packing  # words of states need no second encoding
        return lambda state: int(measured.evaluate(state, 0))

    # --- notebooks -------------------------------------------------------------------------

    def view(self, state: State, viewer: int | None = None) -> StateView:
        """The state with its game, to be drawn by a notebook and read by names: `view["cell",
        "a1"]`, `view.cell`.
        """
        return StateView(self, state, viewer)

    def _repr_svg_(self) -> str:
        return drawn("game_svg", self)


def _read_again(
    source: SourceFile, parameters: Mapping[str, str], engine: str, max_rounds: int, is_slice: bool
) -> LoadedGame:
    """Unpickles a game: rebuilds the rules from the text, which is smaller than the rules."""
    game = LoadedGame(checked_rules(source, parameters, max_rounds), engine)
    return in_slice(game, game.initial_state())[0] if is_slice else game
