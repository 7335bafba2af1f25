"""`gamedsl play` with lines piped in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import Run


def test_the_solution_plays_the_other_side(run: Run, pile: Path) -> None:
    played = run("play", pile, stdin="take(1)\n2\n")
    assert played.status == 0
    assert "Bob plays take(1)" in played.out
    assert "Ann> 2\n" in played.out


def test_best_play_wins_from_a_won_position(run: Run, pile: Path) -> None:
    played = run("play", pile, "--as", "bob", stdin="1\n1\n1\n")
    assert "Ann plays take(2)" in played.out
    assert "the game is over: Ann wins" in played.out
    assert played.out.count("over") == 1, "the ending is told once"


def test_values_are_told_on_request(run: Run, pile: Path) -> None:
    played = run("play", pile, stdin="values\nquit\n")
    assert "Ann wins in 3 plies  2\nBob wins in 4 plies  1\n" in played.out
    assert played.out.endswith("bye\n")


def test_undo_goes_back_to_my_last_decision(run: Run, pile: Path) -> None:
    played = run("play", pile, stdin="undo\n1\nundo\nboard\n")
    assert "there is no move of yours to take back" in played.out
    assert played.out.count("left: 5\nAnn to move") == 3


def test_what_is_not_a_move_is_explained_and_asked_again(run: Run, pile: Path) -> None:
    played = run("play", pile, stdin="take(9)\nhelp\nmoves\n:moves\n")
    assert "`take(9)` is not legal here; legal are take(1), take(2)" in played.out
    assert "take your last move back" in played.out
    slip = run("play", "chess", "--seconds", "0.1", stdin="hlep\ne2e5\n").out
    assert "`hlep` is no move here; did you mean `help`?" in slip
    assert max(map(len, slip.splitlines())) <= 80
    assert played.out.count("take(1)  take(2)\n") == 2


def test_random_opponents_are_repeatable(run: Run) -> None:
    transcripts = {
        run("play", "tic_tac_toe", "--opponent", "random", "--seed", "7", stdin="a1\n").out
        for _ in range(3)
    }
    assert len(transcripts) == 1


def test_opponents_are_named_as_players_of_matches(run: Run) -> None:
    played = run("play", "tic_tac_toe", "--opponent", "search:plays=9", stdin="a1\n").out
    assert "O plays as search:plays=9\n" in played
    assert "O plays mark(" in played
    misspelt = run("play", "tic_tac_toe", "--opponent", "hunan")
    assert (misspelt.status, "did you mean human?" in misspelt.err) == (2, True)
    missing = run("play", "tic_tac_toe", "--opponent", "level:11")
    assert "levels are `level:1` to `level:10`" in missing.err


def test_dice_are_thrown_and_shown(run: Run) -> None:
    played = run("play", "pig", "--opponent", "human", "--seed", "1", stdin="roll\nroll\n")
    assert played.out.count("chance: die") == 2


def test_two_people_can_share_the_keyboard(run: Run, pile: Path) -> None:
    played = run("play", pile, "--opponent", "human", stdin="2\n2\n1\n")
    assert "Bob> 2" in played.out
    assert "the game is over: Ann wins" in played.out


def test_secrets_of_the_other_side_stay_hidden(run: Run) -> None:
    played = run("play", "hidden_coin", "--as", "Odd", "--seed", "1", stdin="heads\n")
    before, _, after = played.out.partition("Odd> heads")
    assert "Even plays show\n" in before
    assert "coin: Even ?" in before
    assert "the game is over" in after


@pytest.mark.parametrize(
    ("game", "one", "other"),
    [
        ("kuhn_poker", "J Q", "J K"),
        ("leduc_poker", "J Q", "J K"),
        ("one_card_poker", "1 2", "1 3"),
        ("liars_dice", "1 2", "1 3"),
    ],
)
def test_nothing_that_can_be_asked_depends_on_what_is_hidden(
    run: Run, game: str, one: str, other: str
) -> None:
    """Ann has the same card in both deals, so that what she is told is the same."""
    asked = "help\nmoves\nhint\nvalues\nundo\nboard\nrecord\nfly\nquit\n"
    enough = ("--time", "20")  # to solve on a busy machine
    told = [run("play", game, "--at", deal, *enough, stdin=asked).out for deal in (one, other)]
    assert told[0] == told[1]
    assert "an equilibrium; Ann" in told[0], "the hint is for what she has seen"


def test_all_choose_before_anything_is_told(run: Run) -> None:
    played = run("play", "rock_paper_scissors", "--seed", "3", stdin="rock\n")
    assert "all chose: " in played.out
    assert "the game is over" in played.out


def test_who_plays_the_other_side_is_said_before_it_plays(run: Run) -> None:
    played = run("play", "connect_four", "--max-positions", "50", "--seconds", "0.2", stdin="4\n")
    said = r"Yellow plays by UCT( with MAST)?, 0.2 s a move; not solved: more than 50 positions"
    assert re.search(said, played.out)
    assert "Yellow plays drop(" in played.out
    played = run("play", "othello", "--seconds", "0.2")
    either = (
        r"White plays by (alpha-beta|UCT)( and `evaluate`| with (`evaluate`|MAST))?, 0.2 s a move"
    )
    assert re.search(either, played.out), "machine code may be late, and a short match decides"
    played = run("play", "kuhn_poker")
    assert "Bob plays by an equilibrium, which mixes by chance: expected payoffs" in played.out


def test_an_equilibrium_plays_by_what_it_sees(run: Run) -> None:
    """Bob calls with the king, folds the jack, and his card is not shown before the end."""
    for seed in ("1", "2", "3"):
        folded = run("play", "kuhn_poker", "--at", "K J", "--seed", seed, stdin="bet\n").out
        assert "Bob plays fold\n" in folded
        assert "│ K │  │ ? │" in folded.partition("Ann> bet")[0]
        called = run("play", "kuhn_poker", "--at", "Q K", "--seed", seed, stdin="bet\n").out
        assert "Bob plays call\n" in called


def test_a_play_whose_beginning_is_not_known_is_left_to_chance(run: Run, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_text(run("show", "kuhn_poker", "--at", "Q K", "--format", "state").out)
    played = run("play", "kuhn_poker", "--state", state)
    assert "Bob plays at random: what players know in a position" in played.out
    refused = run("play", "kuhn_poker", "--state", state, "--opponent", "best")
    assert refused.status == 4
    assert refused.err.startswith("not supported: what players know in a position")


def test_a_record_can_be_played_on(run: Run, pile: Path) -> None:
    played = run("play", pile, "--at", "1", "--opponent", "human", stdin="2\nrecord\nundo\nundo\n")
    assert '--at "1 2"\n' in played.out
    assert "there is no move of yours to take back" in played.out
    played = run("play", pile, "--opponent", "human", stdin="1\nquit\n")
    assert played.out.endswith('bye\n--at "1"\n')


@pytest.mark.parametrize("text", ["", "{}", '{"moves": 1}', "[", '{"moves": "9"}'])
def test_a_file_that_holds_no_play_is_refused(run: Run, pile: Path, text: str, tmp_path) -> None:
    (tmp_path / "play.json").write_text(text)
    played = run("play", pile, stdin=f"load {tmp_path / 'play.json'}\nload\nsave\n1\n")
    assert "holds" in played.out
    assert "write `load FILE`\n" in played.out
    assert "write `save FILE`\n" in played.out
    assert "Bob plays" in played.out


def test_a_play_from_a_state_is_kept_with_it(run: Run, tmp_path: Path) -> None:
    state, play = tmp_path / "state.json", tmp_path / "play.json"
    state.write_text(run("show", "nim", "--at", "1 3", "--format", "state").out)
    run("play", "nim", "--state", state, "--opponent", "human", stdin=f"2 4\nsave {play}\n")
    played = run("play", "nim", "--opponent", "human", stdin=f"load {play}\n")
    assert "3  ||||| 5" in played.out


def test_a_hint_is_proved_where_that_can_be(run: Run) -> None:
    assert "(proved best)" in run("play", "hanoi", stdin="hint\n").out
    hint = run("play", "prisoners_dilemma", stdin="hint\n").out
    assert "choose(defect) (an equilibrium)" in hint
    mixed = run("play", "rock_paper_scissors", stdin="hint\n").out
    assert "throw(rock) 1/3, throw(paper) 1/3, throw(scissors) 1/3 (an equilibrium)" in mixed
    mixed = run("play", "kuhn_poker", "--at", "J K", stdin="hint\n").out
    assert "check 2/3, bet 1/3 (an equilibrium; Ann -1 on average, whatever is chosen)" in mixed


def test_a_hint_of_one_equilibrium_among_several_is_not_called_proved(
    run: Run, tmp_path: Path
) -> None:
    game = tmp_path / "ultimatum.game"
    game.write_text(
        'game "Ultimatum"\nplayers Ann, Bob\ntree:\n    Ann:\n'
        "        fair -> Bob: yes -> (1, 1), no -> (0, 0)\n"
        "        greedy -> Bob: yes -> (2, 0), no -> (0, 0)\n"
    )
    hint = run("play", game, stdin="hint\n").out
    assert "greedy (of one equilibrium among several)\n" in hint


@pytest.mark.parametrize(("seed", "paid"), [("1", 1), ("2", 0)])
def test_what_a_lone_player_is_paid_is_no_draw(run, seed: str, paid: int) -> None:
    out = run("play", "monty_hall", "--seed", seed, stdin="left\nstay\n").out
    assert f"the game is over: payoffs Guest: {paid}\n" in out


def test_a_hint_tells_a_player_who_does_not_see_everything_what_is_best(run: Run) -> None:
    out = run("play", "monty_hall", "--seed", "1", stdin="left\nhint\nvalues\n").out
    assert "switch (best by what can be known; Guest 2/3 on average: switch 2/3, stay 1/3)\n" in out
    assert "Guest> values\nGuest 2/3 on average: switch 2/3, stay 1/3\n" in out
    assert "prize: ?" in out
    assert "prize=" not in out


def test_an_unknown_player_is_a_usage_error(run: Run, pile: Path) -> None:
    refused = run("play", pile, "--as", "Anne")
    assert refused.status == 2
    assert "did you mean Ann?" in refused.err


@pytest.mark.parametrize("word", ["quit", "exit", "q", ":quit"])
def test_one_can_leave(run: Run, pile: Path, word: str) -> None:
    assert run("play", pile, stdin=word + "\n1\n").out.endswith(f"Ann> {word}\nbye\n")


SAVINGS = """game "Savings"
players Ann, Bob
discount = 1/2
state:
    left: 0..2 = 2
move save(n in 1..2):
    require n <= left
    left -= n
    reward turn: 4*n, opponent: -n
end:
    if left == 0: payoff p: 8
"""


def test_the_running_score_counts_rewards_and_what_they_are_worth(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "savings.game"
    path.write_text(SAVINGS, "utf-8")
    played = run("play", path, "--opponent", "human", stdin="1\nundo\n1\n1\n")
    assert played.out.count("score: Ann 4, Bob -1\n") == 2
    assert "score: Ann 7/2, Bob 1\n" in played.out
    assert "the game is over: payoffs Ann: 8, Bob: 8; in all Ann 11/2, Bob 3\n" in played.out
