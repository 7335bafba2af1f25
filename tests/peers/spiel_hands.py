"""Actions of OpenSpiel as the files write them: games of cards, talk and hidden roles."""

from __future__ import annotations

import re
from typing import Any

import pyspiel

from tests.peers.spiel_actions import CARDS, SUITS, named
from tests.peers.spiel_lockstep import Position

NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")


def cell(here: Position) -> str:
    """The variable that chance sets next in the file."""
    return here.legal[0].partition("=")[0]


def deduction(text: str, here: Position) -> str:
    named = [NAMES[int(number)] for number in re.findall(r"\d+", text)]
    words = text.split("_")
    match words:
        case "ASSIGN", *_:
            return "; ".join(f"team[{place}]={name}" for place, name in enumerate(named, 1))
        case "SIGNAL", *_:
            return f"target={named[0]}; suspicious={str(words[-1] == 'SUSPICIOUS').lower()}"
        case ("ACCUSE" | "DEFEND") as word, *_:
            return f"{word.lower()}({named[0]})"
        case "VOTE", *_:
            return f"choose({named[0]})"
    return {"SKIP": "say_nothing", "CLAIM_INNOCENT": "claim_loyalty"}[text]


def roles_or_signal(here: Position) -> tuple[int, int]:
    """OpenSpiel draws all traitors at once, and a signal with what it says."""
    if not here.theirs.is_chance_node():
        return 1, 1
    return (2 if here.theirs.move_number() else int(here.game.parameters["traitors"])), 1


def items_drawn(theirs: Any) -> list[str]:
    """What OpenSpiel has drawn for a negotiation."""
    most, pool, *worth = (
        [int(number) for number in line.partition(": ")[2].split()]
        for line in str(theirs).splitlines()[:4]
    )
    return [
        f"most={most[0]}",
        *(f"pool[{kind}]={count}" for kind, count in enumerate(pool, 1)),
        *(f"values={121 * one[0] + 11 * one[1] + one[2]}" for one in worth),
    ]


def negotiation(text: str, here: Position) -> str:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if "Utterance" in text:
        return f"utter({', '.join(str(number + 1) for number in numbers)})"
    return f"propose({', '.join(map(str, numbers))})" if numbers else "agree"


SUITS_BY_SIGN = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
SIGNS = {suit: sign for sign, suit in SUITS_BY_SIGN.items()}
ACES_LOW = [named(suit, rank) for suit in "CDHS" for rank in "A23456789TJQK"]


def bridge(text: str, here: Position) -> str:
    calls = {"Pass": "pass_on", "Dbl": "double_it", "RDbl": "redouble"}
    if text in calls:
        return calls[text]
    if text[0].isdigit():
        suits = ["♣", "♦", "♥", "♠", "NT"]
        return f"call({5 * (int(text[0]) - 1) + suits.index(text[1:]) + 1})"
    return f"play({SUITS_BY_SIGN[text[0]]}_{text[1:]})"


def bridge_dealt(dealt: list[list[str]]) -> list[str]:
    """Hands of bridge -> OpenSpiel's cards, dealt one by one to each player in turn."""
    cards = [card.partition("_") for one in zip(*dealt, strict=True) for card in one]
    return [SIGNS[suit] + rank for suit, _, rank in cards]


def skat(text: str, here: Position) -> str:
    if text in {"diamonds", "hearts", "spades", "clubs", "grand", "null"}:
        return f"call({text})"
    if text.startswith("unknown"):
        return "pass_on"
    return f"{here.legal[0].partition('(')[0]}({named(*text)})"


def skat_dealt(dealt: list[list[str]]) -> list[str]:
    """Three hands and the skat -> OpenSpiel's cards: three each, the skat, four and three each."""
    one, two, three, skat = dealt
    order = [*one[:3], *two[:3], *three[:3], *skat]
    order += [*one[3:7], *two[3:7], *three[3:7], *one[7:], *two[7:], *three[7:]]
    return ["".join(CARDS[card]) for card in order]


def cribbage(text: str, here: Position) -> str:
    word, *signs = text.split()
    cards = sorted((named(*sign[::-1]) for sign in signs), key=ACES_LOW.index)
    if not cards:
        return "pass_on"
    if word == "Deal":
        return f"{cell(here)}={cards[0]}"
    listed = ", ".join(cards)
    return f"lay_away({{{listed}}})" if len(cards) == 2 else f"lay({listed})"


