"""Files of Gambit's: read, solved, written, and refused with the place of the mistake."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.solvers.equilibria.best_response import best_response_gains, expected_payoffs
from gamedsl.solvers.equilibria.extensive_form import (
    ExtensiveForm,
    InformationSet,
    extensive_form,
)
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution
from gamedsl.source.text import source_from_text
from gamedsl.syntax.gambit.program import _names
from gamedsl.syntax.parse import parse
from gamedsl.syntax.printers.program import format_program
from tests.doors.conftest import Run

FILES = Path(__file__).resolve().parents[1] / "gambit"
HALF = Fraction(1, 2)
KNOWN = {
    "battle_of_the_sexes.nfg": [(2, 1), (1, 2), (Fraction(2, 3), Fraction(2, 3))],
    "beer_quiche.efg": [(Fraction(29, 10), Fraction(9, 10))] * 2
    + [(Fraction(21, 10), Fraction(9, 10))] * 2,
    "chicken_by_outcomes.nfg": [(2, 7), (7, 2), (Fraction(14, 3), Fraction(14, 3))],
    "coordination_of_three.nfg": None,
    "dominated_by_a_mixture.nfg": [(3, 1), (3, 1), (Fraction(3, 2), HALF)],
    "entry.efg": (2, 2),
    "horse.efg": None,
    "lottery.efg": (0,),
    "matching_pennies.nfg": (0, 0),
    "myerson_fig_2_1.efg": (Fraction(1, 3), -Fraction(1, 3)),
    "names_that_need_care.efg": (2, 1),
    "one_decision.efg": (Fraction(5, 2),),
    "paid_on_the_way.efg": (3, 3),
    "prisoners_dilemma.nfg": [(1, 1)],
    "shapley.nfg": [(Fraction(1, 3), Fraction(1, 3))],
    "stag_hunt.nfg": [(4, 4), (3, 3), (3, 3)],
    "take_or_pass.efg": (1, 0),
    "thirds.nfg": (Fraction(2, 9), -Fraction(2, 9)),
    "three_matching_pennies.nfg": [(HALF, HALF, HALF)],
    "ultimatum.efg": (2, 0),
}
"""What each file is worth: a value, or the payoffs of all equilibria; None: see below."""


def test_every_file_is_known() -> None:
    assert {path.name for path in FILES.iterdir()} == set(KNOWN)
    assert len(KNOWN) == 20


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_files_are_worth_what_is_known_and_survive_a_rewriting(name: str) -> None:
    game = gamedsl.load(FILES / name)
    solution = solve(game)
    known = KNOWN[name]
    if isinstance(known, tuple):
        assert solution.value == known
    elif known is not None:
        assert solution.equilibria is not None
        assert [one.value for one in solution.equilibria.equilibria] == known
        assert solution.equilibria.why_more is None
    written = gamedsl.load(format_program(parse(game.source)[0]))
    exported = gamedsl.load(gamedsl.efg(game))
    assert solve(written).value == solve(exported).value == solution.value


def test_names_keep_their_letters_whatever_alphabet_these_are_of() -> None:
    players = (
        "M\u00fcller",
        "\u03a9",
        "\u5f35",
        "Mu\u0308ller",
        "Jos\u00e9-Mar\u00eda",
        "!",
        "2nd",
    )
    named = " ".join(f'"{one}"' for one in players)
    payoffs = ", ".join("1" for _ in players)
    leaf = f't "" 1 "" {{ {payoffs} }}\n'
    tree = 'p "" 1 1 "" { "gr\u00f6\u00dfer" "\u0438" "3" "" } 0\n' + 4 * leaf
    game = gamedsl.load(f'EFG 2 R "T" {{ {named} }}\n{tree}')
    kept = (
        "M\u00fcller",
        "\u03a9",
        "\u5f35",
        "M\u00fcller_2",
        "Jos\u00e9_Mar\u00eda",
        "Player_6",
        "Player_2nd",
    )
    assert game.facts.players == kept
    root = game.initial_state()
    assert game.action_names(root) == ("gr\u00f6\u00dfer", "\u0438", "3", "action_4")
    written = gamedsl.load(format_program(parse(game.source)[0]))
    assert written.facts.players == kept
    assert gamedsl.load(gamedsl.efg(written)).facts.players == kept


def test_the_horse_has_both_of_seltens_equilibria() -> None:
    """R. Selten 1975: (D, c, L) with a threat that is not meant, and (C, c, R)."""
    found = solve(gamedsl.load(FILES / "horse.efg")).equilibria
    assert found is not None
    assert {(3, 2, 2), (1, 1, 1)} <= {one.value for one in found.equilibria if one.is_pure}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("kuhn_poker", {}),
        ("monty_hall", {}),
        ("centipede", {}),
        ("goofspiel", {}),
        ("prisoners_dilemma", {}),
        ("three_player_race", {"n": 4}),
        ("expectiminimax", {}),
        ("hidden_coin", {}),
    ],
)
def test_what_is_written_is_read_as_the_same_game(name: str, parameters: dict[str, int]) -> None:
    game = gamedsl.load(name, **parameters)
    again = gamedsl.load(gamedsl.efg(game))
    one, other = solve(game), solve(again)
    assert one.value == other.value
    assert gamedsl.efg(again) == gamedsl.efg(gamedsl.load(gamedsl.efg(again)))


@pytest.mark.parametrize("name", ["morra", "myerson_poker", "prisoners_dilemma"])
def test_the_normal_form_is_written_too(name: str) -> None:
    game = gamedsl.load(name)
    assert solve(gamedsl.load(gamedsl.nfg(game))).value == solve(game).value


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "begins with `EFG 2 R`"),
        ("EFG 3 R", (1, 5), "version 2"),
        ('EFG 2 R "T"\n{ }', (2, 1), "at least one player"),
        ('EFG 2 R "T" { "A" }\nx', (2, 1), "`c` (chance)"),
        ('EFG 2 R "T" { "A" }\nc "" 1 { "a" 1/2 "b" 1/3 } 0', (2, 8), "add up to 5/6"),
        ('EFG 2 R "T" { "A" }\np "" 1 1 { "a" } 0', (2, 19), "the end of the file"),
        ('EFG 2 R "T" { "A" }\np "" 1 1 0', (2, 10), "has to list its actions"),
        ('EFG 2 R "T" { "A" }\nt "" 1 { 1, 2 }', (2, 8), "there are 2"),
        ('EFG 2 R "T" { "A" }\nt "" 7', (2, 6), "has to list its payoffs"),
        ('EFG 2 R "T" { "A" }\nt "" 0\nt "" 0', (3, 1), "stands behind it"),
        ('EFG 2 R "T" { "A" }\nt "" 1 { 1/0 }', (2, 10), "`1/0`"),
        ('NFG 1 R "T" { "A" "B" } { 2 }', (1, 25), "there are 1"),
        ('NFG 1 R "T" { "A" } { 2 } 1', (1, 28), "a number, is expected here; this is the end"),
        ('NFG 1 R "T" { "A" } { 9999999 }', (1, 23), "at most"),
        ('NFG 1 R "T" { "A" } { 2 } { { "x" 1 } } 1 2', (1, 43), "there is no outcome 2"),
    ],
)
def test_mistakes_are_shown_where_they_are(text: str, place: tuple[int, int], message: str) -> None:
    program, diagnostics = parse(source_from_text(text, "my.efg"))
    assert not program.declarations
    assert [found.code for found in diagnostics] == ["E0127"]
    assert message in diagnostics[0].message
    assert diagnostics[0].position == place


def test_the_command_writes_what_it_reads(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.efg"
    assert run("tree", "kuhn_poker", "--format", "efg", "-o", path).status == 0
    assert path.read_text("utf-8").startswith('EFG 2 R "Kuhn poker" { "Ann" "Bob" }\n')
    kept = path.read_bytes()
    assert run("fmt", path).status == 1
    assert path.read_bytes() == kept
    assert run("check", path).status == 0
    assert run("tree", "nim", "--format", "efg", "--max-nodes", "10").status == 3
    assert run("tree", "kuhn_poker", "--format", "nfg", "--depth", "1").status == 2


def gambit() -> Any:
    """Gambit 16 for Python, where it is installed; 17 calls most things by other names."""
    found = pytest.importorskip("pygambit")
    if not found.__version__.startswith("16."):
        pytest.skip(f"Gambit {found.__version__} is there, and 16 is asked")
    return found


SHIPPED_FOR_GAMBIT = (
    "aima_fig_5_2", "aima_three_player", "auction", "battle_of_the_sexes", "beer_and_quiche",
    "blotto", "blotto_three_fields", "centipede", "chicken", "expectiminimax", "hidden_coin",
    "inspection", "kuhn_poker", "market_entry", "matching_pennies", "monty_hall", "morra",
    "myerson_poker", "odd_or_even", "one_card_poker", "prisoners_dilemma", "rock_paper_scissors",
    "sequential_rochambeau", "shapley", "stag_hunt",
)  # fmt: skip
"""Shipped games that Gambit solves in seconds."""


@pytest.mark.parametrize("name", SHIPPED_FOR_GAMBIT)
def test_gambit_reads_what_is_written_and_agrees(tmp_path: Path, name: str) -> None:
    """Of opposed interests about the value; of others about the payoffs of all equilibria, or, of
    three players, of all in pure strategies."""
    pygambit = gambit()
    path = tmp_path / "exported.efg"
    game = gamedsl.load(name)
    path.write_text(gamedsl.efg(game))
    solution = solve(game)
    in_pure = solution.equilibria is None and not game.facts.is_zero_sum
    agree(solution, payoffs_by_gambit(pygambit, pygambit.read_efg(str(path)), in_pure))


CHECKED_BY_GAMBIT = (
    "beer_and_quiche", "breakthrough", "dawsons_kayles", "domineering", "fibonacci_nim",
    "goofspiel", "goofspiel_by_lot", "grundys_game", "hexapawn", "inspection", "kuhn_poker",
    "kuhn_poker_several", "leduc_poker", "liars_dice", "phantom_line", "repeated_dilemma",
    "secretary", "three_player_race", "treblecross", "ultimatum",
)  # fmt: skip
"""Shipped games that Gambit reads in seconds; it would take longer to solve most of them."""
MOST_PLANS = 1_000
"""Of each player: so many are gone through by Gambit to see what a player could gain."""


@pytest.mark.parametrize("name", CHECKED_BY_GAMBIT)
def test_gambit_reads_the_same_tree_and_says_the_same_of_our_behaviour(
    tmp_path: Path, name: str
) -> None:
    """Players, nodes, information sets and their actions; what our behaviour pays, and that nobody
    gains by another action, or, where there are few plans, by another plan."""
    pygambit = gambit()
    path = tmp_path / "exported.efg"
    game = gamedsl.load(name)
    path.write_text(gamedsl.efg(game))
    read, form = pygambit.read_efg(str(path)), extensive_form(game, with_tree=True)
    assert [player.label for player in read.players] == list(game.facts.players)
    assert form.tree is not None
    assert len(read.nodes) == len(form.tree.movers)
    theirs = [[_labels(one) for one in player.infosets] for player in read.players]
    assert theirs == [[one.actions for one in own] for own in form.sets]
    solution = solve(game)
    behaviour, profile = _behaviour(solution, form), read.mixed_behavior_profile(rational=True)
    for player, own in zip(read.players, behaviour, strict=True):
        for one, local in zip(player.infosets, own, strict=True):
            profile[one] = [pygambit.Rational(p.numerator, p.denominator) for p in local]
    paid = tuple(Fraction(str(profile.payoff(player))) for player in read.players)
    assert paid == expected_payoffs(form, behaviour)
    gain = max(best_response_gains(form, behaviour))
    if solution.is_exact:
        assert paid == solution.value
        assert (gain, profile.agent_max_regret()) == (0, 0)
    if max(_plans(own) for own in form.sets) <= MOST_PLANS:
        assert Fraction(str(profile.max_regret())) == gain


def _labels(infoset: Any) -> tuple[str, ...]:
    return tuple(action.label for action in infoset.actions)


def _plans(sets: Sequence[InformationSet]) -> int:
    """How many plans a player can make beforehand."""
    ways: dict[int, int] = {}
    for one in reversed(sets):
        after = sum(ways.get(sequence, 1) for sequence in one.sequences)
        ways[one.parent] = ways.get(one.parent, 1) * after
    return ways.get(0, 1)


def _behaviour(solution: Solution, form: ExtensiveForm) -> tuple[Behaviour, ...]:
    """What players do by a solution, of positions or of information sets."""
    return tuple(
        tuple(_local(solution, form, player, one) for one in own)
        for player, own in enumerate(form.sets)
    )


def _local(
    solution: Solution, form: ExtensiveForm, player: int, one: InformationSet
) -> tuple[Fraction, ...]:
    for found in solution.strategies_at(one.history):
        if found.player == player:
            return tuple(chance for _, chance in found.choices)
    state = one.history[-1][0]
    choice = solution.choice(state)
    assert choice is not None
    name = form.game.action_name(state, choice)
    return tuple(Fraction(action == name) for action in one.actions)


def agree(solution: Solution, theirs: set[tuple[Fraction, ...]]) -> None:
    """Assert that Gambit's equilibria pay what ours do."""
    found = () if solution.equilibria is None else solution.equilibria.equilibria
    if len(solution.players) > 2 and found:
        assert {one.value for one in found if one.is_pure} == theirs
        return
    assert solution.value in theirs
    if found and solution.equilibria is not None and solution.equilibria.why_more is None:
        assert {one.value for one in found} == theirs


