"""Plays with headers, in the manner of PGN: "Portable Game Notation" (S. Edwards, 1994).

A record has tag pairs, the moves with numbers, and the result. Chess programs read the records of
games with the men of chess. In other games moves are written as after `--at`; the tags of players
are their names in the rules; a result other than a win or a draw of two is the payoffs in turn
order, `3:-3`, or `=3` of a single player. Moves are numbered by the turns of the first player. A
text may hold several records.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from textwrap import wrap

from gamedsl.game.encoding import state_from_json, state_to_json
from gamedsl.game.game import LoadedGame
from gamedsl.game.paid import payoffs_of
from gamedsl.game.play import Play
from gamedsl.game.reading import Step, read_play
from gamedsl.game.writing import written_play
from gamedsl.model.errors import IllegalActionError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.source.records import dataclass

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
"""The first tags of PGN, with the values for unknown."""
GAME, PARAMETERS, RESULT, SETUP, STATE = "Game", "Parameters", "Result", "SetUp", "State"
UNFINISHED, DRAWN = "*", "1/2-1/2"
WIDTH = 80
"""Columns of a line of moves."""

_TAG = re.compile(r'\[\s*([A-Za-z]\w*)\s+"((?:[^"\\\n]|\\.)*)"\s*\]')
_REMARK = re.compile(r"\{[^}]*\}|;[^\n]*|\$\d+(?!\S)|\((?=\s|\d+\.)")
"""What may stand between moves: remarks, codes of comments, variations."""
_NUMBER = re.compile(r"\d+\.+")
_PAYOFF = r"-?\d+(?:/\d+)?"
_RESULT = re.compile(rf"\*|1-0|0-1|1/2-1/2|{_PAYOFF}(?::{_PAYOFF})+|={_PAYOFF}")


class RecordError(ValueError):
    """A text is no record of a game; the message says the line and the reason."""


@dataclass(frozen=True, slots=True)
class PlayRecord:
    """A play with its headers.

    Attributes:
        headers: the tags by name, in order.
        play: the play.
    """

    headers: Mapping[str, str]
    play: Play


def written_record(
    game: LoadedGame,
    steps: Sequence[Step],
    state: State,
    headers: Mapping[str, str] | None = None,
) -> str:
    """A play as a record, which ends with an empty line.

    Args:
        steps: the steps of the play; `state`: the state after the last step.
        headers: further tags, or other values for tags: `{"White": "Ann", "Event": "club"}`.

    Raises:
        ValueError: the name of a tag is no word of letters, digits and `_`.
    """
    payoffs = payoffs_of(game, steps, state)
    tags = {**ROSTER, **{player.name: "?" for player in game.players}}
    tags |= {RESULT: _result(payoffs), GAME: game.name}
    if game.settings:
        tags[PARAMETERS] = _settings(game)
    root = steps[0][0] if steps else state
    if root != game.initial_state():
        named = game.notation
        tags |= (
            {STATE: json.dumps(state_to_json(game, root))}
            if named is None
            else {SETUP: "1", named.name: named.position(root)}
        )
    tags |= dict(headers or {})
    wrong = next((name for name in tags if not re.fullmatch(r"[A-Za-z]\w*", name)), None)
    if wrong is not None:
        raise ValueError(f"the name of a tag is one word, not {wrong!r}")
    moves = " ".join((*_numbered(game, steps), tags[RESULT]))
    lines = [f'[{name} "{_escaped(text)}"]' for name, text in tags.items()]
    return "\n".join([*lines, "", *wrap(moves, WIDTH, break_long_words=False), "", ""])


def read_records(game: LoadedGame, text: str) -> list[PlayRecord]:
    """The records in a text.

    Raises:
        RecordError: a record is broken, of another game, or not by the rules.
    """
    records = [_read(game, *section) for section in _sections(text)]
    if not records and text.strip():
        raise RecordError('line 1: a record begins with tags: [Event "?"]')
    return records


# --- writing -------------------------------------------------------------------------------------


def _settings(game: LoadedGame) -> str:
    """The parameters that were given to the game."""
    return ", ".join(f"{name}={game.parameters[name]}" for name in game.settings)


def _result(payoffs: tuple[Fraction, ...] | None) -> str:
    if payoffs is None:
        return UNFINISHED
    texts = tuple(map(str, payoffs))
    single = f"={texts[0]}" if len(texts) == 1 else ":".join(texts)
    usual = {"1:-1": "1-0", "-1:1": "0-1", "0:0": DRAWN}
    return usual.get(single, single)


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("\\", r"\\").replace('"', r"\"")


def _numbered(game: LoadedGame, steps: Sequence[Step]) -> Iterator[str]:
    """The moves, and the number of each turn of the first player."""
    number, last = 0, -1
    for place, (text, (state, _)) in enumerate(zip(_words(game, steps), steps, strict=True)):
        mover = game.current_player(state)
        if mover != CHANCE:
            if mover in (0, SIMULTANEOUS) and (last != 0 or len(game.players) == 1):
                number += 1
                yield f"{number}."
            elif not number:
                number = 1
                yield "1..."
            last = -1 if mover == SIMULTANEOUS else mover
        elif not place:
            yield "1."  # chance begins
            number, last = 1, 0 if _first_mover(game, steps) == 0 else -1
        yield text


def _first_mover(game: LoadedGame, steps: Sequence[Step]) -> int:
    movers = (game.current_player(state) for state, _ in steps)
    return next((mover for mover in movers if mover != CHANCE), 0)


def _words(game: LoadedGame, steps: Sequence[Step]) -> list[str]:
    """The moves in the game's notation, or as short as can be read back, or by their names."""
    if not steps:
        return []
    names = [game.action_name(*step) for step in steps]
    for words in (_in_notation(game, steps), [written_play(game, [step]) for step in steps]):
        if words is None or any(_REMARK.match(word) for word in words):
            continue
        try:
            if read_play(game, steps[0][0], " ".join(words))[0] == tuple(steps):
                return words
        except IllegalActionError:
            continue
    return names