def cribbage_dealt(dealt: list[list[str]]) -> list[str]:
    """Hands of cribbage -> OpenSpiel's cards, dealt hand by hand."""
    return [f"Deal {''.join(CARDS[card][::-1])}" for hand in dealt for card in hand]


def gin(text: str, here: Position) -> str:
    word = text.partition("Action: ")[2] or text.partition("outcome: ")[2]
    words = {"Draw upcard": "take_up", "Draw stock": "take_stock", "Pass": "pass_on"}
    if word in words or word == "Knock":
        return words.get(word, "knock")
    signs = [(word[place + 1].upper(), word[place]) for place in range(0, len(word), 2)]
    cards = sorted((named(*sign) for sign in signs), key=ACES_LOW.index)
    if here.theirs.is_chance_node():
        return f"{cell(here)}={cards[0]}"
    if len(cards) == 1:
        return f"{'add' if 'Phase: Layoff' in str(here.theirs) else 'put'}({cards[0]})"
    if signs[0][0] == signs[1][0]:
        return f"lay_run({cards[0]}, {len(cards)})"
    rank, suits = cards[0].partition("_")[2], {suit for suit, _ in signs}
    missing = next((f"no_{name}" for suit, name in SUITS.items() if suit not in suits), "four")
    return f"lay_set({missing}_{rank})"


def gin_dealt(dealt: list[list[str]]) -> list[str]:
    """Hands of gin rummy -> OpenSpiel's cards, dealt hand by hand."""
    cards = [CARDS[card] for hand in dealt for card in hand]
    return [f"Chance outcome: {rank}{suit.lower()}" for suit, rank in cards]


def klondike(text: str, here: Position) -> str:
    """OpenSpiel writes the target, an arrow and the card; an empty column has a sign."""
    if text == "kEnd":
        return "stop"
    signs = re.findall(r"([A23456789TJQK])([♠♥♣♦])", text)
    target, *more = [13 * "♠♥♣♦".index(suit) + "A23456789TJQK".index(rank) for rank, suit in signs]
    if text.startswith("Reveal"):
        return f"{cell(here)}={target}"
    if not more:
        is_home = text[0] in "♠♥♣♦"
        return f"bring_home({target})" if is_home else f"move_king({target // 13})"
    is_home = more[0] % 13 > target % 13
    return f"bring_home({more[0]})" if is_home else f"stack({more[0]}, {target})"


