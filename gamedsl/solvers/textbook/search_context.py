"""The state of a depth-first search of the game tree, and the events for the observer.

In: steps down (`result`, then `enter`) and up (`leave`) of a search. Out: events, counts, the
values of the root's actions, and an error where the tree is infinite. No action is chosen and no
value computed here.
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.game.contract import Action, Game
from gamedsl.game.paid import Paid
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.limits import make_room
from gamedsl.model.state import CHANCE, State
from gamedsl.solvers.textbook.decision import Decision, RootMove
from gamedsl.solvers.textbook.leaves import Endings, Leaves, PaidEndings
from gamedsl.solvers.textbook.trace import Event, EventKind, Observer, Value
from gamedsl.source.records import dataclass

LONGEST_PLAY = 300
"""Greatest length, in plies, of a play followed by a recursive search."""

Line = tuple[Action, "Line"] | None
"""Best play, as the first action and the rest."""


@dataclass(frozen=True, slots=True)
class BackedUpValue:
    """A backed-up value, and the play that leads to the value."""

    value: Fraction
    line: Line = None


@dataclass(frozen=True, slots=True)
class Window:
    """The values of interest: above `alpha` and below `beta`; None is unbounded."""

    alpha: Fraction | None = None
    beta: Fraction | None = None

    def holds(self, value: Value) -> bool:
        """Whether a value is strictly inside, and therefore no bound."""
        if not isinstance(value, Fraction):
            return True
        above = self.alpha is None or value > self.alpha
        return above and (self.beta is None or value < self.beta)


UNBOUNDED = Window()


class SearchContext:
    """The path from the root to the current node, and the counts of visited nodes."""

    def __init__(self, game: Game, observer: Observer | None, limit: int | None = None) -> None:
        make_room(LONGEST_PLAY)
        self.game = game
        self.nodes = 0
        self.leaves = 0
        self.estimates = 0
        self.root_moves: dict[Action, tuple[Value, bool]] = {}
        self._limit = limit
        self._observer = observer
        self._path: list[Action] = []
        self._paid = [Paid(game)] if game.facts.has_rewards else []
        self._above: set[State] = set()
        self._cuts = 0
        self._cuts_before: list[int] = []

    @property
    def ply(self) -> int:
        """Plies made since the root, chance events counted."""
        return len(self._path)

    def result(self, state: State, action: Action) -> State:
        """RESULT(s, a), with a step down of the search."""
        self._path.append(action)
        after = self.game.result(state, action)
        if self._paid:
            paid = self._paid[-1].copied()
            paid.add(state, action, after)
            self._paid.append(paid)
        return after

    def endings(self, maximizer: int) -> Leaves:
        """The endings of plays from the root, with payments on the way."""
        endings = Endings(self.game, maximizer)
        if not self._paid:
            return endings
        return PaidEndings(endings, lambda: self._paid[-1].amounts[maximizer])

    def enter(self, state: State, player: int, window: Window = UNBOUNDED) -> None:
        """Visits a node.

        Raises UnsupportedGameError if the play repeats a state, or is too long, unless a depth
        limit ends the search anyway.
        """
        self.nodes += 1
        self._cuts_before.append(self._cuts)
        if self._limit is None:
            self._refuse_endless_play(state)
        if self._observer is not None:
            self._tell(EventKind.ENTER, state, player, window)

    def improve(
        self, state: State, player: int, value: Value, action: Action, window: Window = UNBOUNDED
    ) -> None:
        """A better value became known from `action`."""
        if self._observer is not None:
            self._tell(EventKind.VALUE, state, player, window, value, action)

    def narrow(self, state: State, player: int, value: Value, window: Window) -> None:
        """Alpha or beta has moved to `value`: `window` is the new one."""
        if self._observer is not None:
            self._tell(EventKind.NARROW, state, player, window, value)

    def cut(
        self,
        state: State,
        player: int,
        value: Value,
        window: Window,
        pruned: tuple[Action, ...],
    ) -> None:
        """Records that the actions `pruned` will not be visited (no effect if empty)."""
        self._cuts += bool(pruned)
        if pruned and self._observer is not None:
            self._tell(EventKind.CUT, state, player, window, value, pruned=pruned)

    def leave(
        self,
        state: State,
        player: int,
        value: Value,
        window: Window = UNBOUNDED,
        *,
        is_leaf: bool = False,
        is_cutoff: bool = False,
    ) -> None:
        """The node's value is final; the search steps up."""
        self.leaves += is_leaf
        self.estimates += is_cutoff
        self._above.discard(state)
        if self._observer is not None:
            self._tell(EventKind.LEAVE, state, player, window, value, is_cutoff=is_cutoff)
        was_cut = self._cuts > self._cuts_before.pop()
        if self._path:
            action = self._path.pop()
            if self._paid:
                self._paid.pop()
            if not self._path:
                self.root_moves[action] = value, was_cut and not window.holds(value)

    def decision(
        self, algorithm: str, root: State, value: Value, line: Line, ties: str | None = None
    ) -> Decision:
        """The decision of the finished search of `root`."""
        chooses = line is not None and self.game.current_player(root) != CHANCE
        return Decision(
            algorithm,
            value,
            line[0] if chooses and line is not None else None,
            tuple(
                RootMove(action, self.game.action_name(root, action), move_value, is_bound)
                for action, (move_value, is_bound) in self.root_moves.items()
            ),
            _names(self.game, root, line),
            self.nodes,
            self.leaves,
            is_exact=not self.estimates,
            ties=ties,
            depth=self._limit,
        )

    def _refuse_endless_play(self, state: State) -> None:
        if state in self._above:
            raise UnsupportedGameError(
                f"play of {self.game.name} can return to an earlier position, so its tree has no "
                "end",
                "use `gamedsl solve`, or the algorithm `mcts` for an estimate",
            )
        if len(self._path) > LONGEST_PLAY:
            raise UnsupportedGameError(
                f"{self.game.name} has plays of more than {LONGEST_PLAY} plies, too many to "
                "search one inside the other",
                "use `gamedsl solve`, or the algorithm `mcts` for an estimate",
            )
        self._above.add(state)

    def _tell(
        self,
        kind: EventKind,
        state: State,
        player: int,
        window: Window,
        value: Value | None = None,
        action: Action | None = None,
        pruned: tuple[Action, ...] = (),
        is_cutoff: bool = False,
    ) -> None:
        assert self._observer is not None, "only with an observer is anything told"
        path = tuple(self._path)
        self._observer(
            Event(
                kind, path, state, player, window.alpha, window.beta, value, action, pruned,
                is_cutoff,
            )
        )  # fmt: skip


def _names(game: Game, root: State, line: Line) -> tuple[str, ...]:
    names = []
    state = root
    while line is not None:
        action, line = line
        names.append(game.action_name(state, action))
        state = game.result(state, action)
    return tuple(names)
