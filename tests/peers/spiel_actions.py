"""Actions of OpenSpiel as the files write them, game by game, and common forms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

from tests.peers.spiel_lockstep import Position, Translate

POINTS = "a1 d1 g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7"
"""Of Morris, in order."""


def names(**of: str) -> Translate:
    """OpenSpiel's name of an action -> the file's."""
    return lambda text, here: of[text]


def template(pattern: str, written: str, **adds: int) -> Translate:
    """A pattern of OpenSpiel's text, and the file's text with its groups, `{0}` the first.

    A group that is a number gets a summand by `adds`: `_0=1` is added to the first.
    """
    compiled = re.compile(pattern)

    def translate(text: str, here: Position) -> str:
        found = compiled.fullmatch(text)
        assert found is not None, f"{text!r} is not {pattern}"
        groups = [
            str(int(group) + adds[f"_{place}"]) if f"_{place}" in adds else group
            for place, group in enumerate(found.groups())
        ]
        return written.format(*groups)

    return translate


def either(*ways: Translate) -> Translate:
    """The first translation that knows the text."""

    def translate(text: str, here: Position) -> str:
        for way in ways:
            try:
                return way(text, here)
            except (AssertionError, KeyError):
                continue
        raise AssertionError(f"{text!r} is not known")

    return translate


def one_by_one(*ways: Translate) -> Translate:
    """Several plies of OpenSpiel, which are as many of the file."""

    def translate(text: str, here: Position) -> str:
        parts = text.split("; ")
        return "; ".join(way(part, here) for way, part in zip(ways, parts, strict=True))

    return translate


def high(here: Position) -> int:
    """The rows of the board, by OpenSpiel's parameters."""
    given = here.theirs.get_game().get_parameters()
    names = ("num_rows", "rows", "board_size", "board_height")
    return int(next(given[name] for name in names if name in given))


def cell(text: str, here: Position) -> str:
    """A square in OpenSpiel's letters, with rows that go down, by the file's rows that go up."""
    return f"{text[0]}{high(here) + 1 - int(text[1:])}"


def lower(written: str) -> Translate:
    """OpenSpiel's word in small letters, as the argument of the file's action."""
    return lambda text, here: written.format(text.lower())


def line(text: str, here: Position) -> str:
    row, column = (int(sign) for sign in text[2:-1].split(","))
    return f"mark({'abc'[column]}{3 - row})"


def column(text: str, here: Position) -> str:
    return f"drop({int(text[1]) + 1})"


def breakthrough(text: str, here: Position) -> str:
    """OpenSpiel's first player comes from above."""
    side = ord(text[2]) - ord(text[0])
    begin = f"{text[0]}{9 - int(text[1])}"
    return f"slant({begin}, {'E' if side > 0 else 'W'})" if side else f"step({begin})"


def othello(text: str, here: Position) -> str:
    return "skip" if text == "pass" else f"place({text})"


def hexagon(text: str, here: Position) -> str:
    """OpenSpiel's rows go down."""
    return f"place({text[0]}{high(here) + 1 - int(text[1:])})"


def nim(text: str, here: Position) -> str:
    heap, number = (part.partition(":")[2] for part in text.rstrip(";").split(", "))
    return f"take({heap}, {number})"


def kalah(text: str, here: Position) -> str:
    return f"sow({(int(text) - 1) % 7})"


def boxes(text: str, here: Position) -> str:
    """OpenSpiel counts rows from above: a mirror image, in which boxes are boxes."""
    kind, row, column = text[3:-1].split(",")
    across, up = int(column), int(row)
    return f"flat({across + 1}, {up})" if kind == "h" else f"tall({across}, {up + 1})"


def kuhn(text: str, here: Position) -> str:
    if text.startswith("Deal:"):
        return dealt(here, int(text[5:]))
    names = {"Pass": ("check", "fold"), "Bet": ("bet", "call")}[text]
    return next(name for name in here.legal if name in names)


