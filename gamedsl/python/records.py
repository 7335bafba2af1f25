"""Plays as records in the manner of PGN, written and read."""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.game.play import Play
from gamedsl.game.reading import read_play
from gamedsl.game.records.pgn import PlayRecord, read_records, written_record
from gamedsl.python.coerce import GivenGame, game_of
from gamedsl.python.matches import Match
from gamedsl.solvers.matches.match import MatchResult
from gamedsl.source.keywords import answering


@answering
def write_pgn(
    game: GivenGame, play: Play | str = "", headers: Mapping[str, str] | None = None
) -> str:
    """A play as a record with headers; a file may hold many records, one after another.

    Chess programs read the records of games with the men of chess, with moves such as `Nf3`. The
    moves of other games are written as after `--at`.

    Args:
        play: a play of `game.play`, or the moves from S0 on.
        headers: further tags, or other values of tags: `{"White": "Ann", "Date": "2026.11.27"}`.

    Raises:
        IllegalActionError: the moves are not legal.
        ValueError: the name of a tag is not one word.
    """
    loaded = game_of(game)
    if isinstance(play, str):
        steps, state = read_play(loaded, loaded.initial_state(), play)
    else:
        steps, state = play.steps, play.state
    return written_record(loaded, steps, state, headers)


@answering
def read_pgn(game: GivenGame, text: str) -> list[PlayRecord]:
    """The records in a text: headers, and the play. Remarks and variations are left out.

    Raises:
        RecordError: a ValueError; a record is broken, or of another game, or not by the rules.
    """
    return read_records(game_of(game), text)


def match_pgn(asked: Match, result: MatchResult) -> str:
    """The games of a match as records; the round is the pair and the game of the pair."""
    game, records = asked.game, []
    for pair in result.pairs:
        for number, played in enumerate(pair.games, 1):
            steps, state = read_play(game, asked.start, " ".join(played.moves))
            seats = zip(game.players, played.seats, strict=True)
            headers = {player.name: asked.names[seat] for player, seat in seats}
            headers["Round"] = f"{pair.number + 1}.{number}"
            records.append(written_record(game, steps, state, headers))
    return "".join(records)
