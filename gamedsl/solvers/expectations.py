"""Verify the `expect` lines of a file.

In: a game, an expectation, a way to load the game with other parameters. Out: a `Verdict`, which
says what was found. Several expectations of one game share what they need (the state graph, the
solution) through a `Verifier`. It does not decide what to do about a claim that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from fractions import Fraction
from functools import cached_property, partial
from time import perf_counter

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.reading import named, read_play
from gamedsl.model.errors import IllegalActionError, UnsupportedGameError
from gamedsl.model.expectations import Approximate, Claim, Expectation
from gamedsl.model.state import State
from gamedsl.solvers.claimed_values import VALUES, Finding, agrees, compare_value
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.graphs.components import Component, components
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
from gamedsl.solvers.graphs.information import history_tree
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.normal_form.solve import Equilibria
from gamedsl.solvers.perft import perft
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Goal, MoveValue, Others, Solution, Status
from gamedsl.source import nearest
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

MOST_COUNTED = 50_000_000
"""Positions that are looked at for how many plays there are, if nobody names a limit."""
FEW = 3_000_000
"""Positions that are all looked at, where the value of the first is all that is asked."""
OF_SOLUTION = frozenset({*VALUES, "best", "progress", "plies"})
"""Facts for which a game is solved, with every position if more is asked than the first two."""
OF_LENGTH = frozenset({"progress", "plies"})
CLOSER = {
    SolverName.NATIVE_VALUE_ITERATION: SolverName.VALUE_ITERATION,
    SolverName.NATIVE_TURNS: SolverName.BACKWARD_INDUCTION,
}
"""Native code that bounds values, and the solver that finds exact numbers where they are short."""
Reload = Callable[[Mapping[str, str]], Game]
"""Load the same file with these parameters, given as text in the language's notation."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an expectation holds.

    Attributes:
        found: what was found, as text; "" where nothing was.
        expected: the claims as written.
        ok: None where it cannot be told, within the budget or by any algorithm here.
        reason: why not, where `ok` is not True and the two texts do not tell; of what it is true,
            where it holds of one of several equilibria; else "".
    """

    expectation: Expectation
    found: str
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
    """Verify one claim. For several of one game `verify_all` is faster.

    Raises: GameRuleError where the rules fail on the way, GameSourceError from `reload`.
    """
    (found,) = verify_all(game, (expectation,), reload, max_positions=max_positions)
    return found


def verify_all(
    game: Game,
    expectations: Iterable[Expectation],
    reload: Reload,
    *,
    max_positions: int | None = None,
) -> tuple[Verdict, ...]:
    """Verify several claims, exploring and solving once for each set of parameters."""
    claims = tuple(expectations)
    verifier = Verifier(game, reload, claims, max_positions=max_positions)
    return tuple(verifier.verify(expectation) for expectation in claims)


class Verifier:
    """Verifies expectations of one file and remembers what it worked out.

    `expectations` are all that will be asked: of a large game of which they say no more than the
    value and the best moves, no more is looked for. `max_positions` limits each exploration,
    `max_seconds` all claims together; None: what `solve` does without a limit. `explored` gives the
    whole graph of the game, where somebody has it.
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
        for one in expectations:
            self._facts.setdefault(_place_of(one), set()).add(one.fact)
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
            found, ok, reason = find(self._study_for(_place_of(expectation)), expectation)
        except IllegalActionError as error:
            found, ok, reason = "", False, str(error)
        except OutOfBudgetError as error:
            found, ok, reason = "", None, f"not verified: there are {error}"
        except (OutOfTimeError, OpenError) as error:
            found, ok, reason = "", None, f"not verified: {error}"
        except UnsupportedGameError as error:
            found, ok, reason = "", None, f"not verified: {error.reason}"
        return Verdict(expectation, found, expected, ok, reason)

    def solution(self, settings: tuple[tuple[str, str], ...] = ()) -> Solution:
        """The solution that claims with these settings are held against; what `solve` raises."""
        return self._study_for((tuple(sorted(settings)), "")).solution

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
"""The settings of a claim, sorted, and the moves to its position."""


def _place_of(expectation: Expectation) -> _Place:
    return tuple(sorted(expectation.settings)), expectation.after