def trails_boards() -> list[list[list[object]]]:
    """OpenSpiel's boards of colored trails, as the file's parameter: tiles, chips, squares."""
    game = pyspiel.load_game("colored_trails")
    boards: list[list[list[object]]] = []
    for action in game.new_initial_state().legal_actions():
        state = game.new_initial_state()
        state.apply_action(action)
        rows = re.findall(r"^[A-E]{4}$", str(state), re.M)
        tiles: list[object] = ["ABCDE".index(sign) + 1 for row in rows[::-1] for sign in row]
        chips = re.findall(r"P\d chips: ([A-E]+)", str(state))
        places = re.search(r"Pos: (.*)", str(state))
        assert places is not None
        squares: list[object] = [
            "abcd"[int(place) % 4] + str(4 - int(place) // 4) for place in places[1].split()
        ]
        boards.append([tiles, *([one.count(sign) for sign in "ABCDE"] for one in chips), squares])
    return boards


def trails(text: str, here: Position) -> str:
    if text.startswith("Chance"):
        return f"{cell(here)}={int(text.split()[-1]) + 1}"
    if "Deal" in text:
        return f"take({NAMES[int(text[-1])]})" if text[-1].isdigit() else "take_nothing"
    given, _, wanted = text.partition(": ")[2].partition(" for ")
    if not wanted:
        return "propose_nothing"
    counts = [given.count(sign) - wanted.count(sign) for sign in "ABCDE"]
    return f"propose({', '.join(map(str, counts))})"


def cursor(text: str, here: Position) -> str:
    ways = {"Up": "N", "Down": "S", "Left": "W", "Right": "E"}
    if text in ways:
        return f"shift({ways[text]})"
    return "skip" if text == "Pass" else next(one for one in here.legal if one.startswith("play"))


def repetition(here: Position) -> str:
    """OpenSpiel plays on after a repetition, to a draw; two passes show the draw."""
    if not here.game.is_terminal(here.state) or here.theirs.is_terminal():
        return ""
    later = here.theirs.clone()
    for _ in range(2):
        if not later.is_terminal():
            later.apply_action(later.legal_actions()[-1])
    return "after a repetition OpenSpiel plays on to a draw" * (later.returns() == [0, 0])


LOW_TO_HIGH = "3456789TJQKA2BC"
"""Ranks of dou dizhu; the jokers are written `(BWJ)` and `(CJ)`."""


def dizhu(text: str, here: Position) -> str:
    if text == "Pass":
        return "pass_on"
    if text.startswith("Bid"):
        return f"offer({text[-1]})"
    chain, _, kickers = text.replace("(BWJ)", "B").replace("(CJ)", "C").partition("-")
    ranks = [LOW_TO_HIGH.index(sign) for sign in chain]
    counts = {rank: ranks.count(rank) for rank in ranks}
    low, length, most = ranks[0], len(counts), max(counts.values())
    if kickers:
        singles = sorted((LOW_TO_HIGH.index(sign) for sign in kickers), reverse=True)
        if len(singles) == length:
            return f"wings_{length}({low}, {', '.join(map(str, singles))})"
        return f"wings({low}, {{{', '.join(map(str, sorted({*singles})))}}})"
    if chain == "BC":
        return "rocket"
    if length == 1:
        return f"same({most}, {low})"
    if {*counts.values()} == {most}:
        return f"run({most}, {low}, {length})"
    three = next(rank for rank in counts if counts[rank] == 3)
    other = next(rank for rank in counts if counts[rank] != 3)
    return f"three_and({three}, {counts[other]}, {other})"


def dizhu_dealt(dealt: list[list[str]]) -> list[str]:
    """Three hands and the card turned up -> the card's place in dealing, and the cards."""
    *hands, (shown,) = dealt
    order = [int(card) for one in zip(*hands, strict=True) for card in one]
    names = [
        "CDHS"[card // 13] + LOW_TO_HIGH[card % 13] if card < 52 else ("(BWJ)", "(CJ)")[card - 52]
        for card in order
    ]
    place = order.index(int(shown))
    return [f"Decide first card up position {place}", *(f"Deal {name}" for name in names)]


ROCKET = 26056
"""OpenSpiel's number of both jokers."""


def bomb_on_rocket(here: Position) -> str:
    is_on_rocket = ROCKET in here.theirs.history()[-2:] and not here.theirs.is_terminal()
    lists_more = is_on_rocket and len(here.theirs.legal_actions()) > len(here.legal)
    return "OpenSpiel lets a bomb beat the rocket" * lists_more


def tarok_drawn(theirs: Any) -> list[str]:
    """The hands and the talon that OpenSpiel has dealt."""
    hands = [theirs.player_cards(player) for player in range(theirs.num_players())]
    return [
        *(f"dealt[{place}]={card}" for hand in hands for place, card in enumerate(sorted(hand), 1)),
        *(f"talon[{place}]={card}" for place, card in enumerate(theirs.talon(), 1)),
    ]


TAROKS = "Pagat II III IIII V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX Mond Skis"
TAROK_CARDS = [
    *TAROKS.split(),
    *(
        f"{rank} of {suit}"
        for suit in ("Hearts", "Diamonds", "Spades", "Clubs")
        for rank in [
            *("4321" if suit in {"Hearts", "Diamonds"} else ("7", "8", "9", "10")),
            *("Jack", "Knight", "Queen", "King"),
        ]
    ),
]


def tarok(text: str, here: Position) -> str:
    if text == "Pass":
        return "pass_on"
    if text.startswith("Talon set"):
        return f"choose({text[-1]})"
    if text in TAROK_CARDS:
        card = TAROK_CARDS.index(text)
        verb = next(name.partition("(")[0] for name in here.legal if name.endswith(f"({card})"))
        return f"{verb}({card})"
    words = text.lower().replace(" without", "" if "alat" in text else " without")
    return f"offer({words.replace(' ', '_')})"
