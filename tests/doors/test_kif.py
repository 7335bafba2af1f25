"""Files in GDL: read, solved, written as rules, and refused with the place of the mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.game.loading import load
from gamedsl.model.builtins import BUILTINS
from gamedsl.model.errors import GameRuleError
from gamedsl.model.facts import PayoffSum
from gamedsl.model.symbols.keywords import KEYWORDS
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.running.proof_search import by_proof_search
from gamedsl.solvers.running.value_search import by_value_search
from gamedsl.solvers.solution import Goal
from gamedsl.source.text import source_from_text
from gamedsl.syntax.kif.ground import ground
from gamedsl.syntax.kif.names import BUILTINS as NAMES_OF_FUNCTIONS
from gamedsl.syntax.kif.names import WORDS
from gamedsl.syntax.kif.program import Translation, game_of, read_kif
from gamedsl.syntax.kif.read import read_rules
from gamedsl.syntax.parse import parse
from gamedsl.syntax.printers.program import format_program
from gamedsl.syntax.words import SECTIONS, STATEMENTS
from tests.doors.conftest import Run

FILES = Path(__file__).resolve().parents[1] / "kif"
TEXTS = {path.stem: path.read_text("utf-8") for path in sorted(FILES.glob("*.kif"))}


def changed(name: str, old: str, new: str) -> str:
    """A file with one part replaced."""
    assert TEXTS[name].count(old) == 1, old
    return TEXTS[name].replace(old, new)


def translated(text: str) -> Translation:
    """The translation of a text without mistakes."""
    read = read_kif(source_from_text(text))
    assert read.diagnostics == ()
    return read


def rules(text: str) -> str:
    """A file as a text of the language."""
    program, diagnostics = parse(source_from_text(text))
    assert diagnostics == ()
    return format_program(program)


WAITING = """(role left) (role right) (init (at 1)) (legal right wait)
(legal left (go 2)) (legal left (go 3)) (<= (next (at ?n)) (does left (go ?n)))
(<= terminal (not (true (at 1))))
(<= (goal left 70) (true (at 3))) (<= (goal right 30) (true (at 3)))
(<= (goal left 20) (not (true (at 3)))) (<= (goal right 80) (not (true (at 3))))
"""


MOVES_GIVEN = """(role left) (init (at 1)) (move wait) (move (go 2)) (move (go 3))
(<= (legal left ?m) (move ?m) (true (at 1)))
(<= (next (at ?n)) (does left (go ?n))) (<= (next late) (does left wait))
(<= terminal (not (true (at 1)))) (<= (goal left 0) (true (at 1)))
(<= (goal left 70) (true (at 3))) (<= (goal left 20) (not (true (at 1))) (not (true (at 3))))
"""
FLUENTS_GIVEN = """(role left) (init (at 1))
(legal left wait) (legal left (go 2)) (legal left (go 3))
(from 1 wait late) (from 1 (go 2) (at 2)) (from 1 (go 3) (at 3))
(<= (next ?f) (true (at ?n)) (does left ?m) (from ?n ?m ?f))
(<= terminal (not (true (at 1)))) (<= (goal left 0) (true (at 1)))
(<= (goal left 70) (true (at 3))) (<= (goal left 20) (not (true (at 1))) (not (true (at 3))))
"""
ALL_GIVEN = FLUENTS_GIVEN.replace(
    "(legal left wait) (legal left (go 2)) (legal left (go 3))",
    "(<= (legal left ?m) (from 1 ?m ?f))",
)
"""Moves, fluents or both as values of variables."""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (WAITING, (70, 30)),
        (MOVES_GIVEN, (70,)),
        (FLUENTS_GIVEN, (70,)),
        (ALL_GIVEN, (70,)),
        (TEXTS["lamps"], (100,)),
        (changed("lamps", "(init (lit 1))", "(init (lit 2))"), (100,)),
        (changed("lamps", "(goal player 100) all_lit", "(goal player 70) all_lit"), (70,)),
        (changed("lamps", "(init (pressed 0))", "(init (pressed 4))"), (0,)),
        (TEXTS["heap"], (100, 0)),
        (changed("heap", "(init (heap 5))", "(init (heap 3))"), (0, 100)),
        (changed("heap", "(init (control ann))", "(init (control bob))"), (0, 100)),
        (TEXTS["pennies"], (50, 50)),
        (TEXTS["discs"], (50, 50)),
        (changed("pennies", "(goal even 100) equal", "(goal even 80) equal"), None),
    ],
)
def test_a_file_is_solved(text: str, value: tuple[int, ...] | None) -> None:
    solution = solve(load(text))
    assert value is None or tuple(solution.value or ()) == value
    assert solution.value is not None or solution.equilibria or value is None


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_the_rules_written_are_the_same_game(name: str) -> None:
    game, again = load(TEXTS[name]), load(rules(TEXTS[name]))
    assert [gamedsl.perft(game, n) for n in (1, 2)] == [gamedsl.perft(again, n) for n in (1, 2)]
    assert tuple(solve(game).value or ()) == tuple(solve(again).value or ())


OWN = changed("heap", "(legal ?p (take ?n))", "(legal ?p (take ?n)) (own ?p ?n)")
OWN += """(own ann 1) (own bob 2) (<= (legal ?p grab) (true (control ?p)))
(<= (next (heap ?b)) (does ?p grab) (true (heap ?a)) (minus ?a 1 ?b))
"""
"""Each role has a single move of a relation, another than the other role."""


@pytest.mark.parametrize("most_beside", [0, 8])
@pytest.mark.parametrize("text", [*TEXTS.values(), OWN], ids=[*TEXTS, "own"])
def test_moves_whose_parameters_stand_in_the_new_values_are_the_same_game(
    text: str, most_beside: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load(text)
    monkeypatch.setattr("gamedsl.syntax.kif.program.MOST_WRITTEN", 0)
    monkeypatch.setattr("gamedsl.syntax.kif.parameters.MOST_BESIDE", most_beside)
    again = load(text + f"; written together, {most_beside}")
    assert [gamedsl.perft(game, n) for n in (1, 2, 3)] == [
        gamedsl.perft(again, n) for n in (1, 2, 3)
    ]
    assert tuple(solve(game).value or ()) == tuple(solve(again).value or ())


SLIDE = """(role player) (init (at 1)) (init (step 1))
(<= (legal player (slide ?x ?x)) (true (at ?x)))
(<= (legal player (slide ?x ?y)) (true (at ?x)) (after ?x ?y))
(<= (next (at ?y)) (does player (slide ?x ?y)))
(<= (next (step ?y)) (true (step ?x)) (after ?x ?y))
(after 1 2) (after 2 3) (after 3 4)
(<= terminal (true (step 4)))
(<= (goal player ?g) (true (at ?x)) (worth ?x ?g))
(worth 1 70) (worth 2 10) (worth 3 20) (worth 4 90)
"""


@pytest.mark.parametrize(("bound", "best"), [("(after 3 4)", 90), ("", 70)])
def test_moves_that_are_no_product_of_arguments_have_parameters(
    bound: str, best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slide to the same place, whose arguments have one name, or to the next place."""
    monkeypatch.setattr("gamedsl.syntax.kif.program.MOST_EFFORT", -1)
    text = SLIDE.replace("(after 3 4)", bound)
    if not bound:
        text = text.replace("(true (step 4))", "(true (step 3))")
    assert "move slide(x in 1..4, y in 1..4)" in rules(text) or not bound
    monkeypatch.setattr("gamedsl.syntax.kif.parameters.MOST_BESIDE", 0)
    assert tuple(solve(load(text)).value or ()) == (best,)


