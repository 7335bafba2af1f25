"""`gamedsl trace` and `gamedsl best`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gamedsl.cli.options import MoveOrder, TraceAlgorithm
from gamedsl.game import LoadedGame
from gamedsl.python.views import MCTS
from gamedsl.solvers.textbook.algorithms import Algorithm, Order

from .conftest import GAMES, Run

FIGURE = """\
visit  node    player  alpha  beta  value  cut
    1  root    MAX      -inf  +inf      3
    2    a1    MIN      -inf  +inf      3
    3      b1  end      -inf  +inf      3
    4      b2  end      -inf     3     12
    5      b3  end      -inf     3      8
    6    a2    MIN         3  +inf   <= 2  c2, c3: 2 <= alpha 3
    7      c1  end         3  +inf      2
    8    a3    MIN         3  +inf      2
    9      d1  end         3  +inf     14
   10      d2  end         3    14      5
   11      d3  end         3     5      2

algorithm      alpha-beta
value          MAX: 3
decision       a1
best play      a1  b1
visited        11 nodes, of them 7 leaves
never visited  2 leaves: a2 c2,  a2 c3
"""


def test_the_table_of_figure_5_2_is_what_a_student_writes(run):
    assert run("trace", "aima_fig_5_2").out == FIGURE


def test_minimax_has_no_window_to_show(run):
    out = run("trace", "aima_fig_5_2", "--algorithm", "minimax").out
    assert "alpha" not in out
    assert "never visited  no leaf: nothing was cut" in out


def test_a_trace_as_json_holds_every_event_and_the_leaves_never_visited(run):
    data = json.loads(run("trace", "aima_fig_5_2", "--json").out)
    cuts = [event for event in data["events"] if event["kind"] == "cut"]
    assert cuts == [
        {
            "kind": "cut",
            "path": ["a2"],
            "player": "MIN",
            "alpha": "3",
            "beta": None,
            "value": "2",
            "action": None,
            "pruned": ["c2", "c3"],
            "is_cutoff": False,
        }
    ]
    assert data["unvisited"] == [["a2", "c2"], ["a2", "c3"]]
    assert data["nodes"] == 11


def test_a_vector_is_shown_whole_and_a_tie_is_named(run):
    out = run("trace", "aima_three_player", "-a", "maxn").out
    assert "(1, 2, 6)" in out
    assert "A is indifferent between left" in " ".join(out.split())


def test_estimates_at_the_depth_limit_are_marked(run):
    out = run("trace", "othello_small", "--cutoff", "1").out
    assert "~ " in out
    assert "an estimate" in out


def test_the_best_order_visits_fewer_nodes_than_the_worst(run):
    def nodes(order):
        command = ("trace", "tic_tac_toe", "--at", "a1 b2", "--summary", "--json")
        return json.loads(run(*command, "--order", order).out)["nodes"]

    assert nodes("best") < nodes("declared") <= nodes("worst")


@pytest.mark.parametrize(
    "arguments",
    [
        ("trace", "kuhn_poker", "--algorithm", "minimax"),
        ("trace", "aima_three_player", "--algorithm", "alpha-beta"),
        ("trace", "pig", "--algorithm", "maxn"),
        ("trace", "tic_tac_toe", "--cutoff", "2"),
        ("trace", "aima_three_player", "--algorithm", "maxn", "--cutoff", "2"),
    ],
)
def test_what_does_not_apply_is_refused_with_one_sentence(run, arguments):
    ran = run(*arguments)
    assert ran.status == 4
    assert ran.out == ""
    assert ran.err.startswith("not supported: ")
    assert ran.err.count("\n") == 1


def test_what_an_equilibrium_does_is_told_for_what_the_player_has_seen(run):
    out = run("best", "kuhn_poker", "--at", "J K").out
    assert "Ann           with J: check 2/3, bet 1/3" in out
    assert "Bob           with Q after bet: call 1/3, fold 2/3" in (
        run("best", "kuhn_poker", "--at", "J Q bet").out
    )
    data = json.loads(run("best", "kuhn_poker", "--at", "K Q", "--json").out)
    assert (data["best"], data["is_proved"]) == ([], True)
    assert [one["choices"] for one in data["mixed"]] == [{"check": "0", "bet": "1"}]
    assert data["worths"] == [
        {"player": "Ann", "value": "7/6", "actions": {"check": "7/6", "bet": "7/6"}}
    ]


def test_before_a_card_is_drawn_all_is_told_that_can_be_seen_of_it(run):
    out = run("best", "kuhn_poker").out
    assert "Ann           with Q: check\n" in out
    assert "worth there   Ann -1/3 on average: check -1/3, bet -1/2\n" in out
    assert "Bob  " not in out
    one = run("best", "kuhn_poker", "--at", "Q").out
    assert one.count("worth there") == 1


def test_a_single_player_is_told_what_is_best_by_what_can_be_known(run):
    start = run("best", "monty_hall").out
    assert "at the start: point(left)  point(middle)  point(right)" in start
    plays = ("left left middle", "right left middle")
    found = [run("best", "monty_hall", "--at", play).out for play in plays]
    assert found[0] == found[1], "what is hidden makes no difference"
    assert "Guest         after point(left), opened=middle: switch\n" in found[0]
    assert "worth there   Guest 2/3 on average: switch 2/3, stay 1/3\n" in found[0]


def test_no_line_ends_between_an_action_and_its_probability(run):
    lines = run("best", "blotto").out.splitlines()
    there = next(place for place, line in enumerate(lines) if line.startswith("Kije"))
    assert lines[there].endswith("send(2) 16/45,")
    assert lines[there + 1].split() == ["send(3)", "7/90"]


def test_nothing_is_said_of_where_the_others_never_let_play_come(run):
    out = run("best", "beer_and_quiche", "--at", "weak quiche").out
    assert "worth there   not to be told: by what the others do, play never comes here" in out


def test_what_an_equilibrium_does_is_told_for_all_who_choose_at_once(run):
    out = run("best", "goofspiel", "--at", "1+3").out
    assert "to move       all\n" in out
    assert "A             after offer(1)+offer(3): offer(2) 1/3, offer(3) 2/3\n" in out
    assert "B             after offer(1)+offer(3): offer(1) 2/3, offer(2) 1/3\n" in out


def test_a_table_too_long_to_read_is_not_begun(run):
    ran = run("trace", "tic_tac_toe", "--max-nodes", "50")
    assert (ran.status, ran.out) == (3, "")
    assert "more than 50 nodes" in ran.err


def test_the_best_moves_come_with_their_value_and_line(run):
    ran = run("best", "tic_tac_toe", "--at", "a1 b1 b2 c3")
    assert ran.status == 0
    assert "X wins in 3 plies: mark(a2)" in ran.out


def test_the_best_moves_as_json_are_exact(run):
    data = json.loads(run("best", "tic_tac_toe", "--at", "a1 b1", "--json").out)
    assert data["is_proved"]
    assert data["value"] == ["1", "-1"]
    assert {move["move"] for move in data["best"]} == {"mark(a2)", "mark(b2)", "mark(a3)"}
    assert all(move["line"][0] == move["move"] for move in data["best"])


@pytest.mark.parametrize(
    ("game", "method"), [("connect_four", "UCT"), ("othello", "alpha-beta to depth")]
)
def test_an_estimate_is_called_so(run, game, method):
    ran = run("best", game, "--max-positions", "100", "--budget", "150", "-q")
    assert ran.status == 3
    assert f"an estimate: {method}" in ran.out
    assert "more than 100 positions lie ahead" in ran.out


def test_the_move_that_is_played_stands_first_and_what_is_known_before_what_is_bounded(run):
    for at, best in (("", 0), ("e2e4", 1)):
        ran = run("best", "chess", "--at", at, "--max-positions", "9", "--budget", "4000", "-q")
        lines = ran.out.splitlines()
        played = lines[1].split(maxsplit=2)[2]
        rows = [line.strip().split("  ") for line in lines if re.match(r"  (go\(|\d+ moves)", line)]
        moves = [[word for word in row if word] for row in rows]
        assert moves[0][0] == played
        bounds = ["or worse" in words[1] for words in moves]
        assert bounds == sorted(bounds)
        known = [float(words[1].split()[1]) for words in moves if "worse" not in words[1]]
        assert known == sorted(known, reverse=not best)


def test_moves_of_which_the_same_is_told_share_a_row(run):
    lines = run("best", "chess", "--max-positions", "9", "--budget", "4000", "-q").out
    (number,) = re.findall(r"  (\d+) moves +White: \S+ or worse: ", lines)
    assert int(number) > 2
    whole = re.sub(r"\s+", " ", lines)
    assert sum(whole.count(f"go({at}") for at in ("a2", "b1", "h2")) >= 5


def test_a_probability_of_winning_stands_beside_the_payoff_that_moves_are_told_in(run):
    lines = run("best", "pig", "-D", "goal=3", "-q").out.splitlines()
    payoff, _, rest = lines[1].removeprefix("value").strip().partition("; ")
    assert payoff == "A: 29/43"
    assert rest.startswith("A wins with probability 36/43 (")
    assert lines[-1].split(maxsplit=1)[1].startswith(payoff)


def test_where_only_choices_are_mixed_the_probability_stands_alone(run):
    assert "value         Even wins with probability 1/2 (" in run("best", "matching_pennies").out


def test_a_seed_makes_an_estimate_repeatable(run):
    command = ("best", "connect_four", "--max-positions", "50", "--budget", "60", "-q")
    one, two, other = (run(*command, "--seed", str(seed)).out for seed in (1, 1, 2))
    assert one == two
    assert one != other


def test_after_the_end_there_is_no_best_move(run):
    ran = run("best", "aima_fig_5_2", "--at", "a1 b1")
    assert ran.status == 2
    assert "the game is over" in ran.err


def test_the_command_line_offers_every_algorithm_and_order():
    assert [str(name) for name in TraceAlgorithm] == [*map(str, Algorithm), MCTS]
    assert [str(name) for name in MoveOrder] == [str(name) for name in Order]


def test_a_summary_has_no_limit_but_the_one_that_is_asked_for(run):
    command = ("trace", "tic_tac_toe", "--at", "a1 b2", "-a", "minimax", "--summary")
    assert "visited        7,332 nodes" in run(*command).out
    ran = run(*command, "--max-nodes", "7331")
    assert (ran.status, ran.out) == (3, "")
    assert "visits more than 7,331 nodes" in ran.err


CONSTANT_SUMS = [(3, 2, 1), (100, 50, 0), (-1, -3, -5)]
"""Payoffs of a win, a draw and a loss."""


@pytest.mark.parametrize(("win", "draw", "loss"), CONSTANT_SUMS)
def test_a_win_of_the_second_player_is_worth_its_own_payoff(run, win, draw, loss):
    text = (GAMES / "connect_four.game").read_text("utf-8").partition("expect")[0]
    text = text.replace("p wins", f"payoff p: {win}, other(p): {loss}")
    text = text.replace("draw", f"payoff q: {draw}")
    command = ("best", "-", "--at", "4 1 3 1 7 1 7", "--max-positions", "9", "--budget", "40", "-q")
    lines = run(*command, stdin=text).out.splitlines()
    assert lines[2].startswith(f"value         Yellow: {win}.000 (proved")
    data = json.loads(run(*command, "--json", stdin=text).out)
    both = [str(loss), str(win)]
    assert (data["value"], data["best"][0]["value"]) == (both, both)
    assert (data["estimate"]["value"], data["estimate"]["value_of"]) == (str(loss), "Red")


def test_the_value_of_a_trace_is_of_a_named_player(run):
    command = ("trace", "tic_tac_toe", "--at", "a1 b1 b2", "--summary", "-a")
    assert "\nvalue          X: 1\n" in run(*command, "alpha-beta").out
    assert "\nvalue          O: -1\n" in run(*command, "paranoid").out


LONG_NAMES = """\
game "Long names"
players A, B
state:
    left: 0..9 = 9
