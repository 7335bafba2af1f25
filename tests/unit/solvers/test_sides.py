"""Players on two sides: partners are one player to every solver that knows two."""

from __future__ import annotations

from fractions import Fraction

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model.state import State
from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.graphs.graph import OutOfTimeError
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import Goal, SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.alpha_beta import alpha_beta_search
from gamedsl.solvers.textbook.minimax import minimax_decision

TAKEN = """game "Taken"
players {players}
state:
    left: 0..9 = 9
    got[players]: 0..20 = 0
    last: players | none = none
move take(k in 1..2):
    require k <= left
    left -= k
    got[turn] += {worth}
    last = turn
{more}end:
    if left == 0: payoff p: {payoff}
"""
PARTNERS = "got[p] + got[next(next(p))] - got[next(p)] - got[next(next(next(p)))]"
THREE_TO_ONE = "1 if (last == A) == (p == A) else 0"


def taken(players: str, payoff: str, worth: str = "left % 3 * k", more: str = "") -> str:
    return TAKEN.format(players=players, payoff=payoff, worth=worth, more=more)


def worth_of(game: LoadedGame, state: State, sides: tuple[int, ...]) -> tuple[Fraction, ...]:
    """The value by the definition of sides: a player prefers what the first of the side is paid."""
    if game.is_terminal(state):
        return game.utilities(state)
    below = [
        worth_of(game, game.result(state, action), sides) for action in game.legal_actions(state)
    ]
    first = sides.index(sides[game.current_player(state)])
    return max(below, key=lambda payoffs: payoffs[first])


@pytest.mark.parametrize(
    ("players", "payoff", "sides"),
    [
        ("A, B, C, D", PARTNERS, (0, 1, 0, 1)),
        ("A, B, C, D", THREE_TO_ONE, (0, 1, 1, 1)),
        ("A, B, C", "5 - got[C] if p in {A, B} else got[C] / 2 + got[C] / 2", (0, 0, 1)),
        ("A, B", "got[A] - got[B] if p == A else got[B] - got[A]", (0, 1)),
    ],
)
def test_partners_are_worth_what_a_side_gets(
    players: str, payoff: str, sides: tuple[int, ...]
) -> None:
    game = gamedsl.load(taken(players, payoff))
    assert (game.facts.sides, game.facts.is_opposed) == (sides, True)
    start = game.initial_state()
    wanted = worth_of(game, start, sides)
    plain, native = solve(game), solve(gamedsl.load(taken(players, payoff), "native"))
    quick = solve(
        gamedsl.load(taken(players, payoff), "native"), options=SolveOptions(goal=Goal.VALUE)
    )
    assert quick.solver in {SolverName.NATIVE_ALPHA_BETA, SolverName.NATIVE_PROOF_NUMBERS}
    assert {plain.value, native.value, quick.value} == {wanted}
    assert (plain.best, native.best, quick.best) == (plain.best,) * 3
    assert [move.plies for move in plain.moves] == [move.plies for move in native.moves]
    assert alpha_beta_search(game, start).value == wanted[0]
    assert minimax_decision(game, start).value == wanted[0]


@pytest.mark.parametrize(
    ("players", "payoff"),
    [
        ("A, B, C, D", "2 * got[A] if p == A else got[A] if p == C else -got[A]"),
        ("A, B, C, D, E", "0 if p == E else 1 if (p in {A, C}) == (last in {A, C}) else -1"),
        ("A, B, C", "3 if p == last else 0"),
        ("A, B, C, D", "got[p]"),
    ],
)
def test_interests_that_differ_make_no_sides(players: str, payoff: str) -> None:
    """Twice the partner's payoff, a fifth without payoff, three of their own: as each has it."""
    game = gamedsl.load(taken(players, payoff))
    assert (game.facts.partners, game.facts.is_opposed) == (None, False)
    assert solve(game).value is not None


@pytest.mark.parametrize(("low", "sides"), [("-1", (0, 1, 0)), ("0", (0, 1, 2))])
def test_a_discount_leaves_sides_whose_payoffs_add_up_to_zero(
    low: str, sides: tuple[int, ...]
) -> None:
    """Of a total of 1, less is left the longer play takes: B is not paid what A and C are not."""
    payoff = f"1 if (p == B) == (last == B) else {low}"
    text = taken("A, B, C", payoff).replace("state:", "discount = 1/2\nstate:")
    assert gamedsl.load(text).facts.sides == sides


