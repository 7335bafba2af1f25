"""A game solved by native code: the table of values, with the queries of `Solved`.

Answers equal the answers of a solved state graph. Successors are computed by the game, one state at
a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from gamedsl.game.accelerator import LengthsOfPlay, SolvedPositions
from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import choices_at
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.solvers.exact.solved import Assessed, Mixtures
from gamedsl.solvers.exact.stages import Choices, Payoffs, saddle_point
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.methods import SolverName
from gamedsl.source.records import dataclass

if TYPE_CHECKING:
    from gamedsl.solvers.exact.simultaneous_stages import SolvedStage


@dataclass(frozen=True, slots=True)
class SolvedTable:
    """Values of all states reachable from `root`."""

    game: Game
    root: State
    settled: SolvedPositions
    solver: SolverName

    @property
    def error_bound(self) -> Fraction:
        """Proven bound on the error of any value, in payoff; 0 if all values are exact."""
        chance = self.settled.chance
        return Fraction(0) if chance is None else chance.error_bound

    @property
    def states(self) -> Iterator[State]:
        """All states, in order of distance from the first."""
        reached = {self.root: None}
        queue = [self.root]
        for state in queue:
            yield state
            for action in choices_at(self.game, state):
                child = self.game.result(state, action)
                if child not in reached:
                    reached[child] = None
                    queue.append(child)

    @property
    def by_length(self) -> LengthsOfPlay | None:
        """The states by payoffs and plies of best play; None with chance."""
        return self.settled.lengths

    def __contains__(self, state: object) -> bool:
        return isinstance(state, State) and self.settled.look_up(state) is not None

    def __len__(self) -> int:
        return self.settled.positions + (self.settled.chance.events if self.settled.chance else 0)

    def at(self, root: State) -> SolvedTable:
        """The same values with another first state; the payoffs under other ways to break ties are
        known for the first state alone."""
        if root == self.root:
            return self
        settled = replace(self.settled, possible=None)
        return SolvedTable(self.game, root, settled, self.solver)

    def value(self, state: State) -> Vector:
        """The payoffs of best play from a state."""
        return self._look_up(state)[0]

    def remoteness(self, state: State) -> int | None:
        """Plies to the end under best play; None for endless play."""
        return self._look_up(state)[1]

    def _choices(self, state: State) -> list[Sequence[Action]]:
        """Each player's choices in a state of simultaneous choices."""
        return [self.game.legal_actions(state, player) for player in self.game.players]

    def _look_up(self, state: State) -> tuple[Vector, int | None]:
        entry = self.settled.look_up(state)
        if entry is None:
            raise KeyError(state)
        return entry

    def _after(self, state: State) -> list[tuple[Action | JointAction, Vector, int | None]]:
        """Every action, or joint action, with the payoffs and plies of best play after that."""
        self._look_up(state)
        return [
            (action, *self._look_up_after(state, action)) for action in choices_at(self.game, state)
        ]

    def _look_up_after(
        self, state: State, action: Action | JointAction
    ) -> tuple[Vector, int | None]:
        """The payoffs and plies of a successor, including the payment on the way.

        Raises SolutionFileError if the successor is missing: a solved table holds all successors.
        """
        reached = self.game.result(state, action)
        entry = self.settled.look_up(reached)
        if entry is None:
            name = self.game.action_name(state, action)
            raise SolutionFileError(f"the position after {name} is not in it")
        return paid_before(self.game, state, action, reached, entry[0]), entry[1]

    def choice(self, state: State) -> Action | JointAction | None:
        """The first action that keeps the payoffs and plies of best play; with chance, the stored
        choice that makes progress."""
        value, plies = self._look_up(state)
        if self.settled.chance is not None:
            choose = self.settled.chance.choose
            place = None if choose is None else choose(state)
            if place is None:
                return self._first_best(state)
            actions = self.game.legal_actions(state)
            if place >= len(actions):
                raise SolutionFileError(f"it takes move number {place} of {len(actions)}")
            self._look_up_after(state, actions[place])
            return actions[place]
        after = None if plies is None else plies - 1
        return next(
            (action for action, *outcome in self._after(state) if outcome == [value, after]), None
        )

    def _first_best(self, state: State) -> Action | JointAction | None:
        """The first best action, or the joint action of pure choices that are best together; None
        where players randomise or nobody chooses."""
        mover = self.game.current_player(state)
        if mover == SIMULTANEOUS and not self.settled.counts_plies:
            stage = self._unopposed(state)
            return choices_at(self.game, state)[stage.edge] if stage.edge >= 0 else None
        if mover == SIMULTANEOUS:
            return saddle_point(*self._stage(state))
        if mover < 0:
            return None
        return max(self._after(state), key=lambda outcome: outcome[1][mover])[0]

    def _stage(self, state: State) -> tuple[Choices, Payoffs]:
        """The matrix game of simultaneous choices: payoffs are the values behind joint actions,
        the rewards included. Values as near as their bounds are equal."""
        near = 2 * self.error_bound
        payoffs: dict[JointAction, Vector] = {}
        for joint, value, _ in self._after(state):
            assert isinstance(joint, tuple), "all choose at once"
            payoffs[joint] = value
        total = sum(next(iter(payoffs.values())))
        equal, least = dict[JointAction, Vector](), None
        for joint in sorted(payoffs, key=lambda joint: payoffs[joint][0]):
            if least is None or payoffs[joint][0] - least > near:
                least = payoffs[joint][0]
            equal[joint] = least, total - least
        return tuple(map(tuple, self._choices(state))), equal

    def _unopposed(self, state: State) -> SolvedStage:
        """The equilibrium of simultaneous choices that the value follows, where interests are not
        opposed; the best joint action of a team."""
        from gamedsl.solvers.exact.simultaneous_stages import (
            SolvedStage,
            numbered_form,
            unopposed_stage,
        )

        choices = tuple(map(tuple, self._choices(state)))
        payoffs = {joint: value for joint, value, _ in self._after(state)}
        if self.settled.is_team:
            value = self.value(state)
            return SolvedStage(value, [*payoffs.values()].index(value))
        players = tuple(self.game.facts.players)
        return unopposed_stage(
            choices,
            payoffs,  # type: ignore[arg-type]
            lambda listed: numbered_form(players, listed, payoffs),  # type: ignore[arg-type]
            is_first=False,
        )

    def mixture(self, state: State) -> Mixtures | None:
        """Probabilities of simultaneous choices; None where no player randomises."""
        if self.game.current_player(state) != SIMULTANEOUS:
            return None
        if not self.settled.counts_plies:
            return self._unopposed(state).mixtures
        choices, payoffs = self._stage(state)
        if saddle_point(choices, payoffs) is not None:
            return None
        from gamedsl.solvers.exact.simultaneous_stages import mixed_stage

        return mixed_stage(choices, payoffs).mixtures

    def assessed(self, state: State) -> tuple[Assessed, ...]:
        """Every action of the player to move, or every joint action, in declaration order."""
        length, mover = self.remoteness(state), self.game.current_player(state)
        if mover == SIMULTANEOUS:
            after, joint, best = self._after(state), self.choice(state), self.value(state)
            are_best = [
                value == best if self.settled.is_team else action == joint
                for action, value, _ in after
            ]
            return tuple(
                Assessed(action, value, None, is_best, is_best)
                for (action, value, _), is_best in zip(after, are_best, strict=True)
            )
        if mover < 0:
            return ()
        after = self._after(state)
        least = max(value[mover] for _, value, _ in after) - 2 * self.error_bound
        chosen = None if self.settled.chance is None else self.choice(state)
        moves = []
        for action, value, later in after:
            plies = None if later is None else later + 1
            is_best = value[mover] >= least
            leads_on = plies == length if chosen is None else action == chosen
            leads_on = leads_on or not self.settled.counts_plies
            moves.append(Assessed(action, value, plies, is_best, is_best and leads_on))
        return tuple(moves)

    def best_play(self, state: State) -> Iterator[tuple[State, Action | JointAction]]:
        """States and actions of best play from a state on, up to the first chance event, ending or
        repetition."""
        seen = set()
        while state not in seen and (action := self.choice(state)) is not None:
            seen.add(state)
            yield state, action
            state = self.game.result(state, action)


def paid_before(
    game: Game, state: State, action: Action | JointAction, reached: State, after: Vector
) -> Vector:
    """The payoffs of a player's action, given the state that is reached and its payoffs `after`:
    with the reward, and discounted unless a chance event belongs to the ply."""
    if game.facts.pays_at_the_end:
        return after
    completes = game.current_player(reached) != CHANCE
    return paid_by_step(game, state, action, after, completes=completes)


def paid_by_step(
    game: Game, state: State, step: Action | JointAction, after: Vector, *, completes: bool
) -> Vector:
    """The payoffs of a step, given the payoffs `after` of the state that is reached: with the
    reward, and discounted if the step `completes` a ply."""
    facts = game.facts
    if completes:
        after = tuple(facts.discount * payoff for payoff in after)
    if not facts.has_rewards:
        return after
    paid = game.rewards(state, step)
    return tuple(payoff + reward for payoff, reward in zip(after, paid, strict=True))
