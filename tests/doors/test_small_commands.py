"""`games`, `new`, `rule`, `fmt`, `perft`, and the command line itself."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

import gamedsl
from gamedsl.cli.app import GROUPS
from gamedsl.cli.asked.plays import MatchOptions
from gamedsl.cli.bodies import playouts
from gamedsl.cli.commands.answers import CONTENDERS
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.options import completed_game
from gamedsl.cli.program import app
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import shipped_games
from gamedsl.python.matches import Match
from gamedsl.reports.catalogue import catalogue_text, entries_of, entry_of, included
from gamedsl.reports.paragraphs import filling
from gamedsl.solvers.matches.match import Pair

from .conftest import GAMES, PILE, Run

WHOLE, BEGUN = re.compile(r"\b[a-z]+\([^()]+\)"), re.compile(r"\b[a-z]+\([^()]*$")
"""The name of an action; the end of a line within one."""


def test_help_names_every_command(run: Run) -> None:
    shown = run("--help").out
    for command in ("check", "solve", "perft", "play", "show", "fmt", "rule", "new", "games"):
        assert f"\n  {command}" in shown


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version").out == f"gamedsl {gamedsl.__version__}\n"


def test_a_misspelt_command_is_recognised(run: Run) -> None:
    refused = run("slove", "nim")
    assert refused.status == 2
    assert "Did you mean 'solve'?" in refused.err


def test_every_shipped_game_is_listed_with_its_title(run: Run) -> None:
    table, _, further = run("games").out.partition("\n\n")
    head, *lines = table.splitlines()
    assert head.split() == ["name", "players", "chance", "hidden", "states", "value"]
    assert sum(not line.startswith(" ") for line in lines) == len(list(GAMES.glob("*.game")))
    words = " ".join(run("games").out.split())
    assert all(title in words for title in ("Tic-tac-toe against chance", "Knuth and Yao's die"))
    assert any(line.split() == ["nim", "2", "232", "A", "wins"] for line in lines)
    assert max(map(len, (*lines, *further.splitlines()))) <= 80


def test_a_title_stands_beside_the_rest_where_there_is_room() -> None:
    texts = {
        "one.game": 'game "One"\nplayers A, B\nexpect value: (1234567/8901234, -1/3)  # so\n',
        "two_of_them.game": 'game "Two (2)"\nplayers A\ninclude "one.game"\n',
    }
    entries = entries_of(texts)
    assert [entry.value for entry in entries] == ["(≈0.139, -1/3)", ""]
    with filling(60):
        assert [line.split() for line in catalogue_text(entries).split("\n")[1:]] == [
            ["one", "2", "(≈0.139,", "-1/3)"], ["two_of_them", "1"], ["Two", "(2)"],
        ]  # fmt: skip
    with filling(100):
        assert catalogue_text(entries).split("\n")[2].split() == ["two_of_them", "1", "Two", "(2)"]


@pytest.mark.slow
def test_the_columns_of_the_list_are_the_facts_of_the_games() -> None:
    texts = {path.name: path.read_text("utf-8") for path in shipped_games()}
    for path in shipped_games():
        facts = gamedsl.load(path).facts
        text = texts[path.name]
        entry = entry_of(path.stem, text, included(text, texts))
        assert (entry.players, entry.has_chance, entry.has_secrets, entry.is_simultaneous) == (
            len(facts.players), facts.has_chance, facts.has_secrets, facts.is_simultaneous,
        ), path.stem  # fmt: skip


def test_a_game_of_the_list_is_described(run: Run) -> None:
    shown = run("games", "kuhn_poker").out
    assert shown.startswith("Kuhn poker\n\nKuhn poker (H. Kuhn, 1950)")
    assert "  players  Ann, Bob\n" in shown
    assert "hidden information" in shown
    assert run("games", "kuhn_pokr").status == 2


def test_every_command_is_listed_in_one_group_of_the_help(run: Run) -> None:
    listed = [name for names in GROUPS.values() for name in names]
    assert sorted(listed) == sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    lines = run("--help").out.splitlines()
    assert lines.index("Write:") < lines.index("Solve:") < lines.index("Teach:")
    assert any(line.split()[:1] == ["explain"] for line in lines)


def test_a_new_game_is_never_written_over_a_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "Tiny Duel").out == "tiny_duel.game\n"
    text = (tmp_path / "tiny_duel.game").read_text()
    assert 'game "Tiny Duel"' in text
    (tmp_path / "tiny_duel.game").write_text("mine")
    refused = run("new", "Tiny Duel")
    assert refused.status == 2
    assert "already" in refused.err
    assert (tmp_path / "tiny_duel.game").read_text() == "mine"


def test_a_new_game_passes_the_check_as_it_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", 'A "quoted" title')
    checked = run("check", "a_quoted_title.game")
    assert checked.status == 0, checked.out + checked.err
    formatted = run("fmt", "--check", "a_quoted_title.game")
    assert formatted.status == 0, formatted.err


def test_a_rule_is_its_page(run: Run) -> None:
    shown = run("rule", "e2002")
    assert shown.status == 0
    assert shown.out.startswith("E2002: ")
    assert "```" not in shown.out
    assert "#" not in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80
    assert "\nE2002: " in run("rule").out


@pytest.mark.parametrize(
    "words",
    [
        "solve wythoff",
        "solve chess",
        "trace chess --cutoff 2",
        "tree hanoi --depth 2",
        "games matching_pennies",
    ],
)
def test_reports_fit_eighty_columns(run: Run, words: str) -> None:
    assert max(map(len, run(*words.split()).out.splitlines())) <= 80


@pytest.mark.parametrize(
    "words",
    [
        "solve tic_tac_toe",
        "solve hexapawn",
        "best nim",
        "best chess --budget 300 --max-positions 9 -q",
        "explain nim",
        "show chess --at e7e5",
    ],
)
def test_no_line_ends_within_the_name_of_an_action(run: Run, words: str) -> None:
    done = run(*words.split())
    said = [line for line in done.out.splitlines() + done.err.splitlines() if "    |" not in line]
    assert any(WHOLE.search(line) for line in said)
    assert not [line for line in said if BEGUN.search(line)]


@pytest.mark.parametrize("name", [name for names in GROUPS.values() for name in names])
def test_help_fits_eighty_columns_and_breaks_no_word(
    run: Run, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, run(name, "--help").out.splitlines())) <= 80


def test_an_unknown_rule_is_a_usage_error(run: Run) -> None:
    refused = run("rule", "E9999")
    assert refused.status == 2
    assert "no diagnostic E9999" in refused.err


UNTIDY = PILE.replace("left -= k", "left  -=  k").replace("1..2)", "1 .. 2)")


def test_fmt_rewrites_a_file_and_keeps_comments(run: Run, pile: Path) -> None:
    pile.write_text(UNTIDY)
    assert run("fmt", pile).status == 0
    assert pile.read_text() == PILE
    assert run("fmt", pile, "--check").status == 0


def test_fmt_check_and_diff_write_nothing(run: Run, pile: Path) -> None:
    pile.write_text(UNTIDY)
    checked = run("fmt", "--check", pile)
    assert (checked.status, checked.out) == (1, "")
    assert "would format" in checked.err
    shown = run("fmt", "--diff", pile)
    assert shown.status == 1
    assert "-    left  -=  k\n+    left -= k\n" in shown.out
    assert pile.read_text() == UNTIDY


def test_fmt_is_a_filter_with_a_dash(run: Run) -> None:
    assert run("fmt", "-", stdin=UNTIDY).out == PILE


def test_fmt_leaves_a_file_with_errors_alone(run: Run, pile: Path) -> None:
    broken = UNTIDY.replace("require k <= left", "require k = left")
    pile.write_text(broken)
    refused = run("fmt", pile)
    assert refused.status == 1
    assert "error[E0" in refused.err
    assert pile.read_text() == broken


def test_a_code_without_its_letter_is_answered_with_all_that_it_may_be(run: Run) -> None:
    assert "there is no diagnostic 1001; did you mean E1001 or W1001?" in run("rule", "1001").err


def test_perft_counts_plays_by_depth(run: Run) -> None:
    counted = run("perft", "tic_tac_toe", "4")
    assert counted.out.split() == ["1", "9", "2", "72", "3", "504", "4", "3,024"]
    assert counted.err.rstrip().endswith("plays a second")
    assert run("perft", "tic_tac_toe", "1", "-q").err == ""


def test_perft_takes_its_depth_as_an_option_too_and_asks_for_it(run: Run) -> None:
    assert run("perft", "nim", "--depth", "2").out == run("perft", "nim", "2").out
    for wrong in (["nim"], ["nim", "2", "--depth", "2"]):
        refused = run("perft", *wrong)
        assert (refused.status, refused.out) == (2, "")
        assert "how many plies? `gamedsl perft FILE 3`" in refused.err
    assert "'DEPTH': a whole number is needed here" in run("perft", "2", "nim").err


def test_perft_as_json_begins_at_depth_zero(run: Run) -> None:
    data = json.loads(run("perft", "tic_tac_toe", "3", "--json").out)
    assert data["schema_version"] == 1
    assert data["counts"] == [1, 9, 72, 504]
    assert data["unit"] == "plies"


def test_perft_divides_among_the_first_moves(run: Run, pile: Path) -> None:
    data = json.loads(run("perft", pile, "2", "--divide", "--json").out)
    assert data["moves"] == {"take(1)": 2, "take(2)": 2}
    assert data["total"] == 4
    text = run("perft", pile, "2", "--divide", "--at", "take(2)").out.splitlines()
    assert [line.split() for line in text] == [["take(1)", "2"], ["take(2)", "1"], ["total", "3"]]


def test_perft_counts_a_chain_of_jumps_as_one_turn(run: Run) -> None:
    counted = run("perft", "checkers", "3", "--turns")
    assert counted.out.split() == ["1", "7", "2", "49", "3", "302"]


def test_perft_refuses_to_divide_nothing(run: Run, pile: Path) -> None:
    assert run("perft", pile, "0", "--divide").status == 2
    assert run("perft", pile, "0").out.split() == ["0", "1"]


def test_a_shell_is_told_shipped_games_and_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tictac.game").write_text("")
    (tmp_path / "tinker").mkdir()
    (tmp_path / "time.txt").write_text("")
    monkeypatch.chdir(tmp_path)
    assert completed_game("tictac") == ["tictac.game"]
    shipped, (file, folder) = completed_game("ti")[:-2], completed_game("ti")[-2:]
    assert {"tic_tac_toe", "tiny_bridge"} <= {*shipped}
    assert all(name.startswith("ti") for name in shipped)
    assert (file, folder) == ("tictac.game", "tinker/")
    assert completed_game(f"{tmp_path}/tict") == [f"{tmp_path}/tictac.game"]
    assert completed_game("nowhere/a") == []


def test_games_that_openspiel_has_are_known_by_name(run: Run) -> None:
    assert "  havannah  " in " ".join(run("games").out.split("\n"))
    assert run("solve", "coordination").out.startswith("Coordination: payoffs Row: 1, Column: 1")
    assert "did you mean the shipped game `havannah`?" in run("solve", "havanah").err


def test_a_game_of_openspiel_stands_in_place_of_a_file(run: Run) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    assert "player 0: -1/18, player 1: 1/18" in run("solve", "openspiel:kuhn_poker", "-q").out
    assert run("perft", "openspiel:tic_tac_toe", "2", "-q").out == "1   9\n2  72\n"
    assert "o(1,1)" in run("play", "openspiel:tic_tac_toe", stdin="x(0,0)\nmoves\nquit\n").out
    for command in (
        ("explain",),
        ("show", "--format", "model"),
        ("show", "--format", "state"),
        ("engine", "--gtp"),
        ("check",),
    ):
        done = run(command[0], "openspiel:tic_tac_toe", *command[1:], stdin="name\n")
        assert (done.status, " rules as text" in done.err) == (4, True), done
    requests = ('{"do": "play", "moves": "x(0,0)"}', '{"do": "best"}', '{"do": "new", "state": {}}')
    done = run("engine", "openspiel:tic_tac_toe", "--time", "0.1", stdin="\n".join(requests))
    position, best, refused = map(json.loads, done.out.splitlines())
    assert (position["to_move"], position["state"], best["ok"]) == ("player 1", None, True)
    assert "without rules as text" in refused["error"]
    refused = run("solve", "openspiel:tic_tac_toe", "-D", "n=4")
    assert refused.status == 2
    assert "has its parameters in its name" in " ".join(refused.err.split())


def test_a_match_tells_the_difference_in_strength_and_goes_on(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    line = ("match", "nim", "--first", "best:time=0.1", "--record", record, "-q")
    assert "2 pairs, 4 games" in run(*line, "-n", "2").out
    told = json.loads(run(*line, "-n", "3", "--json").out)
    assert (told["won"], len(told["pairs"])) == (6, 3)
    assert told["elo"]["low"] <= told["elo"]["mean"] <= told["elo"]["high"]
    assert len(record.read_text("utf-8").splitlines()) == 4
    refused = run(*line, "--against", "search")
    assert refused.status == 2
    assert "other players" in refused.err


def test_what_is_no_match_is_explained(run: Run, tmp_path: Path) -> None:
    assert "did you mean search?" in run("match", "nim", "--first", "serch").err
    assert "two players" in run("match", "eight_puzzle").err
    refused = run("match", "nim", "--against", "random", "--record", tmp_path)
    assert (refused.status, "cannot be used" in refused.err) == (2, True)


def test_a_game_with_hidden_cards_too_large_to_solve_has_a_player(run: Run) -> None:
    best = run("best", "liars_dice", "-D", "sides=6", "--at", "die[Ann]=3 die[Bob]=4",
               "--budget", "500", "--time", "2")  # fmt: skip
    assert best.status == 3
    assert "an estimate: outcome sampling, 500 simulated plays" in " ".join(best.out.split())
    assert "nearer to an equilibrium" in " ".join(best.out.split())


def test_count_tells_the_depths_counted_so_far(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run("count", "pig")
    assert whole.out.splitlines()[-2:] == [" 15      2", "14,478 positions, 38 of them endings"]

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ProgressLine, "__call__", interrupted)
    stopped = run("count", "connect_four")
    assert stopped.status == 130
    assert stopped.out == "  0   1\n  1   7\n  2  49\n57 positions, 0 of them endings, so far\n"
    data = json.loads(run("count", "connect_four", "--json").out)
    assert (data["counts"], data["complete"]) == ([1, 7, 49], False)


def test_count_on_sets_says_what_is_not_known_and_what_to_do(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice = "without --symbolic positions are counted one by one\n"
    monkeypatch.setitem(sys.modules, "oxidd", None)
    refused = run("count", "tic_tac_toe", "--symbolic")
    assert (refused.status, refused.err) == (
        4,
        f"not supported: oxidd is not installed: `pip install 'gamedsl[symbolic]'`; {advice}",
    )
    monkeypatch.undo()
    pytest.importorskip("oxidd")
    refused = run("count", "pig", "--symbolic")
    said = f"not supported: sets of positions know no chance; {advice}"
    assert (refused.status, refused.err) == (4, said)


def test_help_is_a_command_too(run: Run) -> None:
    assert run("help").out == run("--help").out
    assert run("help", "count").out == run("count", "--help").out
    assert "No such command 'cuont'. Did you mean 'count'?" in run("help", "cuont").err


@pytest.mark.parametrize(
    ("name", "heading"),
    [("tic_tac_toe", "ratings in Elo, on average 0"), ("aima_three_player", "points a game: 1")],
)
def test_a_tournament_says_the_unit_of_its_numbers(run: Run, name: str, heading: str) -> None:
    players = ("--player", "random", "--player", "search:plays=2", "-n", "1", "-j", "1")
    title, _, _, unit, *rated = run("tournament", name, *players).out.splitlines()
    assert title.endswith("games won (+), drawn (=) and lost (-) by the first of two players")
    assert unit.startswith(heading)
    assert len(rated) == 2


def test_a_tournament_needs_no_list_of_players(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    def played(_: Request, __: MatchOptions, players: tuple[str, ...], ___: bool) -> ExitCode:
        asked.append(players)
        return ExitCode.DONE

    monkeypatch.setattr(playouts, "run_tournament", played)
    run("tournament", "nim")
    run("tournament", "nim", "--player", "random", "--player", "best")
    assert asked == [CONTENDERS, ("random", "best")]


def test_a_series_of_matches_is_data_too(run: Run) -> None:
    players = ("--player", "random", "--player", "search:plays=2", "-n", "1")
    data = json.loads(run("tournament", "tic_tac_toe", *players, "--json").out)
    (match,) = data["matches"]
    assert match["players"] == ["random", "search:plays=2"]
    assert match["won"] + match["drawn"] + match["lost"] == 2
    assert sum(rating["elo"] for rating in data["ratings"]) == pytest.approx(0)
    data = json.loads(run("ladder", "nim", "-n", "1", "--highest", "2", "--json").out)
    assert [match["players"] for match in data["matches"]] == [["level:2", "level:1"]]
    assert "ratings" not in data


def test_a_ladder_goes_up(run: Run) -> None:
    told = run("ladder", "nim", "--lowest", "5", "--highest", "3")
    assert (told.status, told.out) == (2, "")
    assert "the last level is above the first, 5" in told.err


def test_a_series_that_is_not_supported_prints_nothing(run: Run) -> None:
    told = run("tournament", "eight_puzzle")
    assert (told.status, told.out) == (4, "")


def test_an_interrupted_match_is_data_as_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(asked: Match, numbers: list[int], _: int) -> Iterator[Pair]:
        yield asked.pair(asked.made_players(), numbers[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(playouts, "new_pairs", interrupted)
    stopped = run("match", "nim", "--first", "random", "--json")
    assert stopped.status == 130
    assert len(json.loads(stopped.out)["pairs"]) == 1
    assert "-0.0" not in stopped.out


def test_a_series_interrupted_between_matches_is_data(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The matches before are printed, though the next has no result."""

    def interrupted(asked: Match, numbers: list[int], _: int) -> Iterator[Pair]:
        if "level:2" in asked.names:
            raise KeyboardInterrupt
        yield asked.pair(asked.made_players(), numbers[0])

    monkeypatch.setattr(playouts, "new_pairs", interrupted)
    players = ("--player", "random", "--player", "level:1", "--player", "level:2")
    for form in ((), ("--json",)):
        stopped = run("tournament", "nim", *players, "-n", "1", *form)
        assert stopped.status == 130
        assert stopped.out.count("random") == 1
    data = json.loads(stopped.out)
    assert [match["players"] for match in data["matches"]] == [["random", "level:1"]]
    assert "ratings" not in data