move take_some_counters(n in 1..3):
    require n <= left
    left -= n
end:
    if stuck: turn loses
"""


def test_a_long_name_does_not_run_into_what_is_said_of_it(run):
    ran = run("best", "-", "--max-positions", "2", "--budget", "20", "-q", stdin=LONG_NAMES)
    assert ran.status == 3
    assert "  take_some_counters(1)  A: " in ran.out


def test_the_paths_of_a_trace_are_named_without_playing_each_from_the_start(run, monkeypatch):
    played = 0
    play = LoadedGame.result

    def counted(game, state, action):
        nonlocal played
        played += 1
        return play(game, state, action)

    monkeypatch.setattr(LoadedGame, "result", counted)
    data = json.loads(run("trace", "tic_tac_toe", "--at", "a1 b2 c3", "--json").out)
    assert played < 4 * (data["nodes"] + len(data["unvisited"]))
    assert max(len(path) for path in data["unvisited"]) == 6


WEATHER = """game "Weather first"
players A, B
state:
    sun: bool = false
    at: 0..2 = 0
setup:
    chance weather in {true: 1/3, false: 2/3}
    sun = weather
move go(n in 1..2):
    at = n
end:
    if at > 0 and (at == 1) == sun: A wins
    if at > 0: A loses 2
"""


def test_a_game_that_begins_with_chance_shows_each_outcome_with_its_best_reply(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "weather.game"
    path.write_text(WEATHER, "utf-8")
    for command in ("best", "solve"):
        done = run(command, str(path))
        assert done.status == 0
        assert "weather=true (1/3)   A: 1: go(1)" in done.out
        assert "weather=false (2/3)  A: 1: go(2)" in done.out
        found = json.loads(run(command, str(path), "--json").out)["outcomes"]
        assert found[0] == {
            "outcome": "weather=true",
            "probability": "1/3",
            "value": ["1", "-1"],
            "best": ["go(1)"],
        }
    asked = run("best", str(path), "--max-positions", "2")
    assert asked.status == 2
    assert 'a chance event comes first; name its outcome, as in --at "weather=true"' in asked.err
    assert "Invalid value" not in asked.err


def test_all_that_chance_draws_before_a_player_moves_is_named(run: Run) -> None:
    asked = run("show", "kuhn_poker", "--format", "state")
    assert asked.status == 2
    assert 'as in --at "card[Ann]=J card[Bob]=Q"' in asked.err
    assert "Invalid value" not in asked.err
    asked = run("show", "kuhn_poker", "--format", "state", "--at", "card[Ann]=K")
    assert 'name its outcome too, as in --at "card[Ann]=K card[Bob]=J"' in asked.err


def test_simulated_plays_are_written_down_a_row_each(run: Run) -> None:
    search = ("trace", "tic_tac_toe", "--at", "a1 b1 a2 b2 c2", "-a", "mcts", "--plays", "12")
    shown = run(*search).out
    assert len([line for line in shown.splitlines() if line[:4].strip().isdecimal()]) == 12
    assert "\nmark(b3)      4  -1.00   1.00\n" in shown
    assert "simulated      12 plays" in shown
    data = json.loads(run(*search, "--json").out)
    assert len(data["plays"]) == sum(move["visits"] for move in data["moves"]) == 12
    assert data["plays"][4]["path"] == ["mark(c1)", "mark(a3)"]
    assert max(data["plays"][4]["bounds"][0].values()) == data["plays"][4]["bounds"][0]["mark(c1)"]
    assert run(*search, "--seed", "1").out != shown
    assert "plays" not in json.loads(run(*search, "--json", "--summary").out)


def test_advice_without_a_depth_limit_can_be_followed(run: Run) -> None:
    refused = run("trace", "aima_three_player", "--cutoff", "2")
    assert (refused.status, "alpha-beta" in refused.err) == (4, False)
    for advised in ((), ("-a", "mcts", "--cutoff", "2")):
        assert run("trace", "aima_three_player", *advised).status == 0
