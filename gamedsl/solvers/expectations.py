"""Verifies the `expect` lines of a file.

In: a game, an expectation, a function that loads the game with changed parameters. Out: a `Verdict`
with the actual value. Expectations of one game share the state graph and the solution through a
`Verifier`. The caller decides about failed claims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from time import perf_counter

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.reading import named, read_play
from gamedsl.model.errors import IllegalActionError, UnsupportedGameError
from gamedsl.model.expectations import Approximate, Claim, Expectation
from gamedsl.model.state import State
from gamedsl.solvers.claimed_values import VALUES, Finding, agrees, compare_value
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.graphs.counting import count_histories, count_plays, longest_play
from gamedsl.solvers.graphs.graph import (
    OutOfBudgetError,
    OutOfTimeError,
    Progress,
    StateGraph,
    explore,
    until,
    usual_limit,
)
from gamedsl.solvers.graphs.information import information_sets
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.normal_form.solve import Equilibria
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.perft import perft
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Goal, MoveValue, Others, Solution, Status
from gamedsl.source import nearest
from gamedsl.source.components import Component, components
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

MOST_COUNTED = 50_000_000
"""Greatest number of positions searched to count plays, if no limit is set."""
FEW = 3_000_000
"""Greatest number of positions solved completely although only the first position's value is
claimed."""
OF_SOLUTION = frozenset({*VALUES, "best", "progress", "plies"})
"""Facts that need a solution of the game; all but values and best moves need more than a search for
the value."""
OF_LENGTH = frozenset({"progress", "plies"})
CLOSER = {
    SolverName.NATIVE_VALUE_ITERATION: SolverName.VALUE_ITERATION,
    SolverName.NATIVE_TURNS: SolverName.BACKWARD_INDUCTION,
}
"""Native solvers with bounds, and the solver that finds exact numbers for short fractions."""
Reload = Callable[[Mapping[str, str]], Game]
"""Loads the file with the given parameters, as text in the language's notation."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an expectation holds.

    Attributes:
        observed: the actual value, as text; "" where no value is known.
        expected: the claims as written.
        ok: None where the claim cannot be decided, within the budget or by any algorithm here.
        reason: the reason, where `ok` is not True and the two texts do not show the reason; "true
            of one of several equilibria" where the claim holds only for one equilibrium; else "".
    """

    expectation: Expectation
    observed: str
    expected: str
    ok: bool | None
    reason: str = ""


def verify(
    game: Game,
    expectation: Expectation,
    reload: Reload,
    *,
    max_positions: int | None = None,
) -> Verdict:
    """Verifies one claim. For several claims about a game `verify_all` is faster.

    Raises: GameRuleError where the rules fail on the way, GameSourceError from `reload`.
    """
    (verdict,) = verify_all(game, (expectation,), reload, max_positions=max_positions)
    return verdict


def verify_all(
    game: Game,
    expectations: Iterable[Expectation],
    reload: Reload,
    *,
    max_positions: int | None = None,
) -> tuple[Verdict, ...]:
    """Verifies several claims, exploring and solving once for each set of parameters."""
    claims = tuple(expectations)
    verifier = Verifier(game, reload, claims, max_positions=max_positions)
    return tuple(verifier.verify(expectation) for expectation in claims)


class Verifier:
    """Verifies expectations of one file and caches intermediate results.

    `expectations` are all claims to come: for a large game with claims only about the value and the
    best moves, the search stops there. `max_positions` limits each exploration, `max_seconds` all
    claims together; None means the defaults of `solve`. `explored` gives the game's whole graph, if
    already explored.
    """

    def __init__(
        self,
        game: Game,
        reload: Reload,
        expectations: Iterable[Expectation] = (),
        *,
        max_positions: int | None = None,
        max_seconds: float | None = None,
        progress: Progress | None = None,
        explored: Callable[[], StateGraph] | None = None,
    ) -> None:
        if max_seconds is not None:
            progress = until(perf_counter() + max_seconds, progress)
        self._reload = reload
        self._max_positions = max_positions
        self._progress = progress
        self._game = game
        self._facts: dict[_Place, set[str]] = {}
        for expectation in expectations:
            self._facts.setdefault(_place_of(expectation), set()).add(expectation.fact)
        self._studies: dict[_Place, _Study] = {
            ((), ""): self._study(game, game.initial_state(), ((), ""), explored)
        }

    def verify(self, expectation: Expectation) -> Verdict:
        """Whether the claim holds. Raises as `verify` does."""
        expected = expectation.text.rpartition(":")[2].strip()
        find = _FINDERS.get(expectation.fact)
        if find is None:
            near = nearest(expectation.fact, _FINDERS)
            hint = f"; did you mean `{near}`?" if near else ""
            reason = f"nothing called `{expectation.fact}` can be expected{hint}"
            return Verdict(expectation, "", expected, False, reason)
        try:
            observed, ok, reason = find(self._study_for(_place_of(expectation)), expectation)
        except IllegalActionError as error:
            observed, ok, reason = "", False, str(error)
        except OutOfBudgetError as error:
            observed, ok, reason = "", None, f"not verified: there are {error}"
        except (OutOfTimeError, OpenError) as error:
            observed, ok, reason = "", None, f"not verified: {error}"
        except UnsupportedGameError as error:
            observed, ok, reason = "", None, f"not verified: {error.reason}"
        return Verdict(expectation, observed, expected, ok, reason)

    def solution(self, settings: tuple[tuple[str, str], ...] = ()) -> Solution:
        """The solution for claims with these settings; raises the errors of `solve`."""
        return self._study_for((tuple(sorted(settings)), "")).solution

    @property
    def has_solution(self) -> bool:
        """Whether a claim has had the game solved from the start, with the file's parameters."""
        return "solution" in self._studies[(), ""].__dict__

    def _study_for(self, place: _Place) -> _Study:
        if place not in self._studies:
            settings, after = place
            game = self._reload(dict(settings)) if settings else self._game
            state = read_play(game, game.initial_state(), after)[1]
            self._studies[place] = self._study(game, state, place)
        return self._studies[place]

    def _study(
        self,
        game: Game,
        state: State,
        place: _Place,
        explored: Callable[[], StateGraph] | None = None,
    ) -> _Study:
        facts = self._facts.get(place, set())
        return _Study(game, state, self._max_positions, self._progress, facts, explored)


