"""Games made hostile, by structure: each token, bracket, number, name and text of a game in turn.

In: the shipped games and small ones. Out: cases, the same ones in the same order every time.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from gamedsl.compiler.module import generate
from gamedsl.game import shipped_games
from gamedsl.model import check
from gamedsl.model.builtins import BUILTINS
from gamedsl.model.symbols.keywords import KEYWORDS
from gamedsl.source.text import source_from_text
from gamedsl.syntax.parse import parse
from gamedsl.syntax.words import SECTIONS, STATEMENTS
from tests.fuzz.texts import TOKEN, WORDS

WHOLE = ("kitchen", "branches", "myerson_poker", "matching_pennies", "tic_tac_toe")
"""Games of which every place is tried; of the others some are."""
PLACES = 2
"""Places of each kind that are tried in the other games."""
DEEP = 1_000
DIGITS = 5_000
"""More than Python turns into a text, or a text into a number, unless it is told to."""
HUGE = ("99999", "1" + "0" * 30, "9" * DIGITS)

PART = re.compile(r'#[^\n]*|"[^"\n]*"|' + TOKEN.pattern)
NAME = re.compile(r"[^\W\d]\w*")
BRACKETS = {"(": ")", "[": "]", "{": "}"}

MARKUP = (
    "<script>alert(1)</script>", "]]></svg>", "&amp;&copy;&#0;", "`code` **bold** [x](y) ![z](y)",
    r"\<img src=x onerror=alert(1) x=>", "- item", "1. item", "+ item", "=====", "~~~", "    code",
    "``` a | b", "http://example.org <http://example.org>", "`<b>` and ` alone", r"\* a_b_ \_c_",
    r"\end{document}\input{/etc/passwd}", r"\end{verbatim}", "$x_1^2$ %{}~#", '\\" ];}', "'", "--",
    "::error::x%0A", "{0} %s ${HOME}", "\x1b[2J\x1b]0;title\x07", "\x08\x08", "\x00", "\u202ea",
    "\u2066", "😀", "a\u0301" * 50, "\ufeff", "\ufffe\uffff", "\u200b", "x" * 10_000, "",
)  # fmt: skip
"""What may stand in a text, and means something elsewhere."""

SPELLINGS = ("é", "ﬁn", "𝐱", "ª", "名前", "a\u0301", "x" * 300, "_", "__", "__class__", "_1")
"""Names that are written in another way than most."""

KITCHEN = """\
# Some of everything.
game "Kitchen"
param n = 3
param odds = 1/4
players Ann, Bob
type Mood = calm | wild
board n wide 2 high wrap wide
directions N, E, S, W

state:
    cell[square]: empty | players = diagram
        Ann . .
        .   . Bob
    mood: Mood = calm
    hand[p in players]: 0..9 = 2*n
    passes: 0..2 = 0
    left[1..2]: 0..n = n

def free = {s for s in square where cell[s] == empty}
def worth(p) = count(cell[s] == p for s in square) - passes if mood == wild else rest_of(1) // 2
def rest_of(k) = sum(left[i] for i in k..2)

effect settle(s, p):
    cell[s] = p
    for q in neighbours(s) where cell[q] == other(p): cell[q] = p

setup:
    chance mood in {calm: odds, wild: 1 - odds}
    left[1], left[2] = 2, 1

move put(s in square, k in 1..2 where left[k] > 0):
    require cell[s] == empty and (row(s) == 1 or not mood == wild)
    settle(s, turn)
    let rest = left[k] - 1
    if rest >= 2: left[k] = 0
    elif rest == 1 or passes > 0:
        left[k] = rest
    else:
        left[k] -= 1
    passes = 0

move pass:
    require passes < 2
    passes += 1

end:
    if full(cell) or passes == 2: payoff Ann: worth(Ann) / 2, Bob: -worth(Ann) * 1/2
    if stuck: turn loses

repeat cell 3 times: draw
endless: draw
evaluate p: worth(p) - worth(other(p))

expect perft 1: 14
"""
TREE = """\
game "Branches"
param a = 1/3
players Max, Min

tree:
    chance:
        1/2 heads -> Max [first]: left -> (1, -1), right -> Min: up -> (a, -a), down -> (-2, 2)
        1/4 tails -> Max [first]:
            left  -> 0
            right -> (2*a, 0)
        (1 - 3/4) edge -> (0, 0)