def leduc(text: str, here: Position) -> str:
    if text.startswith("Chance"):
        return dealt(here, int(text.partition(":")[2]))
    names = {"Call": ("check", "call"), "Raise": ("bet", "raise"), "Fold": ("fold",)}[text]
    return next(name for name in here.legal if name in names)


def universal_leduc(text: str, here: Position) -> str:
    """Leduc poker among the poker games of the ACPC: ranks from 2, with suits."""
    done = text.partition("move=")[2]
    if done.startswith("Deal"):
        return dealt(here, int(done[5]) - 2)
    return leduc({"Bet": "Raise"}.get(done, done), here)


def plans(text: str, here: Position) -> str:
    """An action for each card a player may hold; OpenSpiel deals by the players' order."""
    if here.theirs.is_chance_node():
        return f"{here.legal[0].partition('=')[0]}={int(text[1:]) + 1}"
    return f"act({int(text[-1]) + 1})"


def gambit(text: str, here: Position) -> str:
    return text


def strategy(text: str, here: Position) -> str:
    """OpenSpiel numbers strategies from 0."""
    return str(int(text) + 1)


def dealt(here: Position, rank: int) -> str:
    cell, _, card = here.legal[0].partition("=")
    return f"{cell}={rank + 1 if card.isdigit() else 'JQK'[rank]}"


def dice(text: str, here: Position) -> str:
    if text.startswith("Roll"):
        return here.legal[0].partition("=")[0] + "=" + text[5:]
    number, _, face = text.partition("-")
    return f"say({6 * (int(number) - 1) + int(face)})" if face else "liar"


def morris(text: str, here: Position) -> str:
    """OpenSpiel's points from above, the file's from below: a mirror image."""
    kind, *numbers = text.replace("-> ", "").split()
    points = ", ".join(POINTS.split()[int(number)] for number in numbers)
    return f"go({points})" if kind == "Move" else f"{here.legal[0].partition('(')[0]}({points})"


QUADRANTS = {"s": "b5", "t": "b5", "u": "e5", "v": "e5", "w": "e2", "x": "e2", "y": "b2", "z": "b2"}
"""Of Pentago: the middle; every second letter turns clockwise."""
WAYS = {(1, 0): "E", (-1, 0): "W", (0, 1): "N", (0, -1): "S"}
WAYS |= {(1, 1): "NE", (1, -1): "SE", (-1, 1): "NW", (-1, -1): "SW"}
"""Steps to the right and up -> directions."""


def pentago(text: str, here: Position) -> str:
    square = f"{text[0]}{7 - int(text[1])}"
    return f"place({square}, {QUADRANTS[text[2]]}, {'true' if text[2] in 'tvxz' else 'false'})"