class _Study:
    """A position of a game with what has been worked out about it, each at its first use.

    `facts` are the names of all that will be asked of it, everything if there are none; `explored`
    gives its whole graph, where somebody has it.
    """

    def __init__(
        self,
        game: Game,
        state: State,
        max_positions: int | None,
        progress: Progress | None,
        facts: AbstractSet[str],
        explored: Callable[[], StateGraph] | None = None,
    ) -> None:
        self.game = game
        self.state = state
        self.explored = explored
        self.max_positions = max_positions
        self.progress = progress
        self.facts = facts
        self.value_is_enough = bool(facts) and facts <= {*VALUES, "best"}
        self.wants_lengths = not facts or not facts.isdisjoint(OF_LENGTH)

    @cached_property
    def graph(self) -> StateGraph:
        solved = self.__dict__.get("solution")
        if isinstance(solved, Solution) and isinstance(solved.solved, SolvedGraph):
            return solved.solved.graph
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
            found = self._solved(max_positions=FEW, lengths=lengths)
            if found.status is not Status.OPEN or found.positions < FEW:
                return found
            goal = Goal.VALUE
            return self._solved(max_positions=most, goal=goal)
        goal = Goal.PLAY if self.facts else Goal.ALL
        return self._solved(max_positions=most, goal=goal, lengths=lengths)

    @property
    def _solved(self) -> Callable[..., Solution]:
        """`solve` at the position of the study, without its limits."""
        return partial(solve, self.game, self.state, progress=self.progress)

    def closer(self) -> Solution | None:
        """The solution with exact numbers where they are short, if native code has given bounds."""
        solver = None if self.solution.solver is None else CLOSER.get(self.solution.solver)
        if solver is None:
            return None
        return self._solved(
            max_positions=self.max_positions, solver=solver, lengths=self.wants_lengths
        )

    def equilibria(self) -> Equilibria | None:
        """Those of the game; a team has one value, and its equilibria are listed where a claim is
        about them."""
        solution = self.solved()
        if solution.solver is SolverName.TEAM and solution.equilibria is None:
            solution = self._solved(max_positions=self.max_positions, solver=SolverName.NORMAL_FORM)
        return solution.equilibria

    def counts(self) -> tuple[int, int, int]:
        """Positions, endings and chance events; asked of the solution, which has gone through all
        of them, if there is one or it is asked for anyway."""
        if "solution" in self.__dict__ or not self.facts.isdisjoint(OF_SOLUTION):
            with suppress(UnsupportedGameError):
                found = self.solution
                if found.status is Status.STRONG:
                    return found.positions, found.terminals, found.chance_nodes
        graph = self.graph
        return graph.positions, len(graph.payoffs), len(graph.chances)

    def information_sets(self) -> int:
        """Those of all players; asked of the solution if it has gone through all plays."""
        found = self.__dict__.get("solution")
        if isinstance(found, Solution) and found.form is not None:
            return sum(found.form.information_sets)
        return len(history_tree(self.game).information_sets)

    def solved(self) -> Solution:
        """The solution; OutOfBudgetError or OpenError where the limits were reached first."""
        solution, most = self.solution, self.max_positions
        if solution.status is Status.OPEN and solution.value is None:
            if most is not None and solution.positions >= most:
                raise OutOfBudgetError(most, solution.positions, 0)
            raise OpenError(f"{solution.outcome}, after {count(solution.positions, 'position')}")
        return solution

    def solved_with_lengths(self) -> Solution:
        """The solution; OpenError too where a search has found the value and no shortest play."""
        solution = self.solved()
        if solution.status is not Status.STRONG and solution.plies is None:
            positions = count(solution.positions, "position")
            raise OpenError(f"the value is known, after {positions}, and not how long play takes")
        return solution


class OpenError(RuntimeError):
    """The game is not solved, and why."""


Finder = Callable[[_Study, Expectation], Finding]


def _number(measure: Callable[[_Study, Expectation], int | None]) -> Finder:
    """A fact that is one whole number."""

    def find(study: _Study, expectation: Expectation) -> Finding:
        found = measure(study, expectation)
        claim = _single(expectation)
        if claim is None:
            return str(found), False, "one number is expected"
        if found is None:
            return "none", False, "best play has no length: it is endless, or chance has a part"
        return f"{found}", agrees(Fraction(found), Fraction(0), claim), ""

    return find


def _single(expectation: Expectation) -> Fraction | Approximate | None:
    """The one number that is claimed; None for anything else."""
    claim = expectation.claims[0]
    is_number = len(expectation.claims) == 1 and isinstance(claim, Fraction | Approximate)
    return claim if is_number and isinstance(claim, Fraction | Approximate) else None


def _find_value(study: _Study, expectation: Expectation) -> Finding:
    found = compare_value(study.solved(), expectation)
    if found[1] is None and (closer := study.closer()) is not None:
        return compare_value(closer, expectation)
    return found


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
    """The claims must be all actions that are wanted, in any order; of `undecided` ones it is not
    known whether they are."""
    solution, game = study.solved(), study.game
    if solution.status is Status.OPEN:
        return "", None, solution.outcome
    state = study.state
    wanted = [move for move in solution.moves if is_wanted(move)]
    if solution.strategies and not wanted:
        return "", None, "best play chooses by chance: `solve` says with what probabilities"
    if solution.others is not Others.NONE and solution.equilibria is not None:
        number = len(solution.equilibria.found)
        several = f"there are {number}" if number > 1 else "there may be several"
        return "", None, f"{several} equilibria, and no move is best by itself"
    found = ", ".join(move.name for move in wanted)
    found = found or "none: nobody chooses in this position"
    claimed: set[Action | JointAction] = set()
    for claim in expectation.claims:
        try:
            claimed.add(_action_named(game, state, solution, _as_name(claim)))
        except IllegalActionError as error:
            return found, False, str(error)
    best = {move.action for move in wanted}
    unknown = {_action_named(game, state, solution, name) for name in undecided}
    if unknown and best <= claimed <= best | unknown:
        return found, None, f"it is not known whether {', '.join(undecided)} are as good"
    reason = "" if claimed == best else _difference(claimed - best, expectation.fact)
    return found, claimed == best, reason


def _action_named(game: Game, state: State, solution: Solution, name: str) -> Action | JointAction:
    """The first action that a claim is about: of the player to move; of all who choose at once,
    joined by `+`; or of who moves first behind a chance event that nobody sees."""
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
    """How many equilibria are listed; where they are connected, how many ends of sets."""
    found = study.equilibria()
    if found is None:
        return "", None, "no list of equilibria is made of such a game: it has one value"
    number, claim = len(found.found), _single(expectation)
    if claim is None:
        return str(number), False, "one number is expected"
    if found.why_more is not None:
        return f"at least {number}", None, f"there may be more: {found.why_more}"
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