@pytest.mark.parametrize("players", ["A, B", "A, B, C, D"])
def test_play_that_is_over_is_worth_what_it_pays(players: str) -> None:
    text = taken(players, "3 - left if p == A else left - 3", "0", "    # no more\n")
    game = gamedsl.load(text.replace("left == 0", "left in {9, 0}"), "native")
    value = solve(game, options=SolveOptions(goal=Goal.VALUE)).value
    assert value == game.utilities(game.initial_state())


@pytest.mark.parametrize("luck", ["", "    chance coin in 1..2\n    if coin == 2: man += d\n"])
def test_play_that_returns_is_solved_for_sides(luck: str) -> None:
    text = f"""game "Ring"
players A, B, C, D
board 7 wide 1 high
state:
    man: square = d1
move go(d in {{E, W}}):
    require man + d != none and man + d + d != none
    man += d
{luck}end:
    if man in {{a1, b1}}: payoff p: 1 if p in {{A, B}} else -1
    if man in {{f1, g1}}: payoff p: -1 if p in {{A, B}} else 1
endless: payoff p: 0
"""
    solution = solve(gamedsl.load(text))
    wanted = SolverName.VALUE_ITERATION if luck else SolverName.RETROGRADE
    assert solution.solver is wanted
    value = solution.value
    assert value is not None
    assert value[0] != 0 or not luck
    assert value == (value[0], value[0], -value[0], -value[0])


PENNIES = """game "Partners in turn"
players A, B, C
type Side = heads | tails
state:
    did[p in players]: Side | none = none secret to {viewers}
move choose(s in Side) secret:
    did[turn] = s
def fools = did[A] == did[B] and did[A] != did[C]
end:
    if did[C] != none: payoff p: (1 if fools else 0) * (-{scale} if p == C else 1)
"""


@pytest.mark.parametrize(
    ("viewers", "scale", "value"),
    [("p", 1, Fraction(1, 2)), ("p", 2, Fraction(1, 2)), ("players - C", 1, Fraction(1, 2))],
)
def test_partners_who_do_not_see_draw_a_plan_in_common(
    viewers: str, scale: int, value: Fraction
) -> None:
    """Without drawing in common, A and B meet half of the time, and fool C a quarter of it."""
    solution = solve(gamedsl.load(PENNIES.format(viewers=viewers, scale=scale)))
    assert solution.value == (value, value, -scale * value)
    assert solution.solver is SolverName.TEAM
    assert "draws a joint plan at random" in str(solution.kind)


def test_two_sides_that_signal_are_worth_the_matrix_game_of_their_joint_plans() -> None:
    """A knows a bit and says one of two words, which B and C hear; B and C guess the bit."""
    text = """game "Overheard"
players A, B, C
type Bit = no | yes
state:
    bit: Bit secret to A
    said: Bit | none = none
    guess[p in players]: Bit | none = none secret to p
setup:
    chance bit in Bit weighted 1
move tell(w in Bit):
    require turn == A
    said = w
move guess_it(w in Bit) secret:
    require turn != A
    guess[turn] = w
def gain(p, n) = n if guess[p] == bit else 0
end:
    if guess[C] != none: payoff p: (gain(B, 2) - gain(C, 3)) * (-1 if p == C else 1)
"""
    plans = [(0, 0), (0, 1), (1, 0), (1, 1)]
    matrix = [
        [
            sum(Fraction(2 * (b[a[bit]] == bit) - 3 * (c[a[bit]] == bit), 2) for bit in (0, 1))
            for c in plans
        ]
        for a in plans
        for b in plans
    ]
    value = solve_matrix(matrix).value
    assert solve(gamedsl.load(text)).value == (value, value, -value)


def test_a_matrix_game_ends_when_the_time_is_up() -> None:
    def up() -> None:
        raise OutOfTimeError(0, 0)

    with pytest.raises(OutOfTimeError):
        solve_matrix([[Fraction(1), Fraction(-1)], [Fraction(-1), Fraction(1)]], up)