def way(begin: str, end: str) -> tuple[str, int]:
    """The direction from a square to a square on one line, and the number of steps."""
    across, up = ord(end[0]) - ord(begin[0]), int(end[1:]) - int(begin[1:])
    steps = max(abs(across), abs(up))
    return WAYS[across // steps, up // steps], steps


def clobber(text: str, here: Position) -> str:
    return f"go({text[:2]}, {way(text[:2], text[2:])[0]})"


def lines_of_action(text: str, here: Position) -> str:
    return "go({}, {}, {})".format(text[:2], *way(text[:2], text[3:]))


def amazons(text: str, here: Position) -> str:
    """OpenSpiel's rows go down; an amazon is chosen and moved in two plies there."""
    found = re.findall(r"\((\d+), (\d+)\)", text)
    squares = [
        f"{'abcdefghij'[int(across) - 1]}{high(here) + 1 - int(down)}" for down, across in found
    ]
    return f"{'shoot' if 'Shoot' in text else 'go'}({', '.join(squares)})"


def ultimate(text: str, here: Position) -> str:
    """OpenSpiel's rows go down; boards and places are numbered in the order of reading."""
    board, row, column = re.findall(r"\d", text)[-3:]
    places = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    return f"mark({places[int(board)]}, {places[3 * int(row) + int(column)]})"


def einstein(text: str, here: Position) -> str:
    """A placing of all six stones is one outcome there, in the order of permutations."""
    if text.startswith("Placing"):
        order = "a5 b5 c5 a4 b4 a3" if "black" in text else "e3 d2 e2 c1 d1 e1"
        stones = dict(zip(order.split(), PERMUTATIONS[int(text.split()[-1])], strict=True))
        inner = sorted(stones, key=lambda square: (square[1], square[0]))
        return "; ".join(f"number[{square}]={stones[square]}" for square in inner)
    if text.startswith("roll"):
        return f"die={text[-1]}"
    side, (stone, to) = text[0], (text[1], text.partition("-")[2].rstrip("*"))
    drawn = str(here.theirs).split()
    rows = [re.findall(r"\|(..)\|", row) for row in drawn]
    square = next(
        f"{'abcde'[column]}{5 - row}"
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if cell == side.lower() + stone
    )
    ways = {
        "up": "N",
        "down": "S",
        "left": "W",
        "right": "E",
        "diag": "NW" if side == "W" else "SE",
    }
    return f"go({square}, {ways[to]})"


PERMUTATIONS = list(permutations(range(1, 7)))


def oware(text: str, here: Position) -> str:
    return f"sow({'abcdef'.index(text.lower())})"


def morpion(text: str, here: Position) -> str:
    """OpenSpiel's first number is the row from above."""
    points = [(int(column), 12 - int(row)) for row, column in re.findall(r"(\d+),(\d+)", text)]
    squares = [f"{'abcdefghijklm'[column]}{up + 1}" for column, up in points]
    to, _ = way(squares[0], squares[-1])
    begin = squares[0] if to in {"N", "E", "NE", "SE"} else squares[-1]
    opposite = {"S": "N", "W": "E", "SW": "NE", "NW": "SE"}
    return f"join({begin}, {opposite.get(to, to)})"


def quoridor(text: str, here: Position) -> str:
    """The file has squares for cells, slots and posts."""
    size = high(here)
    column, down = "abcdefghi".index(text[0]), int(text[1])
    if text[2:]:
        return f"build({chr(98 + 2 * column)}{2 * (size - down)}, {'N' if text[2] == 'v' else 'E'})"
    square = f"{chr(97 + 2 * column)}{2 * (size - down) + 1}"
    return "stay" if here.legal == ("stay",) else f"go({square})"


def san(text: str, here: Position) -> str:
    """A move of chess in the algebraic notation."""
    text = text.rstrip("+#")
    if text.startswith("O-O"):
        return f"castle({'W' if text.count('O') == 3 else 'E'})"
    if "@" in text:
        return f"drop({KINDS[text[0]]}, {text[2:]})"
    text, _, crown = text.replace("x", "").partition("=")
    kind, text = (text[0], text[1:]) if text[0].isupper() else ("P", text)
    hint, to = text[:-2], text[-2:]
    rows = [
        "".join("." * int(sign) if sign.isdigit() else sign for sign in row)
        for row in str(here.theirs).split()[0].partition("[")[0].split("/")[:8]
    ]
    size = len(rows)
    crowns = f", {KINDS[crown]})" if crown else ")"
    fits = []
    for name in here.legal:
        verb, _, begin = name.partition("(")
        if verb in {"drop", "castle"} or not name.endswith(f"{to}{crowns}"):
            continue
        begin = begin[:2]
        stands = rows[size - int(begin[1])].replace("~", "")["abcdefgh".index(begin[0])]
        if stands.upper() == kind and all(sign in begin for sign in hint):
            fits.append(name)
    return fits[0] if len(fits) == 1 else f"{text} is {fits}"


def dark_san(text: str, here: Position) -> str:
    """A move of chess in the algebraic notation, where one move of the file says all."""
    if text.startswith("O-O"):
        row = here.player * 7 + 1
        return f"go(e{row}, {'c' if text.count('O') == 3 else 'g'}{row}, nothing)"
    legal = tuple(name.replace(", nothing)", ")") for name in here.legal)
    move = san(text, replace(here, legal=legal))
    return move if move.count(",") == 2 else move.replace(")", ", nothing)")


def unseen(text: str, here: Position) -> str:
    """A move of chess by its squares, where the opponent's men are not known."""
    if text.startswith("Sense"):
        return f"look({text[6:]})"
    if text == "pass":
        king = next(name[3:5] for name in here.legal if name[3:5] == name[7:9])
        return f"go({king}, {king}, nothing)"
    if text.startswith("O-O"):
        row = here.player * 7 + 1
        return f"go(e{row}, {'c' if text.count('O') == 3 else 'g'}{row}, nothing)"
    crown = KINDS[text[4].upper()] if text[4:] else "nothing"
    return f"go({text[:2]}, {text[2:4]}, {crown})"


KINDS = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}


