"""Normal forms of rules, and a proof of symmetry by comparison of normal forms.

The normal form of a model's rules is free of names of moves and locals and of the order of
commutative operands: for each player to move, the set of the moves' effects with their conditions
of legality, and the endings in order. Equal forms mean equal rules; distinct forms prove nothing,
so that a true symmetry may be refused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.cases import Cases, Locals, Members, Place, chosen
from gamedsl.model.rewriting.effects import Effect, effect_of
from gamedsl.model.rewriting.endings import endings_after, endings_of
from gamedsl.model.rewriting.grounding import (
    MOST_STEPS,
    At,
    GroundBodies,
    Grounding,
    GroundStatements,
)
from gamedsl.model.rewriting.moments import Moment, NotToldError, Unknown
from gamedsl.model.rewriting.propositions import (
    Change,
    Proposition,
    all_of,
    bounded,
)
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms, constant, is_known
from gamedsl.model.statement_facts import draws_in
from gamedsl.model.values import Atom, Square, Value, Vector
from gamedsl.source.records import dataclass

Renaming = Mapping[Value, Value]
"""Images of squares, players and values; a missing value is its own image. One to one."""
CellImages = Mapping[int, int]
"""Images of cells by number, each in the same variable; a missing cell is its own image."""
STAY: CellImages = {}

CaseSet = frozenset[tuple[Value, Proposition]]


@dataclass(frozen=True, slots=True)
class Transition:
    """The effect of an action: the condition of legality, cells after the move, next player."""

    group: int
    legal: Proposition
    cells: frozenset[tuple[int, CaseSet]]
    turn: CaseSet


@dataclass(frozen=True, slots=True)
class GroundEnding:
    """The condition of an ending, and the payoff of each player."""

    condition: Proposition
    payoffs: tuple[tuple[Value, CaseSet], ...]


@dataclass(frozen=True, slots=True)
class NormalForm:
    """Rules without names.

    Attributes:
        transitions, endings: by player to move. Endings are ordered; at most one ending of a common
            set holds in a state of play, and the order in a set does not matter.
        repeats: the repetition rules.
        endless: payoff of each player in endless play, if declared.
    """

    transitions: Mapping[Value, frozenset[Transition]]
    endings: Mapping[Value, tuple[frozenset[GroundEnding], ...]]
    repeats: frozenset[Hashable]
    endless: Mapping[Value, Value]


FormOf = Callable[[], NormalForm | Unknown]
"""Computes the normal form of a game's rules on first use."""


def normal_form(model: Model, most_steps: int = MOST_STEPS) -> NormalForm | Unknown:
    """The normal form of a game's rules, without the start."""
    try:
        with bounded():
            return _Writing(model, most_steps).form()
    except NotToldError as error:
        return Unknown(str(error))


def transition_of(model: Model, move: nodes.Move, values: tuple[Value, ...]) -> Transition | None:
    """The effect of the first player's action, written out; None if the action is never legal, or
    has no normal form."""
    try:
        with bounded():
            return _Writing(model, MOST_STEPS).transition(move, values, model.players[0])
    except NotToldError:
        return None


def refusal(model: Model, renaming: Renaming, keeps_start: bool = True) -> str | None:
    """None if the renaming is proved to be a symmetry of the game, else the reason.

    A symmetry of the rules that moves the start (`keeps_start` False) still proves that a state and
    its image have the same value, players renamed.
    """
    try:
        if keeps_start and not _Renaming(model, renaming).keeps_start():
            return "the start changes"
    except ValueError as error:
        return str(error)
    form = normal_form(model)
    return form.reason if isinstance(form, Unknown) else changed_by(model, form, renaming)


def changed_by(
    model: Model, form: NormalForm, renaming: Renaming, moved: CellImages = STAY
) -> str | None:
    """None if a renaming provably preserves the form of a game's rules, else the part that
    changes. `moved`: images of cells, where they do not follow from the images of values."""
    try:
        return _Renaming(model, renaming, moved).changed(form)
    except ValueError as error:
        return str(error)