expect plays: 6
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A text that a user might hand in, and where it comes from."""

    name: str
    text: str


def cases() -> Iterator[Case]:
    """All cases."""
    for title, text in games().items():
        parts = PART.findall(text)
        for number, change in enumerate(CHANGES):
            found = list(change(parts))
            is_whole = title in WHOLE and not (change is names and title != "kitchen")
            step = 1 if is_whole else max(1, len(found) // PLACES)
            for kind, changed in found[(len(text) + number) % step :: step]:
                yield Case(f"{title}: {kind}", changed)
    yield from (Case(title, text) for title, text in by_hand())


@cache
def games() -> dict[str, str]:
    """The games that are changed, by title."""
    shipped = {path.stem: path.read_text("utf-8") for path in shipped_games()}
    return {"kitchen": KITCHEN, "branches": TREE, **shipped}


# --- changes -----------------------------------------------------------------------------------


def tokens(parts: list[str]) -> Iterator[tuple[str, str]]:
    """Each token deleted, doubled, and swapped with the next one."""
    places = [number for number, part in enumerate(parts) if _is_token(part)]
    for place, following in zip(places, [*places[1:], None], strict=True):
        at = f"token {place} ({parts[place]})"
        yield f"{at} deleted", _with(parts, place, "")
        yield f"{at} doubled", _with(parts, place, f"{parts[place]} {parts[place]}")
        if following is not None:
            swapped = [*parts]
            swapped[place], swapped[following] = parts[following], parts[place]
            yield f"{at} swapped", "".join(swapped)


def brackets(parts: list[str]) -> Iterator[tuple[str, str]]:
    """Each bracket nested deep, closed and not."""
    for place, part in enumerate(parts):
        if part in BRACKETS:
            deep = _with(parts, place, part * DEEP)
            yield f"bracket {place} opened {DEEP} times", deep
            closing = _closing(parts, place)
            if closing is not None:
                nested = [*parts]
                nested[place], nested[closing] = part * DEEP, BRACKETS[part] * DEEP
                yield f"bracket {place} nested {DEEP} deep", "".join(nested)


def numbers(parts: list[str]) -> Iterator[tuple[str, str]]:
    """Each number made huge."""
    for place, part in enumerate(parts):
        if part[0].isdigit():
            for huge in HUGE:
                written = part.replace(part.partition(".")[0], huge, 1)
                yield f"number {place} of {len(huge)} digits", _with(parts, place, written)
            yield f"number {place} with many decimals", _with(parts, place, "0." + "3" * DIGITS)


def texts(parts: list[str]) -> Iterator[tuple[str, str]]:
    """Each comment and title with what means something elsewhere."""
    for place, part in enumerate(parts):
        if part[0] in '"#':
            is_title = part[0] == '"'
            for number, markup in enumerate(MARKUP):
                if is_title or number == place % len(MARKUP):
                    written = part[0] + markup + '"' * is_title
                    yield f"text {place} markup {number}", _with(parts, place, written)


def names(parts: list[str]) -> Iterator[tuple[str, str]]:
    """Each name of the game replaced, everywhere, by words that mean something elsewhere."""
    own = sorted({p for p in parts if NAME.fullmatch(p) and p not in _known_words()})
    words = hostile_names()
    for number, word in enumerate(words if own else ()):
        name = own[number % len(own)]
        yield f"{name} named {word}", "".join(word if part == name else part for part in parts)


@cache
def hostile_names() -> tuple[str, ...]:
    """Words of Python, those that generated code uses, and unusual spellings."""
    used = set[str]()
    for title in ("kitchen", "tic_tac_toe"):
        model, _ = check(parse(source_from_text(games()[title]))[0])
        assert model is not None
        for name in NAME.findall(generate(model).source):
            used.add(re.sub(r"\d+", "1", name))
    words = {*keyword.kwlist, *keyword.softkwlist, *used, *SPELLINGS}
    return tuple(sorted(words | {name for name in dir(builtins) if name.islower()}))


@cache
def _known_words() -> frozenset[str]:
    return frozenset({*KEYWORDS, *BUILTINS, *SECTIONS, *STATEMENTS, *WORDS} - {"n", "A", "B", "X"})


def _is_token(part: str) -> bool:
    return not part.isspace() and part[0] != "#"


def _with(parts: list[str], place: int, written: str) -> str:
    return "".join((*parts[:place], written, *parts[place + 1 :]))


def _closing(parts: list[str], place: int) -> int | None:
    level = 0
    for later in range(place, len(parts)):
        level += (parts[later] in BRACKETS) - (parts[later] in BRACKETS.values())
        if level == 0:
            return later
    return None


CHANGES = (tokens, brackets, numbers, texts, names)


# --- by hand -----------------------------------------------------------------------------------

GAME = """\
players A, B
state:
    s: 0..9 = 0
{}
move go:
    require s < 9
{}
    s += 1