def shogi(text: str, here: Position) -> str:
    """USI: files from the right, ranks from the top; `P*5e` a drop, `+` a promotion."""
    squares = [
        f"{chr(106 - int(column))}{9 - 'abcdefghi'.index(row)}"
        for column, row in re.findall(r"(\d)([a-i])", text)
    ]
    if "*" in text:
        kind = SHOGI_MEN[text[0]]
        return f"drop_pawn({squares[0]})" if kind == "pawn" else f"drop({kind}, {squares[0]})"
    return f"{'promote' if text.endswith('+') else 'go'}({', '.join(squares)})"


SHOGI_MEN = {**KINDS, "L": "lance", "N": "knight", "S": "silver", "G": "gold"}


def go(text: str, here: Position) -> str:
    """OpenSpiel writes the colour and the point in the notation of GTP, without the letter i."""
    point = text.split()[1].lower()
    letters = "abcdefghjklmnopqrst"
    return (
        "skip"
        if point == "pass"
        else f"play({'abcdefghijklmnopqrs'[letters.index(point[0])]}{point[1:]})"
    )


def checkers(text: str, here: Position) -> str:
    """OpenSpiel writes where a man comes from and goes to."""
    to, steps = way(text[:2], text[2:])
    return f"{'jump' if steps == 2 else 'step'}({text[:2]}, {to})"


def pig(text: str, here: Position) -> str:
    return {"roll": "roll", "stop": "hold"}.get(text) or f"die={text.split()[-1]}"


STEPS = {"Up": "N", "Down": "S", "Left": "W", "Right": "E"}


def slide(text: str, here: Position) -> str:
    found = re.fullmatch(r"(\d) added to row (\d), column (\d)", text)
    if not found:
        return f"slide({STEPS[text]})"
    tile, row, column = found.groups()
    square = f"{'abcd'[int(column) - 1]}{5 - int(row)}"
    return f"s={square}; tile[{square}]={int(tile) // 2}"


def soccer(text: str, here: Position) -> str:
    if "ball at" in text:
        row, column = re.findall(r"\d", text)
        return f"ball={'abcde'[int(column)]}{4 - int(row)}"
    if "first" in text:
        return f"one={'Ann' if 'A' in text else 'Bob'}"
    return f"choose({text})"


MEN = "general advisor elephant chariot horse cannon soldier"
SIGNS = dict(zip("GAERHCS", MEN.split(), strict=True))


def banqi_man(name: str) -> str:
    """The file draws a number, OpenSpiel a colour and a kind."""
    if not name.startswith("i="):
        return name
    number = int(name[2:]) - 1
    sign = "GAERHCS"[number % 7]
    return f"Reveal:{sign if number < 7 else sign.lower()}"


def banqi(text: str, here: Position) -> str:
    if text.startswith("Reveal"):
        return text
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    squares = [
        f"{'abcdefgh'[column]}{4 - row}"
        for row, column in zip(numbers[::2], numbers[1::2], strict=True)
    ]
    if len(squares) == 1:
        return f"flip({squares[0]})"
    to, steps = way(*squares)
    return f"{'go' if steps == 1 else 'shoot'}({squares[0]}, {to})"


def xiangqi(text: str, here: Position) -> str:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    a, b = (f"{'abcdefghi'[column]}{10 - row}" for row, column in (numbers[:2], numbers[2:]))
    return f"go({a}, {b})"