def test_functions_counters_and_moves_are_recovered() -> None:
    text = rules(TEXTS["heap"])
    assert "heap: 0..5 = 5" in text
    assert "control" not in text
    assert "noop" not in text
    assert "pressed: 0..4 = 0" in rules(TEXTS["lamps"]) or "none = 0" in rules(TEXTS["lamps"])


def test_constants_with_numbers_in_a_row_are_numbers_and_end_where_play_ends() -> None:
    """`s1` is 1, unless 1 has two meanings; and a counter that ends play is never `none`."""
    steps = " ".join(f"(after s{n} s{n + 1})" for n in range(1, 12))
    text = "(role robot) (init (step s1)) (legal robot wait) (goal robot 100) " + steps
    text += "(<= terminal (true (step s12))) (<= (next (step ?y)) (true (step ?x)) (after ?x ?y))"
    written = rules(text)
    assert "step: 1..12 = 1" in written
    assert "step = step + 1\n" in written
    both = "(init (at s1)) (init (at 2)) (<= (next (at ?x)) (true (at ?x)))"
    assert "step: s1 | s2 | s3" in rules(text + both)


@pytest.mark.parametrize(
    ("old", "new", "kind", "case"),
    [
        ("", "", PayoffSum.CONSTANT, "payoff Left: 50, Right: 50"),
        ("(goal right 0) (wins left)", "(goal right 9) (wins left)", PayoffSum.GENERAL, "Right: 9"),
        # a move sets a mark of the other player
        ("(does ?r (put ?x ?y)))", "(does ?q (put ?x ?y)) (role ?r) (distinct ?q ?r))",
         PayoffSum.CONSTANT, "payoff Left: 50, Right: 50"),
    ],
)  # fmt: skip
def test_goals_that_go_together_are_one_case(
    old: str, new: str, kind: PayoffSum, case: str
) -> None:
    text = changed("corner", old, new) if old else TEXTS["corner"]
    assert load(text).facts.payoff_sum is kind
    assert case in rules(text)


BOTH_WIN = """(role left) (role right) (init (step 0)) (next_step 0 1) (next_step 1 2)
(init (turn left)) (<= (next (turn right)) (true (turn left)))
(<= (legal ?r (take ?n)) (true (turn ?r)) (number ?n)) (number 1) (number 2)
(<= (legal left wait) (true (turn right))) (<= (legal right wait) (true (turn left)))
(<= (next (step ?b)) (true (step ?a)) (next_step ?a ?b))
(<= (next (holds ?r ?n)) (does ?r (take ?n)))
(<= (next (holds ?r ?n)) (true (holds ?r ?n)))
(<= terminal (true (step 2)))
(<= (goal ?r 100) (true (holds ?r 2))) (<= (goal ?r 0) (true (holds ?r 1)))
"""


def test_goals_that_play_shows_together_are_written_for_each_role() -> None:
    """Both players may reach their goal, so that no payoff of a player decides the other's."""
    game = load(BOTH_WIN)
    assert game.facts.payoff_sum is PayoffSum.GENERAL
    assert tuple(solve(game).value or ()) == (100, 100)


def test_several_goals_at_once_are_a_warning_with_a_play() -> None:
    text = changed("corner", "(not (wins right)))", "(not open))")
    (warning,) = read_kif(source_from_text(text)).diagnostics
    assert (warning.code, warning.is_error) == ("W0151", False)
    assert "`left` has several goals at once, 0 and 50," in warning.message
    play = warning.notes[0].removeprefix("after ").split(", ")
    assert len(play) == 12
    assert all(len(step.split(" and ")) == 2 for step in play)


def test_the_value_alone_is_searched_for_where_payoffs_have_a_constant_sum() -> None:
    for name, search in (("corner", by_value_search), ("heap", by_proof_search)):
        game = load(TEXTS[name])
        solution = search(Problem(game, game.initial_state(), SolveOptions(goal=Goal.VALUE)))
        assert solution is not None, name
        assert solution.value == solve(game).value


def test_relations_and_lines_are_written_as_in_the_file(run: Run) -> None:
    imported = run("import", str(FILES / "corner.kif")).out
    assert imported.startswith("# The rules of corner.kif, a file in GDL.\ngame ")
    for line in (
        "def file(r, x) = all(at_2[x, i] == r for i in 1..3)",
        "def open = any(at_2[j, i] == free for j in 1..4 for i in 1..3)",
        "            payoff Left: 100, Right: 0",
        "    at_2[x, y] = turn",
    ):
        assert line in imported.splitlines()
    assert "all(at_2[l + j, k + i] == r for j in 0..1 for i in 0..1)" in imported
    assert imported == load(imported).source.text


