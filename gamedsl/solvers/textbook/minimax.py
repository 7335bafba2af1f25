"""Minimax: the whole tree, depth first (AIMA 3rd ed., section 5.2.1, Figure 5.3).

In: a game of one player, or of two with opposed interests, without chance. Out: the decision, with
the exact value of every action. The search visits every play without a memory of positions, and
raises UnsupportedGameError for games in which play can return.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict, Unpack

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.requirements import SEARCH, SEARCH_TO_THE_END, Requirement, refuse_unless
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.leaves import Leaves
from gamedsl.solvers.textbook.ordering import Ordering, declared_order
from gamedsl.solvers.textbook.search_context import UNBOUNDED, BackedUpValue, SearchContext, Window
from gamedsl.solvers.textbook.trace import Observer
from gamedsl.source.records import dataclass

REQUIRES = SEARCH | {Requirement.DETERMINISTIC, Requirement.ONE_NUMBER}
TO_THE_END = SEARCH_TO_THE_END | {Requirement.DETERMINISTIC, Requirement.ONE_NUMBER}
INSTEAD: Mapping[Requirement, str] = {
    Requirement.DETERMINISTIC: "use expectiminimax, which takes averages over chance"
}


class SearchOptions(TypedDict, total=False):
    """Options of searches: the player MAX (0 by default), the order of moves (as declared), and the
    receiver of events."""

    maximizer: int
    ordering: Ordering
    observer: Observer | None


def minimax_decision(
    game: Game, state: State | None = None, **options: Unpack[SearchOptions]
) -> Decision:
    """MINIMAX-DECISION(state): the action with the best minimax value.

    Figure 5.3 begins with MAX; here the player to move may be MAX or MIN, and may move several
    times in a row. Values are the payoffs of MAX, the player `maximizer`; of several best
    actions the first decides.

    Cost: every node of the tree below `state`.

    Raises:
        UnsupportedGameError: the game has chance, secrets, simultaneous moves, more than two
            players or interests that are not opposed; or its tree has no end.
    """
    refuse_unless(game, TO_THE_END, instead=INSTEAD)
    return decide("minimax", Minimax, game, state, **options)


def decide(
    name: str,
    kind: Callable[..., Minimax],
    game: Game,
    state: State | None,
    window: Window = UNBOUNDED,
    *,
    limit: int | None = None,
    leaves_of: Callable[[SearchContext, int], Leaves] = SearchContext.endings,
    **options: Unpack[SearchOptions],
) -> Decision:
    """The decision of a search at a state (None: the initial state).

    `leaves_of`: the leaves for MAX; `limit`: the depth limit of the leaves, in plies.
    """
    root = game.initial_state() if state is None else state
    maximizer, ordering = options.get("maximizer", 0), options.get("ordering", declared_order)
    context = SearchContext(game, options.get("observer"), limit)
    search = kind(game, maximizer, ordering, leaves_of(context, maximizer), context)
    backed_up = search.value(root, window)
    return context.decision(name, root, backed_up.value, backed_up.line)


@dataclass
class Minimax:
    """One search: MINIMAX, MAX-VALUE and MIN-VALUE of section 5.2.1."""

    game: Game
    maximizer: int
    ordering: Ordering
    leaves: Leaves
    context: SearchContext

    def value(self, state: State, window: Window = UNBOUNDED) -> BackedUpValue:
        """MINIMAX(s): UTILITY(s) of an ending, else by PLAYER(s)."""
        player = self.game.current_player(state)
        self.context.enter(state, player, window)
        leaf = self.leaves.leaf(state, player, self.context.ply)
        if leaf is not None:
            self.context.leave(
                state, player, leaf.value, window, is_leaf=True, is_cutoff=leaf.is_estimate
            )
            return BackedUpValue(leaf.value)
        backed_up = self.inner_value(state, player, window)
        self.context.leave(state, player, backed_up.value, window)
        return backed_up

    def inner_value(self, state: State, player: int, window: Window) -> BackedUpValue:
        """The value of a state where a player chooses; minimax knows no window."""
        is_max = self.game.facts.are_partners(player, self.maximizer)
        return self.max_value(state) if is_max else self.min_value(state)

    def max_value(self, state: State) -> BackedUpValue:
        """MAX-VALUE(state): the greatest of MINIMAX(RESULT(s, a))."""
        player = self.game.current_player(state)
        best: BackedUpValue | None = None
        for action in self.ordering(self.game, state):
            backed_up = self.value(self.context.result(state, action))
            if best is None or backed_up.value > best.value:
                best = BackedUpValue(backed_up.value, (action, backed_up.line))
                self.context.improve(state, player, best.value, action)
        assert best is not None, "a state that is not an ending has actions"
        return best

    def min_value(self, state: State) -> BackedUpValue:
        """MIN-VALUE(state): the least of MINIMAX(RESULT(s, a))."""
        player = self.game.current_player(state)
        best: BackedUpValue | None = None
        for action in self.ordering(self.game, state):
            backed_up = self.value(self.context.result(state, action))
            if best is None or backed_up.value < best.value:
                best = BackedUpValue(backed_up.value, (action, backed_up.line))
                self.context.improve(state, player, best.value, action)
        assert best is not None, "a state that is not an ending has actions"
        return best