BOXES = {
    "Ones": "ones",
    "Twos": "twos",
    "Threes": "threes",
    "Fours": "fours",
    "Fives": "fives",
    "Sixes": "sixes",
    "Chance": "any_dice",
    "Four of a Kind": "four",
    "Full House": "full_house",
    "Small Straight": "low",
    "Large Straight": "high",
    "Yacht": "yacht",
}
"""Of Yacht."""


def yacht(text: str, here: Position) -> str:
    """OpenSpiel knows each die, the file how many dice show a face."""
    if text.startswith("Roll"):
        return "; ".join(f"face={face}" for face in text[6:].split(","))
    if text.startswith("Keep"):
        return "keep"
    if text.startswith("Score"):
        return f"write({BOXES[text[9:]]})"
    dice = re.findall(r"\d", str(here.theirs).splitlines()[1])
    again = Counter(dice[int(place)] for place in text.split(": ")[1].split(","))
    return f"throw_again({', '.join(str(again[face]) for face in '123456')})"


def mark_down(text: str, here: Position) -> str:
    """OpenSpiel numbers rows from above."""
    row, column = (int(number) for number in re.findall(r"\d+", text))
    return f"mark({chr(97 + column)}{int(here.game.parameters['height']) - row})"


def battleship(text: str, here: Position) -> str:
    row, column = (int(number) for number in re.findall(r"\((\d), (\d)\)", text)[0])
    square = f"{'abcdefghij'[column]}{high(here) - row}"
    if "shoot" in text:
        return f"shoot({square})"
    placed = here.legal[0][len("place(")]
    return f"place({placed}, {square}, {'E' if 'horizontally' in text else 'S'})"


def blackjack(text: str, here: Position) -> str:
    if text in {"Hit", "Stand"}:
        return text.lower()
    number = 13 * "CDHS".index(text[0]) + "A23456789TJQK".index(text[1]) + 1
    return f"{here.legal[0].partition('=')[0]}={number}"


def bargaining(text: str, here: Position) -> str:
    if text.startswith("Sample"):
        state = here.theirs
        texts = [state.action_to_string(-1, action) for action in state.legal_actions()]
        return f"d={texts.index(text) + 1}"
    numbers = re.findall(r": (\d+)", text)
    return f"propose({', '.join(numbers)})" if numbers else "agree"


def coins(text: str, here: Position) -> str:
    """OpenSpiel numbers what is left to choose: colours by name, squares row by row from above."""
    if not text.isdigit():
        return f"go({text})"
    cell, size = here.legal[0].partition("=")[0], high(here)
    number = int(text)
    if cell.startswith("likes"):
        return f"{cell}={number + 1}"
    return f"{cell}={'abcdefgh'[number % size]}{size - number // size}"


def maedn(text: str, here: Position) -> str:
    if "roll" in text:
        return f"die={text[-2]}"
    if "brings" in text:
        return "enter"
    if "passes" in text:
        return "stay"
    return "leave" if here.legal == ("leave",) else f"go({text.split()[-1]})"


def flags(text: str, here: Position) -> str:
    if "resolves" in text:
        return f"one={'Ann' if text[1] == 'A' else 'Bob'}"
    return f"choose({text.lower()})"


RANKS = "23456789TJQKA"
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def named(suit: str, rank: str) -> str:
    """The name of a card with a rank and a suit: `spades_10`."""
    return f"{SUITS[suit]}_{'10' if rank == 'T' else rank}"


CARDS = {named(suit, rank): (suit, rank) for suit in SUITS for rank in RANKS}
"""The suit and the rank of each named card."""


def card(ranks: str = RANKS) -> Translate:
    """A card as OpenSpiel writes it, with these suits and ranks, by its name: the file has the
    highest ranks."""

    def translate(text: str, here: Position) -> str:
        assert len(text) == 2, text
        suit, rank = text if text[0] in SUITS else text[::-1]
        assert suit in SUITS, text
        card = named(suit, RANKS[ranks.index(rank) - len(ranks)])
        dealt = here.theirs.is_chance_node()
        return f"{here.legal[0].partition('=')[0]}={card}" if dealt else f"play({card})"

    return translate