def test_rules_too_long_to_be_read_are_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    file = str(FILES / "corner.kif")
    assert not run("import", file).err
    monkeypatch.setattr("gamedsl.cli.bodies.writing.fmt.LARGEST_FILE", 100)
    told = run("import", file)
    assert told.status == 0
    assert "files of rules of more than 100 bytes are not read" in told.err


ROW = """(role player) (init (step 0)) INIT
(after 1 2) (after 2 3) (after 3 4) (next_step 0 1) (next_step 1 2) (next_step 2 3) (next_step 3 4)
(legal player slide) (legal player swap) (legal player fill)
(<= (next (step ?b)) (true (step ?a)) (next_step ?a ?b))
(<= (next (lit ?y)) (does player slide) (after ?x ?y) (true (lit ?x)))
(<= (next (lit 1)) (does player swap) (true (lit 4)))
(<= (next (lit 4)) (does player swap) (true (lit 1)))
(<= (next (lit ?x)) (does player swap) (true (lit ?x)) (distinct ?x 1) (distinct ?x 4))
(<= (next (lit 2)) (does player fill) both)
(<= (next (lit 3)) (does player fill) (true (lit 2)))
(<= (next (lit 4)) (does player fill) (true (lit 3)))
(<= (next (lit 1)) (does player fill) (true (lit 1)))
(<= both (true (lit 1)) (true (lit 4)))
(<= done (true (lit 2)) (true (lit 3)) (true (lit 4)))
(<= terminal (true (step 4)))
(<= terminal done)
(<= (goal player 100) done)
(<= (goal player 0) (not done))
"""


def best_of(lit: frozenset[int], steps: int = 4) -> int:
    """The goal that a player reaches in `ROW`, by definition."""
    if {2, 3, 4} <= lit:
        return 100
    if steps == 0:
        return 0
    swapped = {{1: 4, 4: 1}.get(place, place) for place in lit}
    filled = {place for place, was in ((3, 2), (4, 3), (1, 1)) if was in lit}
    filled |= {2} if {1, 4} <= lit else set()
    following = ({place + 1 for place in lit if place < 4}, swapped, filled)
    return max(best_of(frozenset(after), steps - 1) for after in following)


@pytest.mark.parametrize(("steps", "value"), [(1, 20), (2, 30), (3, 10), (4, 20)])
def test_cells_that_take_the_values_of_one_another_are_stored_at_once(
    steps: int, value: int
) -> None:
    cells = ("a", "b", "c")
    text = "(role player) (legal player go) (init (step 0))\n"
    text += f"(<= terminal (true (step {steps})))"
    for number, cell in enumerate(cells):
        text += f"(init ({cell} {10 * number + 10}))"
        text += f"(<= (next ({cell} ?n)) (true ({cells[number - 2]} ?n)))"
    text += "(<= (goal player ?n) (true (a ?n)))"
    text += "".join(f"(<= (next (step {n + 1})) (true (step {n})))" for n in range(steps))
    assert solve(load(text)).value == (value,)


IRREGULAR = "(role player)" + "".join(f"(row {n}) (after {n} {n + 1})" for n in range(1, 12))
IRREGULAR += """(init (step 0)) (init (lit 2)) (init (lit 3)) (init (ready 3)) (init (ready 7))
(<= (dark ?n) (row ?n) (not (near ?n)))
(<= (near ?n) (true (lit ?n)))
(<= (near ?n) (after ?m ?n) (true (lit ?m)) (true (ready ?n)))
(<= (near 6) (true (lit 1)) (true (lit 2)))
(<= (legal player (light ?n)) (dark ?n))
(<= (next (lit ?n)) (does player (light ?n)))
(<= (next (ready ?n)) (true (ready ?n))) (<= (next (ready ?n)) (true (lit ?n)))
(<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))
(<= terminal (true (step 2)))
(<= (goal player 100) (dark 3) (dark 6)) (<= (goal player 0) (near 3)) (<= (goal player 0) (near 6))
"""


def test_a_relation_with_exceptions_is_a_definition_with_conditions_on_its_parameters() -> None:
    text = rules(IRREGULAR)
    assert "def near(n)" in text
    assert "n == 6 and lit[n - 5] and lit[n - 4]" in text
    assert gamedsl.perft(load(IRREGULAR), 2) == (1, 9, 88)


GIVEN = {(1, 1, 1, 1): 1, (1, 2, 1, 2): 4, (2, 1, 2, 1): 2, (2, 2, 2, 2): 3}
SQUARES = [(i, j, k, m) for i in (1, 2) for j in (1, 2) for k in (1, 2) for m in (1, 2)]
SUDOKU = """(role robot) (index 1) (index 2) (digit 1) (digit 2) (digit 3) (digit 4)
(<= (legal robot (mark ?i ?j ?k ?l ?x)) (true (cell ?i ?j ?k ?l b)) (digit ?x)
    (not (row ?i ?j ?x)) (not (col ?k ?l ?x)) (not (square ?i ?k ?x)))
(<= (row ?i ?j ?x) (true (cell ?i ?j ?k ?l ?x)))
(<= (col ?k ?l ?x) (true (cell ?i ?j ?k ?l ?x)))
(<= (square ?i ?k ?x) (true (cell ?i ?j ?k ?l ?x)))
(<= (next (cell ?i ?j ?k ?l ?x)) (does robot (mark ?i ?j ?k ?l ?x)))
(<= (next (cell ?i ?j ?k ?l ?x)) (true (cell ?i ?j ?k ?l ?x))
    (does robot (mark ?s ?t ?u ?v ?y)) (distinct ?s ?i))
(<= (next (cell ?i ?j ?k ?l ?x)) (true (cell ?i ?j ?k ?l ?x))
    (does robot (mark ?s ?t ?u ?v ?y)) (distinct ?t ?j))
(<= (next (cell ?i ?j ?k ?l ?x)) (true (cell ?i ?j ?k ?l ?x))
    (does robot (mark ?s ?t ?u ?v ?y)) (or (distinct ?u ?k) (distinct ?v ?l)))
(<= open (true (cell ?i ?j ?k ?l b))) (<= playable (legal robot ?m))
(<= terminal (not playable)) (<= (goal robot 100) (not open)) (<= (goal robot 0) open)
""" + " ".join(
    f"(init (cell {i} {j} {k} {m} {GIVEN.get((i, j, k, m), 'b')}))" for i, j, k, m in SQUARES
)