def payoffs_by_gambit(pygambit: Any, read: Any, in_pure: bool = False) -> set[tuple[Fraction, ...]]:
    """What Gambit's equilibria pay, for `in_pure` those in pure strategies alone."""
    players, nash = list(read.players), pygambit.nash
    if len(players) != 2 or in_pure:
        found = nash.enumpure_solve(read)
    elif read.is_const_sum:
        found = nash.lp_solve(read, rational=True)
        if found.equilibria[0].max_regret():  # Gambit 16.7 is wrong about `inspection`
            found = nash.lp_solve(read, rational=True, use_strategic=True)
    else:
        found = nash.enummixed_solve(read, rational=True)
    return {
        tuple(Fraction(str(profile.payoff(player))) for player in players)
        for profile in found.equilibria
    }


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_gambit_reads_files_by_hand_and_agrees(name: str) -> None:
    pygambit = gambit()
    reading = pygambit.read_nfg if name.endswith("nfg") else pygambit.read_efg
    solution = solve(gamedsl.load(FILES / name))
    agree(solution, payoffs_by_gambit(pygambit, reading(str(FILES / name))))


def chain(plies: int) -> str:
    """Two players in turn may stop or go on."""
    lines = ['EFG 2 R "Chain" { "A" "B" }']
    for n in range(plies):
        lines.append(f'p "" {n % 2 + 1} {n // 2 + 1} "" {{ "stop" "go" }} 0')
        lines.append(f't "" {n + 1} "" {{ {n}, {n} }}')
    lines.append(f't "" {plies + 1} "" {{ {plies}, {plies} }}')
    return "\n".join(lines) + "\n"


def test_trees_may_be_deep_but_not_without_an_end(run: Run, tmp_path: Path) -> None:
    deep, deeper = tmp_path / "deep.efg", tmp_path / "deeper.efg"
    deep.write_text(chain(249))
    deeper.write_text(chain(250))
    assert "payoffs A: 249, B: 249" in run("solve", deep).out
    assert len(run("show", deep, "--format", "ast").out) > 10**6
    assert "trees are at most 250 nodes deep" in run("check", deeper).out


def test_actions_of_one_name_are_told_apart_however_many_there_are() -> None:
    names = _names(["a"] * 50_000, "action")  # each was looked for among all before it
    assert (names[:3], names[-1]) == (("a", "a_2", "a_3"), "a_50000")
    assert _names(["a", "a", "a_2", "a"], "action") == ("a", "a_2", "a_2_2", "a_3")
