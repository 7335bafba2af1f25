"""For the page: where OpenSpiel and the files differ, who is right, and what has no file."""

from __future__ import annotations

FORGETS = "Players forget observations in OpenSpiel, so knowledge is not compared."

DIFFERENCES = {
    "othello": "OpenSpiel ends a play where nobody can move, the file after two passes; the "
    "payoffs agree.",
    "nine_mens_morris": "OpenSpiel breaks a play off after 200 plies as a draw; the rules "
    "have no limit.",
    "quoridor": "OpenSpiel breaks a play off after four plies for each cell as a draw; the rules "
    "have no limit.",
    "xiangqi": "OpenSpiel breaks a play off after 500 plies as a draw. Both leave out the rules "
    "about perpetual check.",
    "shogi": "Perpetual check loses in OpenSpiel; the file leaves the rule out. In play a player "
    "with 24 or 27 points declares that the king has entered; the file counts as OpenSpiel.",
    "chess": "OpenSpiel ends positions without enough men as draws, as FIDE's article 5.2.2 does; "
    "the file leaves dead positions out. A comparison ends in a dead position.",
    "antichess": "OpenSpiel does not count a capture in passing as a capture that has to be made; "
    "python-chess and the file do. A comparison ends with the capture.",
    "2048": "OpenSpiel lists no move that merges a tile made by the last move "
    "(`DoesActionChangeBoard` reads `is_merged`); in G. Cirulli's game the move is legal, as in "
    "the file. A comparison ends with the move.",
    "phantom_ttt": "With OpenSpiel's default a player does not hear that the opponent has tried an "
    "occupied square; compared is `obstype=reveal-numturns`, as in the file.",
    "pig": "OpenSpiel lets a player hold an empty pot, and forbids to throw on with enough points; "
    "T. Neller and C. Presser (2004) allow the throw and forbid to hold nothing, as "
    "`games/pig.game`; the file follows OpenSpiel.",
    "yacht": "Four of a kind counts all five dice in OpenSpiel, four dice in the usual rules; the "
    "file follows OpenSpiel.",
    "markov_soccer": "A goal in the last round pays nothing in OpenSpiel (`Returns` looks at the "
    "horizon first); the file follows OpenSpiel.",
    "checkers": "OpenSpiel draws after forty plies without a capture, moves of men included; the "
    "WCDF counts forty moves of each side without a capture or a man's move, as "
    "`games/checkers.game` does. The file follows OpenSpiel.",
    "go": "OpenSpiel ends a repetition of stones as a draw and forbids a ko to be retaken at once; "
    "`games/go.game` forbids every repetition. Both rules are in use.",
    "lines_of_action": "OpenSpiel ends the second occurrence of a board as a draw, unlike "
    "C. Soucie's rules; the file follows OpenSpiel.",
    "dots_and_boxes": "By default OpenSpiel pays 1 for a win; compared is the margin.",
    "spades": "OpenSpiel never notes that a spade has been played (`is_spades_broken_` is read and "
    "never set). The usual rules then let spades be led, as the file does; compared is "
    "`break_spades = false`.",
    "hearts": "With `pass_cards=false` OpenSpiel's `chance_outcomes` lists four directions, its "
    "`legal_actions` one; compared is the default.",
    "coop_box_pushing": "Where both players push the large box short of the edge, OpenSpiel moves "
    "the box and then makes both players bump; the file counts no bump.",
    "go_fish": "OpenSpiel's observation tells the opponent the rank of a drawn card, so knowledge "
    "is not compared.",
    "einstein_wurfelt_nicht": "OpenSpiel places six stones as one outcome of chance, the file "
    "stone by stone.",
    "amazons": "To choose an amazon and to move the amazon are two plies in OpenSpiel, a ply in "
    "the file.",
    "goofspiel": "OpenSpiel plays the last card without a ply, the file as a ply with one choice; "
    "with `point_difference` OpenSpiel pays half the lead.",
    "oh_hell": "The number of tricks is a parameter of the file, and a chance event in OpenSpiel.",
    "banqi": "The file draws one of 32 men, OpenSpiel a colour and a kind.",
    "backgammon": "A throw of the dice is two chance events in the file, one in OpenSpiel.",
    "chinese_checkers": "OpenSpiel breaks a play off after a number of moves; the rules have no "
    "limit.",
    "crazy_eights": "OpenSpiel counts a number card by its place in the pack (`ScoreUp` adds 2 to "
    "the card, not to the rank) and an ace as 10; the file does so with `points = 2`.",
    "euchre": "The dealer may not put away the card just taken up, in OpenSpiel and in the file.",
    "pathfinding": "Compared is the game of one agent. With several, a step decided by lot that "
    "brings the last agent home pays no `group_reward` in OpenSpiel.",
    "universal_poker": "The parameters are those of Leduc poker; its two suits do not matter.",
    "liars_dice_ir": f"{FORGETS} A claim is recalled for four turns.",
    "phantom_ttt_ir": f"{FORGETS} A player sees the board as it is known, not its past.",
    "dark_hex_ir": f"{FORGETS} A player sees the board as it is known, not its past.",
    "coop_to_1p": "Compared is Tiny Hanabi.",
    "snake": "Of two snakes that run into each other's bodies the first dies, in OpenSpiel and in "
    "the file.",
    "hive": "Compared is the game without expansions. Before White's queen has come, OpenSpiel "
    "lets Black lift a bug that holds the hive together (`UpdateArticulationPoints` begins at "
    "White's queen); a comparison ends there. OpenSpiel breaks a play off after 500 plies as a "
    "draw.",
    "stones_and_gems": "Compared is the default level, in which nothing is left to chance; "
    "OpenSpiel draws inside the game how the blobs of other levels grow.",
    "bridge": "Compared is `use_double_dummy_result=false`, where the cards are played. By default "
    "OpenSpiel pays what its solver finds for open cards.",
    "cribbage": "OpenSpiel counts four cards of a suit in the crib (`ScoreHand` does not know the "
    "crib); the rules of the American Cribbage Congress ask for five, as the file does without "
    "`short_crib_flush`.",
    "cursor_go": "After a repetition OpenSpiel plays on to a draw; the file ends with the draw.",
    "gin_rummy": "A run to which two cards have been added at one end takes no third card in "
    "OpenSpiel (`AllLayoffs` looks one step ahead), and a knocker with as much left as the "
    "opponent is not undercut; the file follows the rules in the first, OpenSpiel in the second.",
    "negotiation": "OpenSpiel draws items and values inside the game; the file makes the same "
    "draws, whose probabilities are not compared. Three zeros are drawn again in OpenSpiel, but "
    "the new values stand behind the zeros (`DetermineItemPoolAndUtilities`).",
    "nfg_game": "Choices at once are made in turn, unseen, in both (`load_game_as_turn_based`). "
    "OpenSpiel's reader knows no comment and no strategies by name inside braces.",
    "repeated_poker": "Compared is Leduc poker with a dealer who changes.",
    "kriegspiel": "OpenSpiel's umpire announces no check (`GetCheckType` looks for moves of the "
    "side to move to its own king) and draws after fifty plies without a capture or "
    "a pawn move, not a hundred; compared are `checks = false` and `plies = 50`. A "
    "player who is mated finds out by trying every move, in both. A comparison ends "
    "in a dead position.",
    "rbc": "OpenSpiel tells the opponent, not the player, that a move could not be made "
    "(`illegal_move_attempted_` is shown after the turn has passed); compared is "
    "`told = true`.",
    "dou_dizhu": "OpenSpiel lets a bomb beat the rocket (`SearchForLegalActions` adds bombs "
    "whatever lies), where a comparison ends, and no run begin with a rank held "
    "four times, unlike the usual rules; compared is `keeps_bombs = true`. "
    "OpenSpiel's observations leave out the bids, so knowledge is not compared.",
    "tarok": "OpenSpiel takes any four cards for the four kings and counts no trula "
    "(`kKingOfDiamondsAction == 37` in `CollectedKingsAndOrTrula` is always true), "
    "and takes 48 cards, cards put away included, for a valat; compared is "
    "`miscounts = true`. OpenSpiel deals inside the game, and shows the talon after "
    "the choice (`DoApplyActionInTalonExchange`), so knowledge is not compared.",
    "skat": "The auction is OpenSpiel's: the first who names a game plays it.",
    "solitaire": "OpenSpiel's code forbids a position to come up again, but takes every move for "
    "irreversible (`Move` knows no location of its cards), so that positions do come up again; the "
    "file follows OpenSpiel.",
}
"""By OpenSpiel's name."""

CONTINUUM = "a continuum of players: the state holds a distribution"
SOLVER = "payoffs are values that a solver finds for open cards"

OUT_OF_REACH = {
    "add_noise": "adds numbers that OpenSpiel draws to the payoffs of another game",
    "bridge_uncontested_bidding": SOLVER,
    "crossword": "the words are read from a file; the language has no texts",
    "mfg_crowd_modelling": CONTINUUM,
    "mfg_crowd_modelling_2d": CONTINUUM,
    "mfg_dynamic_routing": CONTINUUM,
    "mfg_garnet": CONTINUUM,
    "normal_form_extensive_game": "an action is a whole plan for another game (`gamedsl nfg`)",
    "restricted_nash_response": "a player follows a strategy given as a Python object",
}
"""Games of OpenSpiel without a file, and why."""
