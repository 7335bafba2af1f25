"""One play at the terminal, as it stands: its steps, its score, and how it is kept in a file.

In: a game, the position to begin in, steps as they are made. Out: the position, the record that
`--at` takes, and JSON from which the play goes on.
"""

from __future__ import annotations

import json
from pathlib import Path

from gamedsl.cli.score import Score
from gamedsl.game import LoadedGame, state_from_json, state_to_json
from gamedsl.game.contract import Action, JointAction
from gamedsl.game.reading import Step, read_play
from gamedsl.game.writing import written_play
from gamedsl.model import IllegalActionError, State
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.graphs.information import History
from gamedsl.source.files import read_data


class BadRecordError(Exception):
    """A file holds no play of the game; the message says why."""


class Table:
    """A play of one game.

    Attributes:
        root: the position before all steps; steps: what has been done since.
        state: the position now; score: what has been paid.
    """

    def __init__(self, game: LoadedGame, root: State, steps: tuple[Step, ...] = ()) -> None:
        self.game = game
        self.root = root
        self.steps: list[Step] = []
        self.state = root
        self.score = Score(game)
        for _, action in steps:
            self.make(action)

    def make(self, action: Action | JointAction) -> str:
        """Carry out an action, or what chance has drawn; the score in words where it is told."""
        after = self.game.result(self.state, action)
        told = self.score.add(self.state, action, after)
        self.steps.append((self.state, action))
        self.state = after
        return told

    def back_to(self, count: int) -> Table:
        """The play after so many steps."""
        return Table(self.game, self.root, tuple(self.steps[:count]))

    @property
    def history(self) -> History:
        """The play so far, for those who know what they have seen of it."""
        return (*self.steps, (self.state, None))

    @property
    def record(self) -> str:
        """The moves so far, as `--at` takes them."""
        return written_play(self.game, self.steps)

    def saved(self) -> str:
        """The play as JSON."""
        game = self.game
        data: dict[str, object] = {"game": game.name, "parameters": dict(game.parameters)}
        if self.root != game.initial_state():
            data["state"] = state_to_json(game, self.root)
        return json_text({**data, "moves": self.record})


def saved_play(game: LoadedGame, path: Path) -> Table:
    """The play that a file holds. Raises BadRecordError."""
    try:
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
    except IllegalActionError as error:
        raise BadRecordError(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise BadRecordError(f"{path} holds no play: {error}") from error