def in_turn(
    ranks: str = RANKS, *, is_rank_first: bool = False
) -> Callable[[list[list[str]]], list[str]]:
    """Hands of cards -> OpenSpiel's cards, with these ranks, dealt one by one to each player in
    turn."""

    def texts(hands: list[list[str]]) -> list[str]:
        cards = [CARDS[card] for one in zip(*hands, strict=True) for card in one]
        signs = [(suit, ranks[RANKS.index(rank) - len(RANKS)]) for suit, rank in cards]
        return ["".join(pair[::-1] if is_rank_first else pair) for pair in signs]

    return texts


def hearts(text: str, here: Position) -> str:
    ways = ("No Pass", "Left", "Across", "Right")
    if text in ways:
        return f"way={ways.index(text)}"
    return card()(text, here).replace("play", here.legal[0].partition("(")[0])


def twixt(text: str, here: Position) -> str:
    """OpenSpiel's rows go down."""
    square = f"{text[1]}{high(here) + 1 - int(text[2:])}"
    return f"place({square})" if f"place({square})" in here.legal else "swap"


def boxes_pushed(text: str, here: Position) -> str:
    """OpenSpiel's outcomes of chance have the names of actions."""
    if not here.theirs.is_chance_node():
        return f"choose({text.split()[-1]})"
    cell = here.legal[0].partition("=")[0]
    if cell == "one":
        return "one=Ann" if text == "move forward" else "one=Bob"
    return f"{cell}={'true' if text == 'turn left' else 'false'}"


def fish(text: str, here: Position) -> str:
    rank = "abcdefghijklm".index(text[-1]) + 1
    return f"ask({rank})" if text[:-1] else f"{here.legal[0].partition('=')[0]}={rank}"


def lasers(text: str, here: Position) -> str:
    if text.startswith("(spawned"):
        return f"s={['a7', 'g7', 'a1', 'g1'][int(text[-2])]}"
    if "first" in text:
        return f"one={'Ann' if text[1] == 'A' else 'Bob'}"
    acts = {
        "left turn": "turn_left",
        "right turn": "turn_right",
        "move forward": "forward",
        "move backward": "back",
        "step forward and left turn": "forward_left",
        "step forward and right turn": "forward_right",
    }
    return f"choose({acts.get(text, text.replace(' ', '_'))})"


def tiny_bridge(text: str, here: Position) -> str:
    if here.theirs.is_chance_node():
        cards = [4 * "HS".index(text[i]) + "JQKA".index(text[i + 1]) for i in (0, 2)]
        return f"{here.legal[0].partition('=')[0]}={8 * min(cards) + max(cards)}"
    calls = {"Pass": "pass_on", "Dbl": "double_it", "RDbl": "redouble"}
    bids = ["1H", "1S", "1NT", "2H", "2S", "2NT"]
    return calls.get(text) or f"call({bids.index(text) + 1})"


def snake(text: str, here: Position) -> str:
    """OpenSpiel's rows go down, from 0."""
    if text.startswith("Place"):
        row, column = (int(number) for number in re.findall(r"\d+", text))
        return f"fruit={'abcdefghij'[column]}{high(here) - row}"
    return f"go({text.partition(':')[2][0]})"


STAR = [
    (row, low + 2 * place)
    for row, (low, count) in enumerate(
        zip(
            (12, 11, 10, 9, 0, 1, 2, 3, 4, 3, 2, 1, 0, 9, 10, 11, 12),
            (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1),
            strict=True,
        )
    )
    for place in range(count)
]
"""Of the star's squares in OpenSpiel's order: the row from above, and the place in half squares."""


def star(text: str, here: Position) -> str:
    """OpenSpiel's squares are numbered."""
    if text == "Pass":
        return "stop" if "stop" in here.legal else "skip"
    begin, end = (STAR[int(number)] for number in re.findall(r"\d+", text))
    across = (end[1] + end[0] - begin[1] - begin[0]) // 2
    down = end[0] - begin[0]
    way = ("S" if down > 0 else "N" if down < 0 else "") + (
        "E" if across > 0 else "W" if across < 0 else ""
    )
    row, place = begin
    square = f"{'abcdefghijklmnopq'[(place + row) // 2 - 2]}{17 - row}"
    return f"{'hop' if '=>' in text else 'step'}({square}, {way})"


