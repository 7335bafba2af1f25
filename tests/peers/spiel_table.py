"""The games of OpenSpiel that have a file: parameters, and how the actions of both correspond."""

from __future__ import annotations

import re

import pyspiel

from tests.peers import spiel_actions as to
from tests.peers import spiel_hands as hands
from tests.peers import spiel_hive as hive
from tests.peers.played import Played
from tests.peers.spiel_lockstep import Knowledge, Position, Row, play

BID = to.template(r"\[P\d\]Bid: (\d+)", "offer({})")
NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve")
THROWS = to.lower("throw({})")
BOXES = "dots_and_boxes(num_rows=2,num_cols=2,utility_margin=true)"
LEDUC = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=2,blind=1 1,raiseSize=2 4,"
    "firstPlayer=1 1,maxRaises=2 2,numSuits=2,numRanks=3,numHoleCards=1,numBoardCards=0 1,"
    "stack=100 100,bettingAbstraction=fcpa)"
)
HIVE = "hive(board_size=14,uses_mosquito=false,uses_ladybug=false,uses_pillbug=false)"
AUCTION = to.either(
    to.template(r"Player \d bid: (\d+)", "offer({})"),
    to.names(**{f"Chose winner {n}": f"winner={name}" for n, name in enumerate(NAMES)}),
    lambda text, here: f"{here.legal[0].partition('=')[0]}={text.split()[-1]}",
)
OH_HELL = to.either(
    to.card("23456"),
    lambda text, here: (
        f"dealer={NAMES[int(text[-1])]}" if here.theirs.is_chance_node() else f"say({text})"
    ),
)
PENNIES = to.either(to.names(Top="signal=top", Bottom="signal=bottom"), to.lower("show({})"))


def deal_of_trade(here: Position) -> tuple[int, int]:
    """OpenSpiel deals both items as one outcome."""
    return (2, 1) if here.theirs.is_chance_node() else (1, 1)


def action_of(here: Position) -> str:
    """The text of an action that is legal in OpenSpiel."""
    state = here.theirs
    return str(state.action_to_string(state.current_player(), state.legal_actions()[0]))


def dice_to_throw(here: Position) -> tuple[int, int]:
    """OpenSpiel throws all dice at once."""
    return (action_of(here).count(",") + 1, 1) if here.theirs.is_chance_node() else (1, 1)


def merge_left_out(here: Position) -> str:
    """OpenSpiel lists no move that merges a tile which the last move has merged."""
    if here.theirs.is_chance_node() or len(here.legal) <= len(here.theirs.legal_actions()):
        return ""
    return "OpenSpiel leaves out a merge"


def dead_position(here: Position) -> str:
    return "a dead position is over in OpenSpiel" * here.theirs.is_terminal() * bool(here.legal)


def capture_in_passing(here: Position) -> str:
    """OpenSpiel does not count a capture in passing as a capture."""
    square = str(here.theirs).split()[3]
    passing = any(one.startswith("take") and one.endswith(f", {square})") for one in here.legal)
    return "OpenSpiel does not count a capture in passing" if passing else ""


def deals(count: int) -> list[list[list[int]]]:
    """The instances of bargaining, in OpenSpiel's order."""
    state = pyspiel.load_game(f"bargaining(max_num_instances={count})").new_initial_state()
    found = []
    for action in state.legal_actions():
        numbers = [int(one) for one in re.findall(r": (\d+)", state.action_to_string(-1, action))]
        found.append([numbers[:3], numbers[3:6], numbers[6:]])
    return found