def test_instances_of_which_a_part_says_nothing_new_are_no_exceptions() -> None:
    text = rules(SUDOKU)
    assert "cell[1..2, 1..2, 1..2, 1..2]: 1..4 | b = b" in text
    assert "\n    cell[i, j_2, k, l] = x\n" in text
    row = "def is_row(i, j_2, x) = any(cell[i, j_2, j, i_2] == x for j in 1..2 for i_2 in 1..2)\n"
    assert row in text
    assert [solve(load(each)).value for each in (SUDOKU, text)] == [(100,), (100,)]


def test_a_long_definition_is_elaborated_once_for_all_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gamedsl.syntax.kif.sentences.LONGEST_COPIES", 20)
    assert "def near(n in 2..11) =" in rules(IRREGULAR)
    assert gamedsl.perft(load(IRREGULAR), 2) == (1, 9, 88)


WALK = "(role player) (init (at 1)) (init (step 0)) (after 0 1) (after 1 2)"
WALK += "".join(f"(beside {n} {n + 1}) (beside {n + 1} {n})" for n in range(1, 6))
WALK += """(<= (legal player (jump ?a ?b ?c)) (true (at ?a)) (beside ?a ?b) (beside ?b ?c))
(<= (next (at ?c)) (does player (jump ?a ?b ?c)))
(<= (next (step ?b)) (true (step ?a)) (after ?a ?b))
(<= terminal (true (step 2)))
(<= (goal player 100) (true (at 5))) (<= (goal player 0) (not (true (at 5))))
"""


@pytest.mark.parametrize("effort", [1_000_000, -1])
def test_moves_with_too_many_values_are_told_apart_by_an_argument(
    effort: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gamedsl.syntax.kif.program.MOST_EFFORT", effort)
    assert "move jump(" in rules(WALK)
    monkeypatch.setattr("gamedsl.syntax.kif.steps.MOST_OF_A_KIND", 20)
    text = rules(WALK)
    assert "move jump_2(" in text
    assert "move jump(" not in text
    assert gamedsl.perft(load(WALK), 2) == (1, 2, 6)
    assert tuple(solve(load(WALK)).value or ()) == (100,)


def test_a_relation_that_all_alternatives_need_is_asked_once() -> None:
    """A row of lamps is lit, and a second relation holds, which is not asked for each lamp."""
    text = IRREGULAR.replace("(<= terminal (true (step 2)))", "(<= terminal over)")
    text += "(<= over (true (step 2)) (not (near 9)) (true (lit 3)))"
    text += "(<= over (true (step 2)) (not (near 9)) (true (lit 4)) (true (ready 5)))"
    text += "(<= terminal (true (step 2)) (near 9))"
    assert rules(text).count("near(9)") == 2
    assert gamedsl.perft(load(text), 2) == (1, 9, 88)


def test_numbers_of_a_cell_are_not_bounded_where_other_cells_hold_names() -> None:
    text = """(role robot) (init (holds a 3)) (init (holds b red))
    (minus 1 1 0) (minus 2 1 1) (minus 3 1 2) (minus 2 2 0) (minus 3 2 1) (minus 3 3 0)
    (paint red blue) (paint blue red)
    (<= (legal robot (take ?n)) (true (holds a ?m)) (minus ?m ?n ?k))
    (<= (next (holds a ?k)) (does robot (take ?n)) (true (holds a ?m)) (minus ?m ?n ?k))
    (<= (next (holds b ?d)) (true (holds b ?c)) (paint ?c ?d))
    (<= terminal (true (holds a 0)))
    (<= (goal robot 100) (true (holds b red))) (<= (goal robot 0) (true (holds b blue)))"""
    assert gamedsl.perft(load(text), 3) == (1, 3, 3, 1)


def test_cells_are_stored_after_the_cells_that_need_them() -> None:
    """Lamps that move along a row, exchange places and count on each other."""
    places = (1, 2, 3, 4)
    values = set()
    for number in range(16):
        lit = frozenset(place for place in places if number >> place - 1 & 1)
        text = ROW.replace("INIT", " ".join(f"(init (lit {place}))" for place in lit))
        values.add(best_of(lit))
        assert tuple(solve(load(text)).value or ()) == (best_of(lit),), lit
    assert values == {0, 100}


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("tic_tac_toe", "rules in this language already"),
        ("none.kif", "none.kif"),
        (__file__, "test_kif.py is neither"),
    ],
)
def test_nothing_else_is_imported(run: Run, file: str, said: str) -> None:
    refused = run("import", file)
    assert refused.status == 2
    assert said in refused.err


def test_a_fluent_that_can_have_two_values_stays_a_set_of_truth_values() -> None:
    text = changed("heap", "(init (heap 5))", "(init (heap 5)) (init (heap 3))")
    assert "heap[0..5]: bool" in rules(text)


ABOVE_A_DISC = "(<= (next (at ?x ?y free)) (true (at ?x ?below free)) (after ?below ?y))"
FLOATING = changed(
    "discs", "(across ?x) (up ?y))", "(across ?x) (up ?y) (not (held ?x ?y))) (held 1 2)"
)
"""A disc lies above a free square at first."""


def test_a_disc_falls_to_the_first_free_square_where_discs_provably_lie_on_discs() -> None:
    text = rules(TEXTS["discs"])
    assert "at_2[1..3, 1..3]: free | players = free" in text
    assert "let place = first(i for i in 1..3 where at_2[x, i] == free)" in text
    assert "at_2[x, place] = turn" in text


