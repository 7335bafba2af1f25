"""A card game of one's own, solved by OpenSpiel's counterfactual regret minimization.

`python examples/card_game_cfr.py` writes the game, registers the game with OpenSpiel, and prints
how much a best reply still gains, beside the exact value. `python examples/card_game_cfr.py
leduc_poker --algorithm cfr_br` takes another file, or the name of a shipped game, and another
algorithm of OpenSpiel. Needs `pip install 'gamedsl[openspiel]'`.

Change the rules: other cards, another bet, a third card. Nothing else has to be changed.
"""

from __future__ import annotations

import argparse

import pyspiel

import gamedsl
import gamedsl.openspiel

RULES = """\
game "Half a street"
players Ann, Bob
type Card = low | middle | high
state:
    hand[p in players]: Card secret to p
    bets: 0..2 = 0
    has_checked: 0..1 = 0
    folded: players | none = none
setup:
    chance hand[Ann] in Card
    chance hand[Bob] in Card where hand[Bob] != hand[Ann]
move bet:
    require turn == Ann
    bets = 1
move check:
    require turn == Ann
    has_checked = 1
move call:
    require turn == Bob
    bets = 2
move fold:
    require turn == Bob
    folded = turn
end:
    if folded != none: folded loses 1
    if has_checked == 1 or bets == 2:
        (Ann if hand[Ann] > hand[Bob] else Bob) wins (2 if bets == 2 else 1)
"""


ALGORITHMS = {
    "cfr": pyspiel.CFRSolver,
    "cfr+": pyspiel.CFRPlusSolver,
    "cfr_br": pyspiel.CFRBRSolver,
}


def main(arguments: list[str] | None = None) -> None:
    """Solve a game by counterfactual regret minimization, and exactly."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default=RULES, help="a file or name; the card game")
    parser.add_argument("--algorithm", choices=ALGORITHMS, default="cfr+")
    parser.add_argument("--rounds", type=int, default=1000)
    options = parser.parse_args(arguments)
    loaded = gamedsl.load(options.game)
    first = loaded.players[0]
    game = gamedsl.openspiel.load(options.game)
    solver = ALGORITHMS[options.algorithm](game)
    reports = {options.rounds >> halved for halved in range(4)}
    for number in range(1, options.rounds + 1):
        solver.evaluate_and_update_policy()
        if number in reports:
            policy = solver.average_policy()
            gain = pyspiel.exploitability(game, policy)
            value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
            print(f"{number:>6} rounds: {first} gets {value:+.4f}, a best reply gains {gain:.4f}")
    exact = gamedsl.solve(loaded).value
    assert exact is not None, "the game is small"
    fraction = f"{exact[0]}, " if exact[0].denominator < 1000 else ""
    print(f"exactly: {first} gets {fraction}{float(exact[0]):+.4f}")


if __name__ == "__main__":
    main()