def _in_notation(game: LoadedGame, steps: Sequence[Step]) -> list[str] | None:
    named = game.notation
    if named is None:
        return None
    words = [named.san_with_check(state, a) for state, a in steps if isinstance(a, int)]
    return None if None in words else [word for word in words if word is not None]


# --- reading -------------------------------------------------------------------------------------


def _sections(text: str) -> Iterator[tuple[int, dict[str, str], str]]:
    """The records: the number of the first line, the tags, and the moves."""
    tags: dict[str, str] = {}
    moves: list[str] = []
    start = 1
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        tag = _TAG.fullmatch(line.strip())
        if tag is None:
            if line.strip() and not line.startswith("%"):
                if not tags:
                    raise RecordError(f'line {number}: a record begins with tags: [Event "?"]')
                if line.startswith("[") and not moves:
                    raise RecordError(f'line {number}: a tag is [NAME "TEXT"], not {line.strip()}')
                moves.append(line)
            continue
        if moves:
            yield start, tags, "\n".join(moves)
            tags, moves = {}, []
        start = start if tags else number
        tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
    if tags:
        yield start, tags, "\n".join(moves)


def _read(game: LoadedGame, line: int, tags: dict[str, str], moves: str) -> PlayRecord:
    place = f"the record of line {line}"
    if tags.get(GAME, game.name) != game.name:
        raise RecordError(f"{place} is a play of {tags[GAME]}, not of {game.name}")
    if GAME in tags and tags.get(PARAMETERS, "") != _settings(game):
        stated, known = (
            text or "no parameters" for text in (tags.get(PARAMETERS), _settings(game))
        )
        raise RecordError(f"{place} has {stated}; the game was loaded with {known}")
    try:
        root = _root(game, tags)
        steps, state = read_play(game, root, _plain(moves))
    except (IllegalActionError, ValueError) as error:
        raise RecordError(f"{place}: {error}") from error
    names = tuple(game.action_name(*step) for step in steps)
    return PlayRecord(tags, Play(steps, names, state, payoffs_of(game, steps, state)))


def _root(game: LoadedGame, tags: Mapping[str, str]) -> State:
    named = game.notation
    if STATE in tags:
        return state_from_json(game, json.loads(tags[STATE]))
    if named is not None and named.name in tags:
        return named.state(tags[named.name])
    return game.initial_state()


def _plain(moves: str) -> str:
    """The moves alone: without numbers, remarks, variations and the result."""
    words, at = [], 0
    while at < len(moves):
        if moves[at].isspace():
            at += 1
            continue
        remark = _REMARK.match(moves, at)
        if remark is not None:
            at = _behind(moves, at) if remark[0] == "(" else remark.end()
            continue
        end = _end_of_word(moves, at)
        words.append(_unnumbered(moves[at:end]))
        at = end
    words = [word for word in words if word]
    if words and _RESULT.fullmatch(words[-1]):
        words.pop()
    return " ".join(words)


def _end_of_word(moves: str, at: int) -> int:
    """The end of a word; blanks within brackets belong to the word."""
    depth = 0
    for place in range(at, len(moves)):
        if moves[place].isspace() and depth <= 0:
            return place
        depth += (moves[place] in "([{") - (moves[place] in ")]}")
    return len(moves)


def _unnumbered(word: str) -> str:
    """A word without the number of the move: `e4` for `1.e4`, and nothing for `1.`."""
    number = _NUMBER.match(word)
    return word if number is None else word[number.end() :]


def _behind(moves: str, at: int) -> int:
    """The place behind a variation, with variations inside."""
    depth = 0
    for place in range(at, len(moves)):
        depth += (moves[place] == "(") - (moves[place] == ")")
        if not depth:
            return place + 1
    return len(moves)