_Place = tuple[tuple[tuple[str, str], ...], str]
"""The settings of a claim, sorted, and the moves to the claim's position."""


def _place_of(expectation: Expectation) -> _Place:
    return tuple(sorted(expectation.settings)), expectation.after


@dataclass(eq=False)
class _Study:
    """A position of a game with cached results, each computed at first use.

    `facts` are the names of all facts to be claimed, or empty for all facts; `explored` gives the
    whole graph, if already explored.
    """

    game: Game
    state: State
    max_positions: int | None
    progress: Progress | None
    facts: AbstractSet[str]
    explored: Callable[[], StateGraph] | None = None

    @property
    def value_is_enough(self) -> bool:
        return bool(self.facts) and self.facts <= {*VALUES, "best"}

    @property
    def wants_lengths(self) -> bool:
        return not self.facts or not self.facts.isdisjoint(OF_LENGTH)

    @cached_property
    def graph(self) -> StateGraph:
        solution = self.__dict__.get("solution")
        solved = solution.solved if isinstance(solution, Solution) else None
        if isinstance(solved, SolvedGraph) and solved.game is self.game:
            return solved.graph
        most = self.max_positions or usual_limit(self.state)
        if self.explored is not None and len((known := self.explored()).states) <= most:
            return known
        return explore(self.game, self.state, max_positions=most, progress=self.progress)

    @cached_property
    def order(self) -> tuple[Component, ...]:
        return components(self.graph.successors)

    @cached_property
    def solution(self) -> Solution:
        most = self.max_positions
        lengths = self.wants_lengths
        if self.value_is_enough and (most is None or most > FEW):
            solution = self._solved(SolveOptions(max_positions=FEW, lengths=lengths))
            if solution.status is not Status.OPEN or solution.positions < FEW:
                return solution
            return self._solved(SolveOptions(max_positions=most, goal=Goal.VALUE))
        goal = Goal.PLAY if self.facts else Goal.ALL
        return self._solved(SolveOptions(max_positions=most, goal=goal, lengths=lengths))

    def _solved(self, options: SolveOptions) -> Solution:
        """`solve` at the position of the study, with the progress of the study."""
        return solve(self.game, self.state, replace(options, progress=self.progress))

    def closer(self) -> Solution | None:
        """The solution with exact numbers as short fractions, if native code has given bounds."""
        solver = None if self.solution.solver is None else CLOSER.get(self.solution.solver)
        if solver is None:
            return None
        return self._solved(
            SolveOptions(
                max_positions=self.max_positions, solver=solver, lengths=self.wants_lengths
            )
        )

    def equilibria(self) -> Equilibria | None:
        """Equilibria of the game; a team has one value, and equilibria are listed only for claims
        about equilibria."""
        solution = self.solved()
        if solution.solver is SolverName.TEAM and solution.equilibria is None:
            solution = self._solved(
                SolveOptions(max_positions=self.max_positions, solver=SolverName.NORMAL_FORM)
            )
        return solution.equilibria

    def counts(self) -> tuple[int, int, int]:
        """Numbers of positions, endings and chance events, from the solution if every position is
        solved or needed anyway."""
        if "solution" in self.__dict__ or not self.facts.isdisjoint(OF_SOLUTION):
            with suppress(UnsupportedGameError):
                solution = self.solution
                if solution.status is Status.STRONG and solution.part is None:
                    return solution.positions, solution.terminals, solution.chance_nodes
        graph = self.graph
        return graph.positions, len(graph.payoffs), len(graph.chances)

    def information_sets(self) -> int:
        """Number of information sets of all players, from the solution if every play has been
        explored (views, and merged sets, are fewer than information sets)."""
        solution = self.__dict__.get("solution")
        if isinstance(solution, Solution) and solution.form is not None and not solution.part:
            counted = sum(solution.form.information_sets)
            fewer = SolverName.VIEWS, SolverName.MERGED
            return self._all_sets() if solution.solver in fewer else counted
        return self._all_sets()

    def _all_sets(self) -> int:
        return len(information_sets(self.game))

    def solved(self) -> Solution:
        """The solution; raises OutOfBudgetError or OpenError where the limits were reached
        first."""
        solution, most = self.solution, self.max_positions
        if solution.status is Status.OPEN and solution.value is None:
            if most is not None and solution.positions >= most:
                raise OutOfBudgetError(most, solution.positions, 0)
            raise OpenError(f"{solution.outcome}, after {count(solution.positions, 'position')}")
        return solution

    def solved_with_lengths(self) -> Solution:
        """The solution; raises OpenError also where a search gives the value but no shortest
        play."""
        solution = self.solved()
        if solution.status is not Status.STRONG and solution.plies is None:
            positions = count(solution.positions, "position")
            raise OpenError(f"the value is known, after {positions}, and not how long play takes")
        return solution