ROWS = [
    # shipped before
    Row("tic_tac_toe", "tic_tac_toe", to.line),
    Row("connect_four", "connect_four", to.column),
    Row("breakthrough", "breakthrough", to.breakthrough, {"width": 8, "height": 8}),
    Row("othello", "othello", to.othello, forced=("skip",), settles_last=True),
    Row("hex", "hex(board_size=5)", to.hexagon, {"width": 5, "height": 5}),
    Row("nim", "nim(pile_sizes=3;4;5,is_misere=false)", to.nim),
    Row("nim_misere", "nim(pile_sizes=3;4;5)", to.nim),
    Row("kalah", "mancala", to.kalah, {"pits": 6, "seeds": 4}),
    Row("dots_and_boxes", BOXES, to.boxes),
    Row("kuhn_poker", "kuhn_poker", to.kuhn, observed="state"),
    Row("kuhn_poker_several", "kuhn_poker(players=3)", to.kuhn, observed="state"),
    Row("kuhn_poker_several", "kuhn_poker(players=7)", to.kuhn, {"n": 7}),
    Row("leduc_poker", "leduc_poker(suit_isomorphism=true)", to.leduc, observed="state"),
    Row("liars_dice", "liars_dice", to.dice, {"sides": 6}, observed="state"),
    Row("nine_mens_morris", "nine_mens_morris", to.morris, longest=200),
    # OpenSpiel's transformations, and its readers of files, for one game each
    Row("misere_tic_tac_toe", "misere(game=tic_tac_toe())", to.line),
    Row("kuhn_poker", "cached_tree(game=kuhn_poker())", to.kuhn, observed="state"),
    Row("tic_tac_toe_begun", "start_at(game=tic_tac_toe(),history=4;0)", to.line),
    Row(
        "rock_paper_scissors_by_turns",
        "turn_based_simultaneous_game(game=matrix_rps())",
        to.lower("show({})"),
    ),
    Row(
        "dilemma_without_a_sum",
        "zerosum(game=matrix_pd())",
        to.names(Cooperate="choose(silence)", Defect="choose(defect)"),
    ),
    Row("tiny_hanabi_by_plans", "coop_to_1p(game=tiny_hanabi())", to.plans),
    Row(
        "leduc_poker",
        LEDUC,
        to.universal_leduc,
    ),
    Row(
        "repeated_leduc",
        "repeated_leduc_poker(num_hands=3,suit_isomorphism=true)",
        to.either(to.names(Continue="go_on"), to.leduc),
        {"hands": 3},
    ),
    *(
        Row(file, f"efg_game(filename=tests/gambit/{file})", to.gambit)
        for file in ("beer_quiche.efg", "entry.efg", "horse.efg")
    ),
    *(
        Row(file, f"nfg_game(filename=tests/gambit/{file})", to.strategy, by_turns=True)
        for file in ("shapley.nfg", "thirds.nfg", "three_matching_pennies.nfg")
    ),
    # choices at once
    Row("matching_pennies", "matrix_mp", to.lower("show({})")),
    Row("matching_pennies_three", "matching_pennies_3p", to.lower("show({})")),
    Row("rock_paper_scissors", "matrix_rps", THROWS),
    Row("biased_rock_paper_scissors", "matrix_brps", THROWS),
    Row("rock_paper_scissors_water", "matrix_rpsw", THROWS),
    Row("shapley_rps", "matrix_shapleys_game", THROWS),
    Row("coordination", "matrix_coordination", to.lower("go({})")),
    Row("bach_or_stravinsky", "matrix_bos", to.names(Bach="go(opera)", Stravinsky="go(football)")),
    Row(
        "chicken_dare",
        "matrix_cd",
        to.names(Dare="choose(straight)", Chicken="choose(swerve)"),
    ),
    Row("stag_hunt_of_two", "matrix_sh", to.lower("hunt({})")),
    Row(
        "dilemma_of_ten",
        "matrix_pd",
        to.names(Cooperate="choose(silence)", Defect="choose(defect)"),
    ),
    # hidden information
    Row("coordinated_pennies", "coordinated_mp", PENNIES, observed="state"),
    Row(
        "lewis_signaling",
        "lewis_signaling",
        to.either(
            to.template(r"State (\d+)", "world={}", _0=1),
            to.template(r"Message (\d+)", "send({})", _0=1),
            to.template(r"Action (\d+)", "act({})", _0=1),
        ),
        observed="state",
    ),
    Row(
        "trade_comm",
        "trade_comm(num_items=2)",
        to.either(
            to.template(r"Allocate (\d+) (\d+)", "item[Ann]={}; item[Bob]={}", _0=1, _1=1),
            to.template(r"Utter (\d+)", "say({})", _0=1),
            to.template(r"Trade (\d+):(\d+)", "trade({}, {})", _0=1, _1=1),
        ),
        plies=deal_of_trade,
        observed="state",
    ),
    Row(
        "tiny_hanabi",
        "tiny_hanabi",
        to.either(
            to.template(r"p\da(\d)", "act({})", _0=1),
            lambda text, here: f"{here.legal[0].partition('=')[0]}={int(text[1:]) + 1}",
        ),
        observed="state",
    ),
    Row(
        "first_price_auction",
        "first_sealed_auction(max_value=4)",
        AUCTION,
        {"top": 4},
        observed="state",
    ),
    Row(
        "first_price_auction",
        "first_sealed_auction(players=5,max_value=4)",
        AUCTION,
        {"top": 4, "n": 5},
    ),
    Row("latent_tic_tac_toe", "latent_ttt", to.line, observed="state"),
    Row(
        "sheriff",
        "sheriff(num_rounds=2)",
        to.either(
            to.template(r"PlaceIllegalItems\(num=(\d)\)", "hide({})"),
            to.template(r"Bribe\(amount=(\d)\)", "offer({})"),
            lambda text, here: f"answer({text.partition('=')[2].rstrip(')').lower()})",
        ),
        {"rounds": 2},
        observed="state",
    ),
    Row(
        "battleship",
        "battleship(board_width=3,board_height=2,ship_sizes=[1;2],ship_values=[1;1],num_shots=3,"
        "allow_repeated_shots=false)",
        to.battleship,
        {"wide": 3, "shots": 3},
        observed="state",
    ),
    Row("blackjack", "blackjack", to.blackjack, observed="state"),
    Row(
        "bargaining",
        "bargaining(max_num_instances=6)",
        to.bargaining,
        {"deals": deals(6)},
        observed="state",
    ),
    Row(
        "coin_game",
        "coin_game(rows=3,columns=3,num_coins_per_color=1,episode_length=6)",
        to.coins,
        observed="observation",
    ),
    Row("hearts", "hearts", to.hearts, observed="state", deal=to.in_turn(is_rank_first=True)),
    Row(
        "spades",
        "spades",
        to.either(to.names(Nil="say(0)"), to.card(), to.template(r"(\d+)", "say({})")),
        {"break_spades": False},
        observed="observation",
        deal=to.in_turn(),
    ),
    Row(
        "oh_hell",
        "oh_hell(num_cards_per_suit=5,num_tricks_fixed=3)",
        OH_HELL,
        plies=lambda here: (1, 1 if here.theirs.move_number() else 2),
        observed="state",
        deal=to.in_turn("23456"),
    ),
    Row(
        "oh_hell",
        "oh_hell(players=5,num_cards_per_suit=5,num_tricks_fixed=3)",
        OH_HELL,
        {"n": 5},
        plies=lambda here: (1, 1 if here.theirs.move_number() else 2),
        deal=to.in_turn("23456"),
    ),
    Row("euchre", "euchre", to.euchre, observed="state", deal=to.in_turn()),
    Row(
        "euchre",
        "euchre(stick_the_dealer=false)",
        to.euchre,
        {"stick": False},
        deal=to.in_turn(),
    ),
    *(
        Row(
            "crazy_eights",
            f"crazy_eights(players={n})",
            to.crazy_eights,
            {"n": n, "points": 2},
            forced=("turn_up",),
            observed="observation" if n == 3 else "",
            deal=to.eights_dealt,
        )
        for n in (3, 2)
    ),
    Row(
        "hanabi",
        "hanabi(players=2)",
        to.hanabi,
        {"colours": 5, "ranks": 5, "size": 5, "tokens": 8},
    ),
    Row(
        "hanabi",
        "hanabi(players=3,colors=2,ranks=3,hand_size=2,max_information_tokens=3,max_life_tokens=3)",
        to.hanabi,
        {"n": 3},
        observed="observation",
    ),
    Row(
        "go_fish",
        "go_fish(ranks=4,suits=3,initial_cards=1)",
        to.fish,
        {"ranks": 4, "suits": 3},
    ),
    Row("phantom_tic_tac_toe", "phantom_ttt(obstype=reveal-numturns)", to.line, observed="state"),
    Row(
        "dark_hex",
        "dark_hex(board_size=3,obstype=reveal-numturns)",
        to.hexagon,
        {"width": 3, "height": 3},
        observed="state",
    ),
    Row("phantom_tic_tac_toe", "phantom_ttt_ir(obstype=reveal-numturns)", to.line),
    Row(
        "dark_hex",
        "dark_hex_ir(board_size=3,obstype=reveal-numturns)",
        to.hexagon,
        {"width": 3, "height": 3},
    ),
    Row("liars_dice", "liars_dice_ir", to.dice, {"sides": 6}),
    Row(
        "phantom_go",
        "phantom_go(board_size=3,komi=7.0)",
        to.go,
        {"size": 3},
        observed="observation",
    ),
    Row("tiny_bridge", "tiny_bridge_4p", to.tiny_bridge, observed="state"),
    Row("tiny_bridge_of_two", "tiny_bridge_2p", to.tiny_bridge, observed="state"),
    Row(
        "dealt_leduc",
        "repeated_poker(max_num_hands=3,reset_stacks=true,rotate_dealer=true,"
        f"universal_poker_game_string={LEDUC})",
        to.universal_leduc,
    ),
    Row(
        "negotiation",
        "negotiation",
        hands.negotiation,
        observed="observation",
        drawn=hands.items_drawn,
    ),
    *(
        Row(
            "social_deduction",
            f"social_deduction(players={n},imposters={traitors})",
            hands.deduction,
            {"n": n, "traitors": traitors},
            plies=hands.roles_or_signal,
            observed="state",
        )
        for n, traitors in ((6, 1), (5, 2))
    ),
    Row(
        "bridge",
        "bridge(use_double_dummy_result=false)",
        hands.bridge,
        observed="state",
        deal=hands.bridge_dealt,
    ),
    Row("skat", "skat", hands.skat, observed="observation", deal=hands.skat_dealt),
    Row(
        "cribbage",
        "cribbage",
        hands.cribbage,
        {"short_crib_flush": True},
        observed="observation",
        deal=hands.cribbage_dealt,
    ),
    Row("gin_rummy", "gin_rummy", hands.gin, observed="observation", deal=hands.gin_dealt),
    *(
        Row(
            "tarok",
            f"tarok(players={n},rng_seed=1)",
            hands.tarok,
            {"n": n, "miscounts": True},
            drawn=hands.tarok_drawn,
        )
        for n in (4, 3)
    ),
    Row(
        "dou_dizhu",
        "dou_dizhu",
        hands.dizhu,
        {"keeps_bombs": True},
        deal=hands.dizhu_dealt,
        aside=hands.bomb_on_rocket,
    ),
    Row(
        "colored_trails",
        "colored_trails",
        hands.trails,
        {"boards": hands.trails_boards()},
        observed="state",
    ),
    # one player
    Row("solitaire", "solitaire", hands.klondike),
    Row(
        "catch",
        "catch",
        to.either(to.template(r"Initialized ball to (\d+)", "ball={}", _0=1), to.lower("go({})")),
    ),
    Row(
        "cliff_walking",
        "cliff_walking",
        to.names(RIGHT="walk(E)", UP="walk(N)", LEFT="walk(W)", DOWN="walk(S)"),
    ),
    Row(
        "deep_sea",
        "deep_sea(randomize_actions=false)",
        to.names(LEFT="sink_left", RIGHT="sink_right"),
    ),
    Row(
        "pathfinding",
        "pathfinding(horizon=40)",
        to.names(Stay="stay", Left="walk(W)", Up="walk(N)", Right="walk(E)", Down="walk(S)"),
        {"horizon": 40},
    ),
    Row(
        "stones_and_gems",
        "stones_and_gems",
        to.names(none="stay", up="walk(N)", right="walk(E)", down="walk(S)", left="walk(W)"),
        drawn=lambda _: [],
    ),
    Row("morpion_solitaire", "morpion_solitaire", to.morpion),
    Row(
        "twenty_forty_eight_score",
        "2048",
        to.slide,
        {"size": 4, "goal": 11},
        plies=lambda here: (2, 1) if here.theirs.is_chance_node() else (1, 1),
        aside=merge_left_out,
    ),
    # dice
    Row("pig_hold", "pig(winscore=20)", to.pig),
    Row("maedn", "maedn", to.maedn),
    Row(
        "backgammon",
        "backgammon(scoring_type=full_scoring)",
        to.backgammon,
        plies=lambda here: (
            (1, 1)
            if not here.theirs.is_chance_node()
            else (2, 1)
            if here.theirs.move_number()
            else (3, 1)
        ),
        merges=to.dice_thrown,
    ),
    Row("yacht", "yacht", to.yacht, plies=dice_to_throw),
    # choices at once, over several rounds
    Row(
        "oshi_zumo",
        "oshi_zumo(coins=6,size=2,min_bid=1)",
        BID,
        {"coins": 6, "size": 2, "least": 1},
        forced=("push",),
    ),
    Row(
        "blotto_three_fields",
        "blotto",
        to.template(r"\[(\d+),(\d+),\d+\]", "send({}, {})"),
        {"own": 10, "theirs": 10},
    ),
    *(
        Row(
            "blotto_several",
            f"blotto(players={n},coins={soldiers},fields={fields})",
            to.bars,
            {"n": n, "soldiers": soldiers, "fields": fields},
        )
        for n, soldiers, fields in ((3, 3, 3), (2, 4, 4))
    ),
    *(
        Row(
            "goofspiel",
            f"goofspiel(num_cards=4,points_order={order},returns_type=point_difference)",
            BID,
            {"n": 4, "order": number},
            forced=("offer",),
            pays=lambda lead, _: lead / 2,
        )
        for number, order in ((1, "descending"), (2, "ascending"))
    ),
    Row(
        "goofspiel_by_lot",
        "goofspiel(num_cards=4)",
        to.either(BID, lambda text, here: f"{here.legal[0].partition('=')[0]}={text.split()[-1]}"),
        {"n": 4, "pays": 2},
        forced=("turn_up", "drawn", "offer"),
    ),
    Row(
        "markov_soccer",
        "markov_soccer(horizon=51)",
        to.soccer,
        {"horizon": 50},
        forced=("resolve",),
    ),
    Row(
        "box_pushing",
        "coop_box_pushing(horizon=30)",
        to.boxes_pushed,
        {"horizon": 30},
        forced=("resolve",),
    ),
    Row(
        "laser_tag",
        "laser_tag(horizon=40)",
        to.lasers,
        {"horizon": 40},
        forced=("resolve",),
    ),
    Row(
        "snake",
        "snake(rows=5,columns=6,horizon=20)",
        to.snake,
        {"wide": 6, "high": 5, "horizon": 20},
        forced=("resolve",),
    ),
    Row("capture_the_flag", "capture_the_flag", to.flags, forced=("resolve",)),
    Row(
        "repeated_ten",
        "repeated_game(stage_game=matrix_pd(),num_repetitions=3)",
        to.names(Cooperate="choose(silence)", Defect="choose(defect)"),
    ),
    # boards
    Row(
        "twixt",
        "twixt(board_size=6)",
        to.twixt,
        {"size": 6},
    ),
    Row("chess", "chess", to.san, seats=(1, 0), aside=dead_position),
    Row("antichess", "antichess", to.san, seats=(1, 0), aside=capture_in_passing),
    Row(
        "dark_chess",
        "dark_chess",
        to.dark_san,
        observed="observation",
        seats=(1, 0),
        aside=dead_position,
    ),
    Row(
        "dark_chess",
        "dark_chess(board_size=4)",
        to.dark_san,
        {"size": 4},
        observed="observation",
        seats=(1, 0),
        aside=dead_position,
    ),
    *(
        Row(
            "rbc",
            f"rbc(board_size={size})",
            to.unseen,
            {"size": size, "told": True},
            observed="observation",
            seats=(1, 0),
        )
        for size in (8, 4)
    ),
    *(
        Row(
            "kriegspiel",
            f"kriegspiel(board_size={size})",
            to.unseen,
            {"size": size, "plies": 50, "checks": False},
            observed="observation",
            seats=(1, 0),
            aside=dead_position,
        )
        for size in (8, 4)
    ),
    Row("hive", HIVE, hive.hive, longest=500, aside=hive.pinned),
    Row("crazyhouse", "crazyhouse", to.san, seats=(1, 0)),
    Row("xiangqi", "xiangqi", to.xiangqi, longest=500),
    Row("shogi", "shogi", to.shogi),
    Row(
        "banqi",
        "banqi",
        to.banqi,
        merges=to.banqi_man,
    ),
    Row("checkers_forty", "checkers", to.checkers),
    Row("go_repetition_draws", "go(board_size=5,komi=7.0)", to.go, {"size": 5}, longest=50),
    Row(
        "cursor_go",
        "cursor_go(board_size=3,komi=7.0)",
        hands.cursor,
        {"size": 3, "most": 100},
        aside=hands.repetition,
    ),
    Row("mnk", "mnk(m=5,n=4,k=4)", to.mark_down, {"width": 5, "height": 4, "run": 4}),
    Row("mnk", "gomoku", to.mark_down, {"width": 15, "height": 15, "run": 5}),
    Row("pentago", "pentago", to.pentago),
    Row("havannah", "havannah(board_size=4)", to.template("(.*)", "place({})"), {"base": 4}),
    Row("y", "y(board_size=9)", to.template("(.*)", "place({})"), {"size": 9}),
    Row("clobber", "clobber", to.clobber, {"width": 6, "height": 5}),
    Row(
        "amazons",
        "amazons(board_size=6)",
        to.amazons,
        {"size": 6},
        plies=lambda here: (1, 1 if "Shoot" in action_of(here) else 2),
    ),
    Row("lines_of_action", "lines_of_action", to.lines_of_action),
    Row(
        "ultimate_tic_tac_toe",
        "ultimate_tic_tac_toe",
        to.ultimate,
        plies=lambda here: (1, 2 if "Choose" in action_of(here) else 1),
    ),
    Row(
        "einstein",
        "einstein_wurfelt_nicht",
        to.einstein,
        plies=lambda here: (6, 1) if "Placing" in action_of(here) else (1, 1),
    ),
    Row("oware", "oware", to.oware),
    Row("chinese_checkers", "chinese_checkers(max_moves=60)", to.star, longest=60),
    Row("quoridor", "quoridor(board_size=5)", to.quoridor, {"size": 5, "fences": 3}, longest=100),
]
"""Every game in both systems."""

VARIANTS = {row.peer: row for row in ROWS}


def names_of(peer: str) -> tuple[str, str]:
    """The names by which a game may be asked for: OpenSpiel's, and the file's."""
    return VARIANTS[peer].name, VARIANTS[peer].file


def plays(peer: str, count: int) -> list[Played]:
    """The first plays of a game; knowledge is compared over all of them."""
    known: Knowledge | None = {} if VARIANTS[peer].observed else None
    return [play(VARIANTS[peer], number, known) for number in range(count)]
