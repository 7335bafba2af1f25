"""GTP, version 2 (G. Farnebäck, 2002), for games whose moves put a stone on a point, or pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from gamedsl.bridges.protocols.scores import score
from gamedsl.bridges.protocols.thinking import Mind, Thinker, Thought
from gamedsl.game.game import LoadedGame
from gamedsl.game.play import Sitting
from gamedsl.model.errors import (
    GameRuleError,
    GameSourceError,
    IllegalActionError,
    UnsupportedGameError,
)
from gamedsl.model.model import Model
from gamedsl.model.state import State
from gamedsl.model.values import Square

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""Columns of GTP, without I."""
MOVES_LEFT = 30
"""Moves that the rest of the time on the clock has to suffice for."""
SIZE, KOMI = "size", "komi"
"""Parameters of a file that `boardsize` and `komi` set."""


class GtpError(Exception):
    """A command cannot be carried out; the message is GTP's, where GTP has one."""


class Gtp:
    """One conversation.

    Attributes:
        is_over: whether the other program has asked for the end.
    """

    def __init__(
        self,
        game: LoadedGame,
        with_settings: Callable[[Mapping[str, str]], LoadedGame],
        mind_of: Callable[[LoadedGame], Mind],
        write: Callable[[str], None],
        seconds: float,
        root: State | None = None,
    ) -> None:
        """`with_settings` gives the game with other parameters, `mind_of` a mind for a game;
        `seconds`: the time for a move without a clock; `root`: the first position.

        Raises UnsupportedGameError for a game with other moves.
        """
        _refuse_other_moves(game.model)
        self.is_over = False
        self._with_settings, self._mind_of, self._write = with_settings, mind_of, write
        self._settings: dict[str, str] = {}
        self._seconds, self._clocks = seconds, dict.fromkeys(range(2), seconds)
        self._game, self._root = game, root
        self._thinker = Thinker(mind_of(game))
        self._sitting = Sitting(game, root)
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: f"gamedsl, {self._game.name}",
            "version": self._version,
            "known_command": lambda words: str(
                words[:1] != [] and words[0] in self._commands
            ).lower(),
            "list_commands": lambda words: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._board_size,
            "clear_board": self._clear,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._generate,
            "reg_genmove": self._suggest,
            "undo": self._undo,
            "showboard": lambda words: "\n" + self._game.show(self._sitting.state).rstrip(),
            "final_score": self._final_score,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
        }

    def hear(self, line: str) -> None:
        """Answer a line."""
        words = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0]).split()
        number = words.pop(0) if words and words[0].isdecimal() else ""
        if not words:
            return
        name, *arguments = words
        try:
            if name not in self._commands:
                raise GtpError("unknown command")
            self._write(f"={number} {self._commands[name](arguments)}".rstrip() + "\n")
        except (GtpError, UnsupportedGameError) as error:
            self._write(f"?{number} {error}\n")
        except GameRuleError as error:
            self._write(f"?{number} the rules of the game fail: {error}\n")

    def end(self) -> None:
        """The other program says no more: no search runs between two lines."""

    # --- commands -------------------------------------------------------------------------------

    def _version(self, words: list[str]) -> str:
        from gamedsl.version import __version__

        return __version__

    def _quit(self, words: list[str]) -> str:
        self.is_over = True
        return ""

    def _clear(self, words: list[str]) -> str:
        self._sitting = Sitting(self._game, self._root)
        return ""

    def _board_size(self, words: list[str]) -> str:
        board = self._game.model.board
        assert board is not None, "moves name points"
        if len(words) != 1 or not words[0].isdecimal():
            raise GtpError("boardsize not an integer")
        if (board.width, board.height) != (int(words[0]),) * 2:
            if SIZE not in self._game.parameters or not 1 <= int(words[0]) <= len(COLUMNS):
                raise GtpError("unacceptable size")
            self._set(SIZE, words[0], "unacceptable size")
        return self._clear([])

    def _komi(self, words: list[str]) -> str:
        if len(words) != 1 or not re.fullmatch(r"-?\d{1,4}(\.\d*)?", words[0]):
            raise GtpError("komi not a float")
        whole = float(words[0])
        if KOMI not in self._game.parameters or whole != int(whole):
            raise GtpError(f"{self._game.name} has no komi {words[0]}")
        if self._sitting.steps:
            raise GtpError("komi is set before the first move")
        self._set(KOMI, str(int(whole)), f"{self._game.name} has no komi {words[0]}")
        return self._clear([])

    def _set(self, name: str, value: str, refusal: str) -> None:
        """Play the game with another parameter."""
        settings = {**self._settings, name: value}
        try:
            game = self._with_settings(settings)
        except GameSourceError as error:
            raise GtpError(refusal) from error
        self._game, self._root, self._settings = game, None, settings
        self._thinker = Thinker(self._mind_of(game))

    def _play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise GtpError("invalid color or coordinate")
        self._is_turn_of(words[0])
        self._sitting.make(self._action(words[1]))
        return ""

    def _undo(self, words: list[str]) -> str:
        if not self._sitting.steps:
            raise GtpError("cannot undo")
        self._sitting.back_to(-1)
        return ""

    def _generate(self, words: list[str]) -> str:
        state, action = self._sitting.state, self._best(words)
        self._sitting.make(action)
        return self._vertex(state, action)

    def _suggest(self, words: list[str]) -> str:
        return self._vertex(self._sitting.state, self._best(words))

    def _final_score(self, words: list[str]) -> str:
        if not self._game.is_terminal(self._sitting.state):
            raise GtpError("cannot score: the game is not over")
        return score(self._game, self._sitting.state)

    def _time_settings(self, words: list[str]) -> str:
        main, byo, stones = _numbers(words, 3)
        seconds = byo / stones if stones else main / MOVES_LEFT
        is_untimed = byo > 0 and not stones
        self._clocks = dict.fromkeys(range(2), self._seconds if is_untimed else seconds)
        return ""

    def _time_left(self, words: list[str]) -> str:
        player = _colour(words[0] if words else "")
        left, stones = _numbers(words[1:], 2)
        self._clocks[player] = left / (stones or MOVES_LEFT)
        return ""

    # --- moves ----------------------------------------------------------------------------------

    def _is_turn_of(self, colour: str) -> None:
        """Raises GtpError where the other player is to move, or nobody."""
        player, state = _colour(colour), self._sitting.state
        if self._game.is_terminal(state):
            raise GtpError("illegal move: the game is over")
        if self._game.current_player(state) != player:
            raise GtpError(f"illegal move: {self._game.players[1 - player]!r} is to move")

    def _best(self, words: list[str]) -> int:
        colour = words[0] if len(words) == 1 else ""
        self._is_turn_of(colour)
        thoughts: list[Thought] = []
        self._thinker.begin(
            self._sitting.history, self._clocks[_colour(colour)], lambda _: None, thoughts.append
        )
        self._thinker.wait()
        action = thoughts[0].action
        assert isinstance(action, int), "players take turns"
        return action

    def _action(self, vertex: str) -> int:
        state = self._sitting.state
        if vertex.lower() == "pass":
            for action in self._game.legal_actions(state):
                if "(" not in self._game.action_name(state, action):
                    return action
            raise GtpError("illegal move")
        board = self._game.model.board
        assert board is not None, "moves name points"
        point = re.fullmatch(r"([A-HJ-Z])(\d{1,2})", vertex.upper())
        if point is None:
            raise GtpError("invalid color or coordinate")
        square = board.at(COLUMNS.index(point[1]) + 1, int(point[2]))
        if not isinstance(square, Square):
            raise GtpError("invalid color or coordinate")
        try:
            named = self._game.action_named(state, square.name)
        except IllegalActionError as error:
            raise GtpError("illegal move") from error
        assert isinstance(named, int), "players take turns"
        return named

    def _vertex(self, state: State, action: int) -> str:
        name = self._game.action_name(state, action).partition("(")[2].rstrip(")")
        board = self._game.model.board
        square = board.named.get(name) if board is not None else None
        if square is None or square.column is None:
            return "pass"
        return f"{COLUMNS[square.column - 1]}{square.row}"


def _refuse_other_moves(model: Model) -> None:
    """Raises UnsupportedGameError unless each move names one point of a grid, or is the pass."""
    board = model.board
    squares = set(board.squares) if board is not None and board.is_grid else set()
    passes = [move for move in model.moves if not move.parameters]
    puts = [move for move in model.moves if move.parameters]
    if (
        len(model.players) != 2
        or len(passes) > 1
        or not puts
        or any(
            len(move.parameters) != 1 or not set(move.parameters[0].values.values) <= squares
            for move in puts
        )
    ):
        reason = "GTP writes moves of two players that name one point of a grid, or pass"
        raise UnsupportedGameError(reason, "every game is played by JSON lines")


def _colour(word: str) -> int:
    """The number of the player: Black moves first."""
    colours = {"b": 0, "black": 0, "w": 1, "white": 1}
    if word.lower() not in colours:
        raise GtpError("invalid color or coordinate")
    return colours[word.lower()]


def _numbers(words: list[str], count: int) -> list[int]:
    if len(words) != count or not all(re.fullmatch(r"\d{1,9}", word) for word in words):
        raise GtpError(f"{count} whole numbers are needed")
    return [int(word) for word in words]