class OpenError(RuntimeError):
    """The game is not solved, and why."""


Finder = Callable[[_Study, Expectation], Finding]


def _number(measure: Callable[[_Study, Expectation], int | None]) -> Finder:
    """A fact that is a whole number."""

    def find(study: _Study, expectation: Expectation) -> Finding:
        number = measure(study, expectation)
        claim = _single(expectation)
        if claim is None:
            return str(number), False, "one number is expected"
        if number is None:
            return "none", False, "best play has no length: it is endless, or chance has a part"
        return f"{number}", agrees(Fraction(number), Fraction(0), claim), ""

    return find


def _single(expectation: Expectation) -> Fraction | Approximate | None:
    """The claimed number; None for all other claims."""
    claim = expectation.claims[0]
    is_number = len(expectation.claims) == 1 and isinstance(claim, Fraction | Approximate)
    return claim if is_number and isinstance(claim, Fraction | Approximate) else None


def _find_value(study: _Study, expectation: Expectation) -> Finding:
    finding = compare_value(study.solved(), expectation)
    if finding[1] is None and (closer := study.closer()) is not None:
        return compare_value(closer, expectation)
    return finding


def _find_best(study: _Study, expectation: Expectation) -> Finding:
    """The claims must be all optimal actions, in any order."""
    return _find_moves(study, expectation, lambda move: move.is_best, study.solved().undecided)


def _find_progress(study: _Study, expectation: Expectation) -> Finding:
    """The claims must be all optimal actions that keep the length of best play."""
    study.solved_with_lengths()
    return _find_moves(study, expectation, lambda move: move.makes_progress, ())