@pytest.mark.parametrize(
    "planted",
    [
        FLOATING + "(init (at 1 2 left))",
        FLOATING + "(init (at 1 2 right))",
        changed(
            "discs",
            "(true (at ?x ?y free)) (after ?below ?y) (taken ?x ?below))",
            "(true (at ?x ?y free)) (after ?below ?y))",
        ),
        changed("discs", ABOVE_A_DISC, ""),
        changed("discs", "(<= (open ?x 1) (true (at ?x 1 free)))", "(<= (open ?x 1) (across ?x))"),
        changed("discs", ABOVE_A_DISC, ABOVE_A_DISC + "(<= (open ?x 3) (true (at ?x 2 free)))"),
        changed(
            "discs",
            "(does ?r (drop ?x)) (open ?x ?y))",
            "(does ?r (drop ?x)) (open ?x ?y) (distinct ?y 3))",
        ),
    ],
)
def test_an_order_of_cells_that_play_may_break_is_not_assumed(
    planted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each game, changed in one rule, is the same game without orders."""
    game, text = load(planted), rules(planted)
    monkeypatch.setattr("gamedsl.syntax.kif.functions.MOST_ORDERED", -1)
    again = load(planted + "; without orders")
    assert "first(" not in text
    assert [gamedsl.perft(game, n) for n in range(1, 6)] == [
        gamedsl.perft(again, n) for n in range(1, 6)
    ]


@pytest.mark.parametrize("floor", [1, 3])
@pytest.mark.parametrize("spelling", ["above", "beside"])
def test_games_with_and_without_orders_are_the_same(
    floor: int, spelling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discs fall down or up; a square stays free above a free square, or where no disc goes."""
    text = TEXTS["discs"]
    if spelling == "beside":
        stays = "(true (at ?x ?y free)) (does ?r (drop ?x)) (not (open ?x ?y)))"
        text = changed("discs", ABOVE_A_DISC, f"(<= (next (at ?x ?y free)) {stays}")
    if floor == 3:
        text = text.replace(
            "(open ?x 1) (true (at ?x 1 free))", "(open ?x 3) (true (at ?x 3 free))"
        )
        text = text.replace("(after 1 2) (after 2 3)", "(after 3 2) (after 2 1)")
    game = load(text)
    assert ("first(" in rules(text)) == (floor == 1)
    monkeypatch.setattr("gamedsl.syntax.kif.functions.MOST_ORDERED", -1)
    again = load(text + "; without orders")
    assert tuple(solve(game).value or ()) == tuple(solve(again).value or ())
    assert [gamedsl.perft(game, n) for n in range(1, 8)] == [
        gamedsl.perft(again, n) for n in range(1, 8)
    ]


def test_turns_are_found_where_they_are_proved() -> None:
    assert translated(TEXTS["heap"]).is_sequential
    assert not translated(TEXTS["pennies"]).is_sequential
    mover = "(take ?n)) (true (control ?p))"
    both_move = changed("heap", f"(legal ?p {mover}", "(legal ?p (take ?n)) (role ?p)")
    assert not translated(both_move).is_sequential


AGAIN = """(role ann) (role bob) (init (control ann)) (init (heap 7))
(minus 7 1 6) (minus 6 1 5) (minus 5 1 4) (minus 4 1 3) (minus 3 1 2) (minus 2 1 1) (minus 1 1 0)
(minus 7 2 5) (minus 6 2 4) (minus 5 2 3) (minus 4 2 2) (minus 3 2 1) (minus 2 2 0)
(other ann bob) (other bob ann)
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?a)) (minus ?a ?n ?b))
(<= (legal ?p wait) (other ?p ?q) (true (control ?q)))
(<= (next (heap ?b)) (true (heap ?a)) (does ?p (take ?n)) (minus ?a ?n ?b))
(<= halved (true (heap ?a)) (does ?p (take ?n)) (minus ?a ?n ?b) (even ?b))
(even 2) (even 4) (even 6)
(<= (next (control ?p)) (true (control ?p)) halved)
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q) (not halved))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (true (control ?p)))
(<= (goal ?q 0) (role ?q) (not (true (control ?q))))
"""
"""A heap of which a role that leaves an even rest takes again."""


def test_turns_may_depend_on_play() -> None:
    read = translated(AGAIN)
    assert read.is_sequential
    assert "again" in rules(AGAIN)
    assert "control" not in rules(AGAIN)
    for text in (AGAIN, rules(AGAIN)):
        assert tuple(solve(load(text)).value or ()) == _taken(7, 0)


def _taken(heap: int, mover: int) -> tuple[int, int]:
    """The payoffs of the heap by its definition."""
    if not heap:
        return (100, 0) if mover == 0 else (0, 100)
    rests = (heap - taken for taken in (1, 2) if taken <= heap)
    values = [_taken(rest, mover if rest in (2, 4, 6) else 1 - mover) for rest in rests]
    return max(values, key=lambda value: value[mover])


@pytest.mark.parametrize(
    "planted",
    [
        "(true (control ?p)) (other ?p ?q)",  # both are to move
        "(true (control ?p)) (other ?p ?q) (not halved) (not (true (heap 5)))",  # nobody is
        "(true (control ?p)) (other ?p ?q) (not halved) (not (does ?p rest)))"  # nobody ever is
        " (<= (legal ?p rest) (true (control ?p))",
    ],
)
def test_turns_by_play_that_are_not_proved_are_choices_at_once(planted: str) -> None:
    written = "(true (control ?p)) (other ?p ?q) (not halved)"
    assert AGAIN.count(written) == 1
    assert not read_kif(source_from_text(AGAIN.replace(written, planted))).is_sequential


LAMPS = """(role ann) (role bob) (init (control ann)) (init (leader ann)) (init (wind 1))
(other ann bob) (other bob ann) (lamp a) (lamp b) (lamp c)
(next_row 1 2) (next_row 2 3) (next_row 3 4) (next_row 4 5) (next_row 5 6) (next_row 6 1)
(<= (init (cell ?l ?i off)) (lamp ?l) (next_row ?i ?j))
(<= (legal ?p (light ?l ?i)) (true (control ?p)) (true (cell ?l ?i off)))
(<= (legal ?p wait) (role ?p) (not (true (control ?p))))
(<= (lit ?l ?i) (does ?p (light ?l ?i)))
(<= (next (cell ?l ?i ?p)) (does ?p (light ?l ?i)))
(<= (next (cell ?l ?i ?s)) (true (cell ?l ?i ?s)) (not (lit ?l ?i)) (not (true (wind ?i))))
(<= (next (cell ?l ?i off)) (lamp ?l) (true (wind ?i)) (not (lit ?l ?i)))
(<= (next (wind ?j)) (true (wind ?i)) (next_row ?i ?j) calm)
(<= (next (wind ?i)) (true (wind ?i)) (not calm))
(<= calm (true (cell a ?i off)) (true (cell b ?i off)) (true (cell c ?i off)))
(<= (next (leader ?p)) (true (leader ?p)) calm)
(<= (next (leader ?q)) (true (leader ?p)) (other ?p ?q) (not calm))
(<= (next (control ?p)) (true (leader ?p)) calm)
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q) (not calm))
(<= (row ?s) (true (cell a ?i ?s)) (true (cell b ?i ?s)) (true (cell c ?i ?s)))
(<= terminal (row ?p) (role ?p))
(<= (goal ?p 100) (role ?p) (row ?p))
(<= (goal ?p 0) (other ?p ?q) (row ?q))
"""
"""Three lamps in each of six rows, in which lamps go off. Whether a row is calm, on which depends
who leads and who is to move, has too many ways to fail to be looked at one by one."""


def test_a_condition_and_its_negation_deny_each_other_in_every_alternative() -> None:
    text = rules(LAMPS)
    assert "simultaneous" not in text
    assert "payoff Ann: 0, Bob: 100" in text


@pytest.mark.parametrize("planted", ["(other ?p ?q)", "(other ?p ?q) calm"])
def test_a_leader_who_may_be_two_or_none_proves_no_turns(planted: str) -> None:
    """Control goes to the leader."""
    written = "(next (leader ?q)) (true (leader ?p)) (other ?p ?q) (not calm)"
    assert LAMPS.count(written) == 1
    text = LAMPS.replace(written, f"(next (leader ?q)) (true (leader ?p)) {planted}")
    assert not read_kif(source_from_text(text)).is_sequential


VAULT = """(role you) (role them) (press a) (press b) (press c) (legal them wait)
(<= (legal you ?d) (press ?d)) (init (shut 20)) (init (key one)) (init (door 1 red))
STEPS
(<= (next (shut ?m)) (true (shut ?n)) (minus ?n ?m) (does you a))
(<= (next (shut 20)) (true (shut ?n)) (minus ?n ?m) (not (does you a)))
(<= (next (shut 0)) (true (shut 0)))
(<= (next (key one)) (does you c))
(<= (next (key three)) (not (does you c)))
(<= (next (key two)) (true (shut 0)))
(<= (next (door 1 red)) (true (key one)) (does you a))
(<= (next (door 1 blue)) (true (key two)) (does you a))
(<= (next (door 2 red)) (true (key one)) (not (does you a)))
(<= (next (door 2 blue)) (true (key two)) (not (does you a)))
(<= terminal (true (door ?i blue)))
(<= both (true (door ?i red)) (true (door ?i blue)))
(<= (goal you 100) both) (<= (goal you 0) (not both))
(<= (goal them 0) both) (<= (goal them 100) (not both))
""".replace("STEPS", " ".join(f"(minus {n + 1} {n})" for n in range(20)))
"""Two keys hold at once after 20 presses of `a` in a row, which no random play makes. That a
door with a number has one colour, and that a single door is open, have a proof in common, which
needs the single key."""


def test_a_proof_that_serves_twice_keeps_its_premises() -> None:
    """The single key is given up, and with it all that was proved from it."""
    for text in (VAULT, rules(VAULT)):
        game = load(text)
        state = game.initial_state()
        for key in ["a"] * 20 + ["c", "c"]:
            names = {
                game.action_name(state, action): action for action in game.legal_actions(state, 0)
            }
            state = game.result(state, names[key])
        assert tuple(game.utilities(state)) == (100, 0)


def test_moves_that_no_new_value_depends_on_are_one_choice() -> None:
    text = """(role left) (role right) (init (step 0)) (next_step 0 1) (next_step 1 2)
    (<= (legal ?r (take ?n)) (role ?r) (next_step ?n ?m)) (<= (legal ?r cry) (role ?r))
    (<= (legal ?r (shout ?n)) (role ?r) (next_step ?n ?m))
    (<= (next (step ?m)) (true (step ?n)) (next_step ?n ?m))
    (<= (next (had ?r ?n)) (does ?r (take ?n))) (<= terminal (true (step 2)))
    (<= (goal ?r 100) (role ?r) (true (had ?r 1)))
    (<= (goal ?r 0) (role ?r) (not (true (had ?r 1))))
    """
    told = rules(text)
    assert "to_shout" not in told
    assert told.count("choice[me] = to_cry") == 2  # shouts are one move, cry another
    assert tuple(solve(load(text)).value or ()) == (100, 100)


BIDS = """(role left) (role right) (init (step 0)) (bid_of 1) (bid_of 2) (bid_of 3)
(<= (legal ?r (bid ?n)) (role ?r) (bid_of ?n){more})
(<= (next (had ?r ?n)) (does ?r (bid ?n)){asked}) (<= (next (step 1)) (true (step 0)))
(<= terminal (true (step 1)))
(<= (goal ?r 30) (true (had ?r 3))) (<= (goal ?r 10) (role ?r) (not (true (had ?r 3))))
"""
"""What a role has is what the role has bid."""


@pytest.mark.parametrize(
    ("more", "asked", "written"),
    [
        ("", "", "had[Left] = n_chosen[Left]\n"),
        ("", " (not (true (had ?r 1)))", "had[Left] = n_chosen[Left] if had[Left] != 1 else none"),
        (") (<= (legal ?r pass) (role ?r)", "", "had[Left] = n_chosen[Left]\n"),
        (") (<= (legal ?r (bid 4)) (role ?r)", "", "had[Left] = n_chosen[Left]\n"),
    ],
)
def test_a_function_takes_a_chosen_argument(more: str, asked: str, written: str) -> None:
    text = BIDS.replace("{more}", more).replace("{asked}", asked)
    told = rules(text)
    assert written in told
    game, again = load(text), load(told)
    assert [gamedsl.perft(game, n) for n in (1, 2)] == [gamedsl.perft(again, n) for n in (1, 2)]
    assert tuple(solve(game).value or ()) == tuple(solve(again).value or ())


def test_a_relation_that_depends_on_itself_is_unfolded() -> None:
    text = changed(
        "lamps",
        "(<= all_lit (true (lit 1)) (true (lit 2)) (true (lit 3)))",
        "(<= (reached 1) (true (lit 1)))\n"
        "(<= (reached ?b) (reached ?a) (beside ?a ?b) (true (lit ?b)))\n"
        "(<= all_lit (reached 3))",
    )
    assert tuple(solve(load(text)).value or ()) == (100,)


def test_a_state_without_a_goal_is_an_error_with_the_play() -> None:
    text = changed("lamps", "(<= (goal player 0) (not all_lit))", "(<= (goal player 0) unlit)")
    text += "(<= unlit (not all_lit) (true (lit 1)))"
    assert rules(text).endswith("else:\n            payoff Player: no_goal\n")
    game = load(changed("lamps", "(<= (goal player 0) (not all_lit))", ""))
    with pytest.raises(GameRuleError, match="a payoff is a number, found `none`"):
        solve(game)


def test_a_constant_may_have_the_name_that_a_variable_would_have() -> None:
    text = """(role r) (init (at h)) (legal r (go h)) (legal r (go i)) (<= terminal (true (at i)))
        (<= (next (at ?x)) (does r (go ?x))) (<= (goal r 1) (true (at h)))"""
    assert "no_goal" in rules(text)
    assert load(text).model.players[0].name == "R"


MISTAKES = [
    (
        "(lamp 1) (lamp 2)",
        "(lamp 1)) (lamp 2)",
        "E0128",
        (3, 9),
    ),
    (
        "(<= terminal all_lit)",
        "(<= terminal all_lit",
        "E0128",
        (17, 1),
    ),
    (
        "(init (lit 1))",
        "(init)",
        "E0128",
        (8, 1),
    ),
    (
        "(init (pressed 0))",
        "(init (pressed 0) 1)",
        "E0128",
        (9, 1),
    ),
    (
        "(<= (next (lit ?l)) (true (lit ?l))",
        "(<= (true (lit ?l)) (true (lit ?l))",
        "E0128",
        (13, 5),
    ),
    (
        "(<= all_lit",
        "(<= (?all)",
        "E0128",
        (16, 6),
    ),
    (
        "(not all_lit)",
        "(not)",
        "E0128",
        (20, 21),
    ),
    (
        "(<= (legal player (press ?l)) (lamp ?l))",
        "(<= (legal player (press ?l)))",
        "E0129",
        (10, 5),
    ),
    (
        "(true (lit ?l)) (not (changes ?l))",
        "(true (lit ?m)) (not (changes ?l))",
        "E0129",
        (13, 5),
    ),
    (
        "(<= (beside ?a ?b) (succ ?b ?a))",
        "(<= (beside ?a ?b) (succ ?b ?c))",
        "E0129",
        (7, 5),
    ),
    (
        "(<= terminal all_lit)",
        "(<= terminal all_lit (not terminal))",
        "E0130",
        (17, 1),
    ),
    (
        "(<= (beside ?a ?b) (succ ?b ?a))",
        "(<= (beside ?a ?b) (succ ?b ?a) (not (beside ?b ?a)))",
        "E0130",
        (7, 38),
    ),
    (
        "(<= terminal all_lit)",
        "(<= terminal (changes 1))",
        "E0130",
        (11, 18),
    ),
    (
        "(next (lit ?l)) (true",
        "(next (lit ?l ?l)) (true",
        "E0131",
        (13, 5),
    ),
    (
        "(does player (press ?m)) (beside",
        "(does player (press ?m ?l)) (beside",
        "E0131",
        (12, 18),
    ),
    (
        "(succ 1 2) (succ 2 3)",
        "(succ 1 2) (succ 2)",
        "E0131",
        (4, 12),
    ),
    (
        "(role Player)",
        "",
        "E0131",
        None,
    ),
    (
        "(<= (goal player 100)",
        "(<= (goal player 101)",
        "E0131",
        (19, 1),
    ),
    (
        "(next (pressed ?n)) (true (pressed ?m)) (after ?m ?n)",
        "(next (pressed (s ?m))) (true (pressed ?m))",
        "E0132",
        (15, 1),
    ),
    (
        "(true (lit 3))",
        "(true (lti 3))",
        "W0133",
        (16, 43),
    ),
    (
        "(<= (next (pressed ?n)) (true (pressed ?m)) (after ?m ?n))",
        "",
        "W0133",
        (9, 1),
    ),
    ("(lamp 1) (lamp 2)", "(lamp 1) () (lamp 2)", "E0128", (3, 10)),
    ("(init (lit 1))", "(init (lit ?))", "E0128", (8, 12)),
    ("(beside ?l ?m))", "(?beside ?l ?m))", "E0128", (12, 44)),
    ("(<= terminal all_lit)", "(<=)", "E0128", (17, 1)),
    ("(<= terminal all_lit)", "(<= (not terminal) all_lit)", "E0128", (17, 5)),
    ("(<= terminal all_lit)", "(<= (terminal now) all_lit)", "E0128", (17, 5)),
    ("(goal player 100)", "(goal 100)", "E0128", (19, 5)),
    ("(lit ?l))) (changes ?l))", "(lit ?l)) (changes ?l))", "E0128", (14, 1)),
    ("(true (lit ?l)) (not (changes ?l))", "(true (lit ?l)) (not (changes ?k))", "E0129", (13, 42)),
    ("(init (pressed 0))", "(init (pressed ?n))", "E0129", (9, 1)),
    ("(true (pressed 4))", "(true (pressed 4)) (distinct 4 ?n)", "E0129", (18, 33)),
    ("(press ?l)) (lamp ?l))", "(press ?l)) (lamp ?l) (not (changes ?l)))", "E0130", (11, 18)),
    (
        "(<= (goal player 0) (not all_lit))",
        "(<= (goal player 0) (does player (press 1)))",
        "E0130",
        (20, 21),
    ),
    ("(<= all_lit", "(<= all_lit (not terminal)", "E0130", (16, 1)),
    ("(init (pressed 0))", "(<= (init (pressed 0)) (true (lit 1)))", "E0130", (9, 24)),
    ("(goal player 100)", "(goal player win)", "E0131", (19, 1)),
    ("(true (pressed ?m))", "(true (pressed ?m ?n))", "E0131", (15, 25)),
    ("(not all_lit)", "(not all_lti)", "W0133", (20, 26)),
    ("(does player (press ?m))", "(does player (pres ?m))", "W0133", (12, 18)),
    ("(does player (press ?l))", "(does plyer (press ?l))", "W0133", (11, 18)),
    ("(goal player 100)", "(goal plyer 100)", "W0133", (19, 5)),
    ("(not (true (lit ?l)))", "(not (lit ?l))", "W0133", (14, 36)),
    ("(<= terminal all_lit)", "(= terminal all_lit)", "E0128", (17, 2)),
    ("(press ?l)) (lamp ?l))", "(press ?l)) (lamp ?l) (true (pressed 0)))", "W0152", (10, 1)),
]


@pytest.mark.parametrize(("old", "new", "code", "place"), MISTAKES)
def test_a_mistake_is_found_with_its_place(
    old: str, new: str, code: str, place: tuple[int, int] | None
) -> None:
    (found,) = parse(source_from_text(changed("lamps", old, new), "my.kif"))[1]
    assert (found.code, found.position) == (code, place)


def test_a_misspelt_name_is_told_with_the_error_that_follows() -> None:
    text = changed(
        "lamps", "(lamp ?l))\n(<= (changes ?l) (does", "(lmap ?l))\n(<= (changes ?l) (does"
    )
    told = parse(source_from_text(text))[1]
    assert [(one.code, one.position) for one in told] == [("W0133", (10, 31)), ("E0131", (2, 1))]


def test_dead_ends_are_told_with_the_play_and_fluents_with_true() -> None:
    """A lamp can be pressed at first alone."""
    for old, new, told in (
        ("(press ?l)) (lamp ?l))", "(press ?l)) (lamp ?l) (true (pressed 0)))", "after (press "),
        ("(not (true (lit ?l)))", "(not (lit ?l))", "`lit` is a fluent: write `(true (lit ?l))`"),
    ):
        (warning,) = parse(source_from_text(changed("lamps", old, new)))[1]
        assert told in str((warning.hint, warning.notes)), new


def test_words_of_the_language_are_no_names() -> None:
    text = changed("lamps", "(role Player)", "(role turn)").replace("player", "turn")
    text = text.replace("pressed", "count").replace("lit", "empty").replace("press ", "move ")
    assert tuple(solve(load(text)).value or ()) == (100,)


def test_the_rules_of_chance_are_refused() -> None:
    text = changed("lamps", "(role Player)", "(role Player) (role random)")
    (found,) = parse(source_from_text(text))[1]
    assert (found.code, found.position) == ("E0131", (2, 15))
    assert "GDL-II" in found.message


def test_arguments_that_a_rule_gives_one_name_are_different_parameters() -> None:
    text = changed("lamps", "(<= terminal all_lit)", "(<= terminal (near ?a ?b) all_lit)")
    text += """(<= (near ?a ?a) (true (lit ?a)))
    (<= (near ?a ?b) (beside ?a ?b) (true (lit ?a)) (not (true (lit ?b))))"""
    assert "def near(a, b)" in rules(text)
    alone = text.replace("(<= (near ?a ?b) (b", "(<= (near ?a 2) (distinct ?a 2) (lamp ?b) (b")
    assert tuple(solve(load(text)).value or ()) == tuple(solve(load(alone)).value or ()) == (100,)


def test_a_move_that_is_never_legal_is_never_made() -> None:
    text = changed("lamps", "(not (changes ?l))", "(not (changes ?l)) (not (does player rest))")
    assert tuple(solve(load(text)).value or ()) == (100,)


def test_a_payoff_with_the_number_of_a_fluent_that_never_holds_is_kept() -> None:
    source = source_from_text(TEXTS["heap"])
    game = game_of(source, ground(source, read_rules(source)))
    payoffs = [[*goals] for goals in game.goals]
    assert [[*goals] for goals in game.without(payoffs[0]).goals] == payoffs


def test_play_that_is_over_at_once_has_no_steps() -> None:
    text = """(role b) (num 3) (h 1) terminal (goal b 50) (init (cell 1 3 x)) (init (control a))
    (<= (legal b (mark ?z)) (true (control b)) (h ?z)) (<= (legal b rest) (true (control a)))
    (<= (next (control b)) (true (control a))) (<= (hit ?u ?z) (num ?z) (does b (mark ?u)))
    (<= (next (cell ?x ?y o)) (hit ?x ?y) (true (cell ?x ?y ?w)))
    """
    assert tuple(solve(load(text)).value or ()) == (50,)


def test_no_word_of_the_language_can_be_given_as_a_name() -> None:
    assert {*KEYWORDS, *BUILTINS} <= {*SECTIONS, *STATEMENTS, *WORDS, *NAMES_OF_FUNCTIONS}


def test_every_command_takes_a_file(run: Run) -> None:
    path = str(FILES / "heap.kif")
    assert "Ann: 100, Bob: 0" in run("solve", path).out
    assert run("check", path).status == 0
    assert "take" in run("show", "--format", "expanded", path).out
    assert "in GDL" in run("fmt", path).err