def cells_moved(model: Model, renaming: Renaming, moved: CellImages = STAY) -> CellImages | None:
    """The image of each cell of a state; None if a cell has no image."""
    with suppress(ValueError):
        return _Renaming(model, renaming, moved).number
    return None


# --- writing the form ------------------------------------------------------------------------


class _Writing:
    """Writes the normal form of a game."""

    def __init__(self, model: Model, most_steps: int) -> None:
        self.model = model
        self.grounding = Grounding(model, most_steps)

    def form(self) -> NormalForm:
        """The normal form. Raises NotToldError if the rules have no normal form."""
        model = self.model
        if model.tree is not None or model.facts.is_simultaneous or model.facts.has_secrets:
            raise NotToldError("a tree, secrets or moves of all players at once")
        if model.facts.has_rewards or model.facts.discount != 1:
            raise NotToldError("rewards or a discount")
        # The cheap parts come first: a failure there spares the work on the rest.
        repeats = frozenset(self._repeats())
        players: tuple[Value, ...] = model.players
        listed = {p: self._listed_endings(p) for p in players}
        transitions = {p: frozenset(self._transitions(p)) for p in players}
        exclusive = _exclude_one_another(model)
        return NormalForm(
            transitions,
            {p: _in_sets(endings, exclusive) for p, endings in listed.items()},
            repeats,
            dict(zip(model.players, model.facts.endless or (), strict=False)),
        )

    def _transitions(self, player: Value) -> Iterator[Transition]:
        for move in self.model.moves:
            for values in product(*(parameter.values.values for parameter in move.parameters)):
                transition = self.transition(move, values, player)
                if transition is not None:
                    yield transition

    def transition(
        self, move: nodes.Move, values: tuple[Value, ...], player: Value
    ) -> Transition | None:
        """The effect of an action; None if the action is never legal."""
        place = Place({player: True})
        held: dict[int, Cases | Members] = {}
        for parameter, value in zip(move.parameters, values, strict=True):
            if parameter.choices is not None:
                choices = self.grounding.members(parameter.choices, held, place)
                there = all_of(test for test, choice in choices if choice == value)
                is_there = any(choice == value for _, choice in choices)
                place.legal = all_of((place.legal, there if is_there else False))
            held[parameter.slot] = {value: True}
            if parameter.condition is not None:
                test = self.grounding.holds(parameter.condition, held, place)
                place.legal = all_of((place.legal, test))
            if place.legal is False:
                return None
        GroundBodies(self.grounding).block(move.body, At(held, place), True)
        if place.legal is False:
            return None
        cells = frozenset((number, _cases(cases)) for number, cases in place.cells.items())
        return Transition(move.group, place.legal, cells, _cases(self._next_turn(place)))

    def _next_turn(self, place: Place) -> Cases:
        players = self.model.players
        after = {player: players[(n + 1) % len(players)] for n, player in enumerate(players)}
        passed: Cases = {
            after[player]: test
            for player, test in place.turn.items()
            if isinstance(player, Atom) and player in after  # `none` is an error in play
        }
        return chosen(place.keeps_turn, place.turn, passed)

    def _listed_endings(self, player: Value) -> list[GroundEnding]:
        reader = _GroundEndings(self.grounding)
        reader.block(self.model.end, At({}, Place({player: True})), True)
        return reader.endings

    def _repeats(self) -> Iterator[Hashable]:
        for rule in self.model.repeats:
            if rule.outcome is not None and not _is_even(rule.outcome):
                raise NotToldError("a repetition that somebody wins")
            offsets = tuple(variable.offset for variable in rule.variables)
            compared = (offsets, rule.with_turn, rule.exempts_unchanged)
            yield (compared, rule.times, rule.outcome is None)