def _find_moves(
    study: _Study,
    expectation: Expectation,
    is_wanted: Callable[[MoveValue], bool],
    undecided: Sequence[str],
) -> Finding:
    """The claims must be all wanted actions, in any order; `undecided` actions may or may not be
    wanted."""
    solution, game = study.solved(), study.game
    if solution.status is Status.OPEN:
        return "", None, solution.outcome
    state = study.state
    wanted = [move for move in solution.moves if is_wanted(move)]
    if solution.strategies and not wanted:
        return "", None, "best play chooses by chance: `solve` says with what probabilities"
    if solution.others is not Others.NONE and solution.equilibria is not None:
        number = len(solution.equilibria.equilibria)
        several = f"there are {number}" if number > 1 else "there may be several"
        return "", None, f"{several} equilibria, and no move is best by itself"
    observed = ", ".join(move.name for move in wanted)
    observed = observed or "none: nobody chooses in this position"
    claimed: set[Action | JointAction] = set()
    for claim in expectation.claims:
        try:
            claimed.add(_action_named(game, state, solution, _as_name(claim)))
        except IllegalActionError as error:
            return observed, False, str(error)
    best = {move.action for move in wanted}
    unknown = {_action_named(game, state, solution, name) for name in undecided}
    if unknown and best <= claimed <= best | unknown:
        return observed, None, f"it is not known whether {', '.join(undecided)} are as good"
    reason = "" if claimed == best else _difference(claimed - best, expectation.fact)
    return observed, claimed == best, reason


def _action_named(game: Game, state: State, solution: Solution, name: str) -> Action | JointAction:
    """The first action of a claim.

    An action of the player to move; a joint action, joined by `+`; or an action of the first mover
    after an unobserved chance event.
    """
    if game.current_player(state) >= 0:
        return game.action_named(state, name)
    return named(name, {move.action: move.name for move in solution.moves}, state)


def _difference(extra: set[Action | JointAction], fact: str) -> str:
    if fact == "progress":
        kind = "optimal actions that keep the length of best play"
        return f"a claimed action is not among the {kind}" if extra else f"all {kind} must be named"
    if extra:
        return "an action is claimed that is not optimal"
    return "all optimal actions must be named"


def _as_name(claim: Claim) -> str:
    match claim:
        case str():
            return claim
        case Approximate():
            return claim.text
        case Fraction():
            return str(claim)
        case _:
            return ", ".join(map(str, claim))


def _find_equilibria(study: _Study, expectation: Expectation) -> Finding:
    """Number of equilibria listed; where equilibria are connected, number of ends of sets."""
    equilibria = study.equilibria()
    if equilibria is None:
        return "", None, "no list of equilibria is made of such a game: it has one value"
    number, claim = len(equilibria.equilibria), _single(expectation)
    if claim is None:
        return str(number), False, "one number is expected"
    if equilibria.why_more is not None:
        return f"at least {number}", None, f"there may be more: {equilibria.why_more}"
    return str(number), agrees(Fraction(number), Fraction(0), claim), ""


def _perft(study: _Study, expectation: Expectation) -> int:
    depth = expectation.number or 0
    counts = perft(
        study.game,
        study.state,
        depth,
        turns=expectation.in_turns,
        progress=study.progress,
        max_positions=study.max_positions or MOST_COUNTED,
    )
    return counts[depth]


_FINDERS: Mapping[str, Finder] = {
    **dict.fromkeys(VALUES, _find_value),
    "best": _find_best,
    "progress": _find_progress,
    "plies": _number(lambda study, _: study.solved_with_lengths().plies),
    "states": _number(lambda study, _: study.counts()[0]),
    "terminals": _number(lambda study, _: study.counts()[1]),
    "chances": _number(lambda study, _: study.counts()[2]),
    "actions": _number(lambda study, _: study.game.facts.action_count),
    "perft": _number(_perft),
    "plays": _number(lambda study, _: count_plays(study.graph, study.order)),
    "longest": _number(lambda study, _: longest_play(study.graph, study.order)),
    "histories": _number(lambda study, _: count_histories(study.graph, study.order)),
    "equilibria": _find_equilibria,
    "infosets": _number(lambda study, _: study.information_sets()),
}

KNOWN_FACTS = tuple(_FINDERS)
"""The facts that can be claimed."""