def euchre(text: str, here: Position) -> str:
    if here.legal[0].startswith("dealer"):
        return next(name for name in here.legal if name.startswith(f"dealer={text}"))
    suits = ("Clubs", "Diamonds", "Hearts", "Spades")
    words = {"Pass": "pass_on", "Alone": "decide(true)", "Partner": "decide(false)"}
    words |= {suit: f"call({suit.lower()})" for suit in suits}
    verb = here.legal[0].partition("(")[0]
    return words.get(text) or card()(text, here).replace("play", verb)


def hanabi(text: str, here: Position) -> str:
    """OpenSpiel's text: `(Deal R1)`, `(Play 0)`, `(Reveal player +1 color R)`."""
    words = text[1:-1].split()
    ranks, players = (int(here.game.parameters[name]) for name in ("ranks", "n"))
    match words:
        case "Deal", written:
            card = ranks * "RYGWB".index(written[0]) + int(written[1]) - 1
            return f"{here.legal[0].partition('=')[0]}={card}"
        case ("Play" | "Discard") as word, place:
            return f"{'play' if word == 'Play' else 'put_away'}({int(place) + 1})"
    _, _, offset, kind, sign = words
    names = ("Ann", "Bob", "Cid", "Dan", "Eve")[:players]
    player = names[(here.theirs.current_player() + int(offset)) % len(names)]
    return (
        f"tell_colour({player}, {'RYGWB'.index(sign)})"
        if kind == "color"
        else (f"tell_rank({player}, {sign})")
    )


def eights_dealt(hands: list[list[str]]) -> list[str]:
    """Hands of crazy eights -> OpenSpiel's cards, dealt one by one to each player in turn."""
    return [f"Deal {text}" for text in in_turn()(hands)]


def crazy_eights(text: str, here: Position) -> str:
    words = text.split()
    match words:
        case ["Decide", "Player", number, *_]:
            return f"dealer={('Ann', 'Bob', 'Cid', 'Dan', 'Eve')[int(number)]}"
        case ["Nominate", "suit", sign]:
            return f"name_suit({SUITS[sign]})"
        case ["Deal" | "Play" as word, sign]:
            card = named(*sign)
            return f"{here.legal[0].partition('=')[0]}={card}" if word == "Deal" else f"put({card})"
    return {"Draw": "take", "Pass": "pass_on"}[text]


def dice_thrown(name: str) -> str:
    """`one=3; two=5`, `turn=White; one=3; two=5` -> the throw, whatever the order."""
    if "=" not in name:
        return name
    thrown = re.findall(r"=(\d)", name)
    return f"{'White ' * ('White' in name)}{'Black ' * ('Black' in name)}{min(thrown)}{max(thrown)}"


def backgammon(text: str, here: Position) -> str:
    """OpenSpiel's actions are two digits of base 26, the places of two men, and the order."""
    if text.startswith("chance"):
        thrown = re.findall(r"\d", text.partition("roll")[2])
        mover = "White " * ("X starts" in text) + "Black " * ("O starts" in text)
        return f"{mover}{min(thrown)}{max(thrown)}"
    if text == "Pass":
        return "pass_on"
    number = int(text.split()[0])
    is_low, places = divmod(number, 26 * 26)
    second, first = (
        25 if place == 24 else None if place == 25 else place + 1 if here.player else 24 - place
        for place in divmod(places, 26)
    )
    if second is None:
        return f"{'lower' if is_low else 'higher'}({first})"
    return f"both({'false' if is_low else 'true'}, {first}, {second})"


def bars(text: str, here: Position) -> str:
    """Forces on fields -> the places of the bars in a row of soldiers."""
    places, place = [], 0
    for force in text[1:-1].split(",")[:-1]:
        place += int(force) + 1
        places.append(place)
    return f"send({{{', '.join(map(str, places))}}})"