class _GroundEndings(GroundStatements):
    """Reads the statements of `end:`, which change nothing."""

    def __init__(self, grounding: Grounding) -> None:
        super().__init__(grounding)
        self.endings: list[GroundEnding] = []

    def reach(self, outcome: nodes.Outcome, state: At, guard: Proposition) -> None:
        """Note the outcome with its condition."""
        self.endings.append(GroundEnding(guard, self._payoffs(outcome, *state)))

    def _payoffs(
        self, outcome: nodes.Outcome, held: Locals, place: Place
    ) -> tuple[tuple[Value, CaseSet], ...]:
        players = self.grounding.model.players
        if isinstance(outcome, nodes.Pay):
            amounts = [self.grounding.cases(payoff, held, place) for payoff in outcome.payoffs]
        else:
            winner = self.grounding.cases(outcome.player, held, place)
            if len(winner) != 1 or outcome.amount is not None:
                raise NotToldError("an outcome that depends on the state")
            amounts = [
                {outcome.sign if player in winner else -outcome.sign: True} for player in players
            ]
        pairs = zip(players, amounts, strict=True)
        return tuple((player, _cases(amount)) for player, amount in pairs)


def _in_sets(
    listed: Iterable[GroundEnding], exclusive: bool
) -> tuple[frozenset[GroundEnding], ...]:
    """Endings in order; mutually exclusive endings are gathered in sets."""
    sets: list[set[GroundEnding]] = []
    for ending in listed:
        is_otherwise = not sets or not exclusive or _is_draw(ending)
        if is_otherwise or any(_is_draw(earlier) for earlier in sets[-1]):
            sets.append({ending})
        else:
            sets[-1].add(ending)
    return tuple(frozenset(alike) for alike in sets)


def _is_even(outcome: nodes.Outcome) -> bool:
    """Whether all players get 0: `draw`."""
    return isinstance(outcome, nodes.Pay) and all(is_known(payoff, 0) for payoff in outcome.payoffs)


def _is_draw(ending: GroundEnding) -> bool:
    """Whether all players get equal payoffs; renaming then has no effect."""
    return len({amount for _, amount in ending.payoffs}) == 1


def _cases(cases: Cases) -> CaseSet:
    return frozenset(cases.items())


# --- endings that exclude one another --------------------------------------------------------


def _exclude_one_another(model: Model) -> bool:
    """Whether no move leads to two decisive endings at once: proved for each mover.

    A state of play is the start, or is reached from a state that is not over. If after a move all
    decisive endings but one are known to fail, the order of the endings does not matter. (A start
    with two decisive endings would be over at once.)
    """
    terms, before = Terms(model.board, model.players), endings_of(model)
    for move in model.moves:
        effect = effect_of(model, move)
        if not isinstance(effect, Effect):
            return False
        endings = endings_after(model, effect, before)
        if isinstance(endings, Unknown):
            return False
        decided = [ending for ending in endings.endings if not _is_even(ending.outcome)]
        for player in model.players:
            rewriter = Rewriter(terms, endings.slot_names)
            moment = Moment(turn=constant(move.span, player))
            told = (rewriter.before(ending.condition, moment) for ending in decided)
            if sum(not is_known(condition, False) for condition in told) > 1:
                return False
    return not draws_in(model.setup)


# --- renaming --------------------------------------------------------------------------------


