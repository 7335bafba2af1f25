"""The protocol of JSON lines: a request a line, an answer a line (`docs/engines_and_guis.md`).

Every game can be played by it, also with chance, secrets and choices at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from gamedsl.bridges.protocols.thinking import Thinker, Thought
from gamedsl.game.encoding import SCHEMA_VERSION, state_from_json, state_to_json
from gamedsl.game.game import LoadedGame
from gamedsl.game.play import Sitting
from gamedsl.game.steps import drawn_outcome
from gamedsl.game.writing import written_play
from gamedsl.model.errors import GameRuleError, IllegalActionError, UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.source import nearest

Answer = dict[str, Any]
LONGEST_LINE = 1_000_000
"""Limit on the characters of a line, of any protocol."""
LONGEST_THOUGHT = 86_400.0
"""Most seconds for a move."""
REQUESTS = ("hello", "new", "play", "undo", "draw", "position", "best", "stop", "quit")


class RequestError(ValueError):
    """A request cannot be answered; the message says why."""


class JsonLines:
    """One conversation.

    Attributes:
        is_over: whether the other program has asked for the end.
    """

    def __init__(
        self,
        game: LoadedGame,
        thinker: Thinker,
        write: Callable[[str], None],
        seconds: float,
        rng: Random,
        root: State | None = None,
    ) -> None:
        """`seconds`: the time for a move where the request names none; `root`: a first position."""
        self.is_over = False
        self._game, self._thinker, self._write = game, thinker, write
        self._seconds, self._rng = seconds, rng
        self._root = root
        self._sitting = Sitting(game, root)

    def hear(self, line: str) -> None:
        """Answer a line."""
        if not line.strip():
            return
        number: object = None
        try:
            request = _request(line)
            number = request.get("id")
            self._answer(request, number)
        except (RequestError, IllegalActionError) as error:
            self._say({"error": str(error)}, number)
        except GameRuleError as error:
            self._say({"error": f"the rules of the game fail here: {error}"}, number)
        except UnsupportedGameError as error:
            self._say({"error": f"not supported: {error}"}, number)

    def end(self) -> None:
        """The other program says no more: the search that still runs may end."""
        if self._thinker.is_endless:
            self._thinker.stop()
        self._thinker.wait()

    def _say(self, answer: Answer, number: object) -> None:
        numbered = {} if number is None else {"id": number}
        self._write(json.dumps({**numbered, "ok": "error" not in answer, **answer}))

    def _answer(self, request: Mapping[str, Any], number: object) -> None:
        wanted = request.get("do")
        if wanted == "stop":
            self._thinker.stop()
            return
        self._thinker.wait()
        match wanted:
            case "hello":
                self._say(self._hello(), number)
            case "new":
                root = self._given_state(request.get("state"))
                self._sitting = Sitting(self._game, root)
                self._say(self._position(), number)
            case "play":
                self._sitting.read(_text(request, "moves"))
                self._say(self._position(), number)
            case "undo":
                if not self._sitting.steps:
                    raise RequestError("no move has been made")
                self._sitting.back_to(-1)
                self._say(self._position(), number)
            case "draw":
                self._draw()
                self._say(self._position(), number)
            case "position":
                self._say(self._position(), number)
            case "best":
                self._begin(_seconds(request, self._seconds), number)
            case "quit":
                self.is_over = True
                self._say({}, number)
            case _:
                near = nearest(str(wanted), REQUESTS)
                hint = f"; did you mean {near!r}?" if near else f": {', '.join(REQUESTS)}"
                raise RequestError(f"there is no request {wanted!r}{hint}")

    def _hello(self) -> Answer:
        from gamedsl.version import __version__

        game = self._game
        notation = game.notation
        return {
            "program": "gamedsl",
            "version": __version__,
            "schema_version": SCHEMA_VERSION,
            "game": game.name,
            "parameters": dict(game.parameters),
            "players": [player.name for player in game.players],
            "notation": None if notation is None else notation.name,
            "requests": list(REQUESTS),
        }

    def _given_state(self, written: object) -> State | None:
        """The first position: as JSON, or in the notation of the game."""
        if written is None:
            return self._root
        if not isinstance(self._game, LoadedGame):
            raise RequestError("`state`: a game without rules as text begins with its first state")
        try:
            if isinstance(written, str) and self._game.notation is not None:
                return self._game.notation.state(written)
            return state_from_json(self._game, written)
        except ValueError as error:
            raise RequestError(f"`state`: {error}") from error

    def _draw(self) -> None:
        """Draw an outcome of chance."""
        state = self._sitting.state
        if self._game.current_player(state) != CHANCE:
            raise RequestError("no chance event comes next")
        self._sitting.make(drawn_outcome(self._game, state, self._rng))

    def _position(self) -> Answer:
        game, state = self._game, self._sitting.state
        mover = game.current_player(state)
        legal: object = list(game.action_names(state)) if mover >= 0 else []
        if mover == SIMULTANEOUS:
            legal = {player.name: list(game.action_names(state, player)) for player in game.players}
        chances = game.chance_outcomes(state) if mover == CHANCE else ()
        notation = game.notation
        is_whole, payoffs = state.pending is None, self._sitting.payoffs
        return {
            "to_move": mover.name,
            "legal": legal,
            "chances": {game.action_name(state, action): str(p) for action, p in chances},
            "payoffs": None if payoffs is None else [str(payoff) for payoff in payoffs],
            "moves": written_play(game, self._sitting.steps),
            "board": game.show(state),
            "state": self._written_state() if is_whole else None,
            "notation": notation.position(state) if notation is not None and is_whole else None,
        }

    def _written_state(self) -> object:
        """The state as JSON; None for a game without rules as text."""
        has_rules = isinstance(self._game, LoadedGame)
        return state_to_json(self._game, self._sitting.state) if has_rules else None

    def _begin(self, seconds: float, number: object) -> None:
        game, sitting = self._game, self._sitting
        mover = game.current_player(sitting.state)
        if game.is_terminal(sitting.state):
            raise RequestError("the game is over")
        if mover == CHANCE:
            raise RequestError("a chance event comes next: `play` names its outcome, `draw` draws")
        state = sitting.state
        self._thinker.begin(
            sitting.history,
            seconds,
            lambda thought: None,
            lambda thought: self._say(self._thought(state, thought), number),
        )

    def _thought(self, state: State, thought: Thought) -> Answer:
        game = self._game
        return {
            "action": game.action_name(state, thought.action),
            "how": thought.how,
            "value": None if thought.value is None else [str(payoff) for payoff in thought.value],
            "line": list(thought.line),
            "mixed": {
                game.players[player].name: {name: str(chance) for name, chance in choices}
                for player, choices in thought.mixed
            },
            "proved": thought.is_final,
        }


def _request(line: str) -> Mapping[str, Any]:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"a request is a JSON object on one line: {error}") from error
    if not isinstance(request, dict):
        raise RequestError('a request is a JSON object, as {"do": "position"}')
    return request


def _text(request: Mapping[str, Any], key: str) -> str:
    text = request.get(key)
    if isinstance(text, list) and all(isinstance(word, str) for word in text):
        return " ".join(text)
    if not isinstance(text, str):
        raise RequestError(f"`{key}` is a text or a list of texts, not {text!r}")
    return text


def _seconds(request: Mapping[str, Any], usual: float) -> float:
    seconds = request.get("seconds", usual)
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not 0 <= seconds <= LONGEST_THOUGHT:
        raise RequestError(f"`seconds` is a number from 0 to {LONGEST_THOUGHT:g}, not {seconds!r}")
    return float(seconds)