end:
    if s == 9: {}
"""
PLAIN = GAME.format("", "", "draw")


def by_hand() -> Iterator[tuple[str, str]]:
    """What fell through once: long, wide or deep in a way that no change above makes."""
    for count in (19, 99, 1_000):
        chain = "    if s == 10: s = 0\n" + "    elif s == 11: s = 1\n" * count
        yield f"elif chain of {count}", GAME.format("", chain, "A wins")
        terms = " and ".join(["s < 9"] * count)
        yield f"and chain of {count}", GAME.format("", f"    require {terms}", "A wins")
        total = " + ".join(["s"] * count)
        yield f"sum of {count}", GAME.format("", f"    require {total} < {9 * count}", "A wins")
        chosen = " 1 if s == 0 else" * count + " 2"
        yield f"else chain of {count}", GAME.format(f"def d ={chosen}", "    require d > 0", "draw")
        chained = "\n".join(f"def d{n + 1} = d{n} + s" for n in range(count))
        yield (
            f"defs of {count} levels",
            GAME.format(f"def d0 = s\n{chained}", f"    require d{count} >= 0", "A wins"),
        )
        blocks = "\n".join("    " * (n + 1) + f"if s < {n + 10}:" for n in range(count))
        blocks += "\n" + "    " * (count + 1) + "s = 1"
        yield f"blocks of {count} levels", GAME.format("", blocks, "A wins")
        loops = "    " + "for x in 1..1: " * count + "s = 1"
        yield f"loops of {count} levels", GAME.format("", loops, "A wins")
        below = ", ".join(f"m{n} -> {n}" for n in range(count))
        yield f"tree of {count} branches", f"players A, B\ntree:\n    A: {below}\n"
        deep = "A: a -> 1, b -> " * count + "2"
        yield f"tree of {count} levels", f"players A, B\ntree:\n    {deep}\n"
        twice = f"def f(n in 0..{count}) = s if n == 0 else f(n-1) + f(n-1)"
        yield f"calls of {count} levels", GAME.format(twice, "    require f(9) >= 0", "A wins")
        moves = "\n".join(f"move m{n}: s = 1" for n in range(count))
        yield f"{count} moves", GAME.format(moves, "", "A wins")
        people = ", ".join(f"P{n}" for n in range(count))
        yield f"{count} players", PLAIN.replace("A, B", people)
    digits = "9" * DIGITS
    for claim in ("value", "plays", "perft 2", f"perft {digits}", "longest", "best", "states"):
        for value in (digits, f"-{digits}", f"{digits}/{digits}8", f"0.{digits}", f"{digits}.5"):
            yield f"claim {claim} {value[:3]}", PLAIN + f"expect {claim}: {value}\n"
    for value in (digits, f"{digits}/{digits}8", f"0.{digits}", f"{digits}.5", "2 - " + digits):
        yield f"payoff {value[:3]}", GAME.format("", "", f"payoff A: {value}, B: 0")
        yield f"wins {value[:3]}", GAME.format("", "", f"A wins {value}")
        yield f"evaluate {value[:3]}", PLAIN + f"evaluate A: {value}\n"
        paying = GAME.format("", "    reward A: s", "draw")
        yield f"discount {value[:3]}", f"{paying}discount = {value}\n"
        yield f"reward {value[:3]}", GAME.format("", f"    reward A: {value}", "draw")
        yield f"leaf {value[:3]}", f"players A, B\ntree:\n    A: a -> {value}, b -> 0\n"
        yield (
            f"weight {value[:3]}",
            f"players A, B\ntree:\n    chance:\n        {value} a -> 1\n        1/2 b -> 0\n",
        )
        yield (
            f"chance {value[:3]}",
            GAME.format("", f"    chance s in {{0: {value}, 1: 1 - {value}}}", "draw"),
        )
        yield f"power {value[:3]}", "param p = " + "*".join([value] * 20) + "\n" + PLAIN
    yield "many errors", "\n".join(["move move move"] * 3_000)
    yield "long line", "# " + "x" * 10**6 + "\n" + PLAIN
    yield "no line end", PLAIN.rstrip()
    yield "other line ends", PLAIN.replace("\n", "\r\n")
    yield "old line ends", PLAIN.replace("\n", "\r")
    yield "nothing", ""
    yield "includes nothing", 'include ""\n'
    yield "includes itself", 'include "case.game"\n'
    yield "includes a folder", 'include "."\n'
    yield "includes a device", 'include "/dev/zero"\n'