class _Renaming:
    """Renames normal forms of a game."""

    def __init__(self, model: Model, renaming: Renaming, moved: CellImages = STAY) -> None:
        self.model = model
        self.renaming = dict(renaming)
        self.moved = moved
        self.cells = Grounding(model)
        self.number: dict[int, int] = {}
        self._proposition = Change(self._atom)
        if len(set(self.renaming.values())) < len(self.renaming) or set(
            self.renaming.values()
        ) != set(self.renaming):
            raise ValueError("the renaming is not one to one")
        for variable in model.variables:
            self._map_cells(variable)

    def of(self, value: Value) -> Value:
        """The image of a value; numbers and truth values are their own images."""
        return self.renaming.get(value, value) if isinstance(value, Atom) else value

    def _map_cells(self, variable: nodes.Variable) -> None:
        if {self.of(v) for v in variable.domain.values} != set(variable.domain.values):
            raise ValueError(f"`{variable.name}` would hold other values")
        spaces = [domain.values for domain in variable.indices]
        for n, values in enumerate(product(*spaces)):
            number = variable.number_of(map(self.of, values))
            if number is None:
                raise ValueError(f"`{variable.name}` would have other cells")
            number += variable.offset
            self.number[variable.offset + n] = self.moved.get(number, number)

    def keeps_start(self) -> bool:
        """Whether the start is its own image. Raises ValueError if the start is not known."""
        model = self.model
        place = Place({model.players[0]: True})
        grounding = Grounding(model)
        for variable in model.variables:
            for n, digit in enumerate(variable.initial):
                if digit is not None:
                    value = variable.domain.values[digit]
                    place.cells[variable.offset + n] = {value: True}
        try:
            GroundBodies(grounding).block(model.setup, At({}, place), True)
        except NotToldError:
            raise ValueError("the start is not known") from None
        cells = {number: _cases(cases) for number, cases in place.cells.items()}
        moved = {self.number[number]: self._renamed(cases) for number, cases in cells.items()}
        turn = _cases(place.turn)
        return cells == moved and turn == self._renamed(turn)

    def changed(self, form: NormalForm) -> str | None:
        """The first difference between a form and its image, or None."""
        for player, sets in form.endings.items():
            images = tuple(frozenset(map(self._ending, alike)) for alike in sets)
            if images != form.endings[self.of(player)]:
                return "the endings change"
        for player, transitions in form.transitions.items():
            if not self._are_images(transitions, form.transitions[self.of(player)]):
                return "the moves change"
        endless = {self.of(player): amount for player, amount in form.endless.items()}
        return None if endless == form.endless else "what endless play is worth changes"

    def _are_images(
        self, transitions: frozenset[Transition], expected: frozenset[Transition]
    ) -> bool:
        images = set()
        for transition in transitions:
            image = self._transition(transition)
            if image not in expected:
                return False
            images.add(image)
        return len(images) == len(expected)

    def _renamed(self, cases: CaseSet) -> CaseSet:
        return frozenset((self.of(value), self._proposition(test)) for value, test in cases)

    def _atom(self, atom: tuple[Hashable, ...]) -> Proposition:
        match atom:
            case ("cell", int() as number, value):
                cell = self.cells.cell(self.number[number], Place({}))
                return cell[self.of(value)]  # type: ignore[arg-type]
            case ("group", offset, directions, frozenset() | tuple() as pair):
                self._keep_neighbours(directions)  # type: ignore[arg-type]
                return ("group", offset, directions, type(pair)(self.number[n] for n in pair))
        return atom

    def _keep_neighbours(self, directions: tuple[Vector, ...] | None) -> None:
        """Raises ValueError unless the renaming preserves neighbourhood, which renamed groups
        require."""
        board = self.model.board
        assert board is not None
        for square in board.squares:
            image = self.of(square)
            assert isinstance(image, Square)
            images = {self.of(neighbour) for neighbour in board.neighbours(square, directions)}
            if images != set(board.neighbours(image, directions)):
                raise ValueError("neighbours do not stay neighbours")

    def _transition(self, transition: Transition) -> Transition:
        cells = frozenset((self.number[n], self._renamed(cases)) for n, cases in transition.cells)
        return Transition(
            transition.group,
            self._proposition(transition.legal),
            cells,
            self._renamed(transition.turn),
        )

    def _ending(self, ending: GroundEnding) -> GroundEnding:
        payoff = {self.of(player): self._renamed(amount) for player, amount in ending.payoffs}
        payoffs = tuple((player, payoff[player]) for player in self.model.players)
        return GroundEnding(self._proposition(ending.condition), payoffs)
