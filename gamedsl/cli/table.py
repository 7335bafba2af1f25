"""A play at the terminal: steps, score, and storage in a file.

The record is accepted by `--at`; a file of JSON, or of PGN, lets the play continue.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from gamedsl.cli.score import Score
from gamedsl.game import LoadedGame, state_from_json, state_to_json
from gamedsl.game.contract import Action, JointAction
from gamedsl.game.play import Sitting
from gamedsl.game.reading import Step, read_play
from gamedsl.game.records.pgn import RecordError, read_records, written_record
from gamedsl.game.writing import written_play
from gamedsl.model import IllegalActionError, State
from gamedsl.reports.json_text import json_text
from gamedsl.source.files import read_data
from gamedsl.source.plurals import count

PGN = ".pgn"
"""The end of the name of a file with headers."""


class BadRecordError(Exception):
    """A file holds no play of the game; the message gives the reason."""


class Table(Sitting):
    """A play of a game.

    Attributes:
        score: the rewards paid so far.
        told: the score in words after the last step, if public and changed.
    """

    game: LoadedGame

    def __init__(self, game: LoadedGame, root: State, steps: Iterable[Step] = ()) -> None:
        self.score, self.told = Score(game), ""
        super().__init__(game, root, steps)

    def make(self, action: Action | JointAction) -> None:
        """Carry out an action or a chance outcome, and count its rewards."""
        before = self.state
        super().make(action)
        self.told = self.score.add(before, action, self.state)

    @property
    def record(self) -> str:
        """The moves so far, in the notation of `--at`."""
        return written_play(self.game, self.steps)

    def saved(self, path: Path, headers: Mapping[str, str]) -> str:
        """The play as text for a file: as JSON, or with headers if the file ends in `.pgn`."""
        game = self.game
        if path.suffix == PGN:
            return written_record(game, self.steps, self.state, headers)
        data: dict[str, object] = {"game": game.name, "parameters": dict(game.parameters)}
        if self.root != game.initial_state():
            data["state"] = state_to_json(game, self.root)
        return json_text({**data, "moves": self.record}) + "\n"


def saved_play(game: LoadedGame, path: Path) -> Table:
    """The play in a file. Raises BadRecordError."""
    try:
        if path.suffix == PGN:
            return _table_of_record(game, path)
        data = json.loads(read_data(path))
        if not isinstance(data, dict) or not isinstance(data.get("moves"), str):
            raise BadRecordError(f"{path} holds no play that `save` has written")
        settings = data.get("game"), data.get("parameters")
        if settings != (game.name, dict(game.parameters)):
            raise BadRecordError(f"{path} holds a play of another game, or with other parameters")
        state = data.get("state")
        root = game.initial_state() if state is None else state_from_json(game, state)
        return Table(game, root, read_play(game, root, data["moves"])[0])
    except OSError as error:
        raise BadRecordError(f"{path} cannot be read: {error.strerror}") from error
    except (IllegalActionError, RecordError) as error:
        raise BadRecordError(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise BadRecordError(f"{path} holds no play: {error}") from error


def _table_of_record(game: LoadedGame, path: Path) -> Table:
    """The only play of a file in PGN. Raises BadRecordError."""
    records = read_records(game, read_data(path))
    if len(records) != 1:
        raise BadRecordError(f"{path} holds {count(len(records), 'play')}; a play is wanted")
    play = records[0].play
    root = play.steps[0][0] if play.steps else play.state
    return Table(game, root, play.steps)
