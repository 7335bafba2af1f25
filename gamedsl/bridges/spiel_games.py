"""Games of the language as games of OpenSpiel: registered by name, played by the compiled engine.

`gamedsl(file=FILE,...)` is any file or shipped game with its parameters; `register` gives a game a
name of its own. OpenSpiel writes no commas in parameters: semicolons stand for them
(`sizes=[1;2;3]`). `longest` bounds the plies of a play (see `Numbered`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from gamedsl.bridges.extras import needed
from gamedsl.bridges.moments import Moment, Numbered
from gamedsl.bridges.moments import numbered as numbered_of
from gamedsl.bridges.planes import Piece
from gamedsl.bridges.telling import InformationRows, Texts, observation
from gamedsl.game.game import LoadedGame
from gamedsl.game.library import further_games, shipped_games
from gamedsl.game.loading import find_source, setting
from gamedsl.model.errors import GameSourceError
from gamedsl.model.facts import UNKNOWN, Facts, PayoffSum
from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.source import Diagnostic, SourceFile

pyspiel, np = needed("openspiel", "pyspiel", "numpy")
PyGame: Any = pyspiel.Game
PyState: Any = pyspiel.State

NAME = "gamedsl"
FILE, LONGEST = "file", "longest"
NOT_GIVEN = -(2**31)
"""The value of a missing parameter that is a number."""
MOST_PLAYERS = 100
PARAMETER = re.compile(r"^param\s+(\w+)\s*=\s*(.*?)\s*(?:#.*)?$", re.MULTILINE)
WORD = re.compile(r"\W+")

Parameters = Mapping[str, Any]


def register(game: LoadedGame | str | Path, name: str | None = None) -> str:
    """Register a game with OpenSpiel under a name of its own; return the name.

    `game` is a game, or a path, text or name as accepted by `load`; `name` is `gamedsl_` with the
    name of the file unless given. The parameters of the file are OpenSpiel's parameters. A second
    registration replaces the first.

    Raises:
        GameSourceError: the text is not a valid game.
    """
    source = _source_of(game)
    parameters = dict(game.settings) if isinstance(game, LoadedGame) else {}
    numbered = numbered_of(source, tuple(parameters.items()), None)
    name = name or f"{NAME}_{WORD.sub('_', Path(source.name).stem.lower()).strip('_')}"
    written = {key: _spelt(text) for key, text in numbered.game.parameters.items()}
    defaults = {**written, LONGEST: NOT_GIVEN}

    def chosen(chosen_parameters: Parameters) -> Numbered:
        changed = {k: _text(v) for k, v in chosen_parameters.items() if k != LONGEST}
        return numbered_of(
            source, tuple({**parameters, **changed}.items()), _longest(chosen_parameters)
        )

    _register(_type_of(name, numbered, defaults), defaults, chosen)
    return name


def load(game: LoadedGame | str | Path, **parameters: object) -> Any:
    """The game as a `pyspiel.Game`, registered by `register`; `longest` is a further parameter."""
    name = register(game)
    return pyspiel.load_game(name, {key: _spelt(setting(v)) for key, v in parameters.items()})


def register_all() -> None:
    """Register `gamedsl(file=...)`, with the parameters of all shipped games."""
    defaults: dict[str, Any] = {FILE: "", LONGEST: NOT_GIVEN, **_shipped_parameters()}

    def chosen(parameters: Parameters) -> Numbered:
        if FILE not in parameters:
            raise ValueError(f"name a file or a shipped game: {NAME}({FILE}=nim)")
        changed = {k: _text(v) for k, v in parameters.items() if k not in (FILE, LONGEST)}
        return numbered_of(
            _source_of(parameters[FILE]), tuple(changed.items()), _longest(parameters)
        )

    _register(_type_of_any(defaults), defaults, chosen)


def _register(kind: Any, defaults: Parameters, chosen: Callable[[Parameters], Numbered]) -> None:
    """Register a class of games: the game for parameters, without those that are not given.

    OpenSpiel releases its makers after the end of Python; a function would then be freed, and the
    process aborted, but a class refers to itself.
    """

    class Registered(SpielGame):
        def __init__(self, parameters: Parameters | None = None) -> None:
            changed = {k: v for k, v in (parameters or {}).items() if v != defaults[k]}
            super().__init__(kind.short_name, chosen(changed), changed, defaults)

    pyspiel.register_game(kind, Registered)


def _source_of(game: LoadedGame | str | Path) -> SourceFile:
    if isinstance(game, LoadedGame):
        return game.source.own
    source = find_source(game)
    if isinstance(source, Diagnostic):
        raise GameSourceError((source,))
    return source


@cache
def _shipped_parameters() -> dict[str, Any]:
    """Parameters of all shipped games, with a value that stands for "not given"; of several types,
    the most frequent. A truth value is a parameter only where `false` is the file's value."""
    types: dict[str, Counter[str]] = {}
    for path in (*shipped_games(), *further_games()):
        for name, value in PARAMETER.findall(path.read_text("utf-8")):
            kind = type(_spelt(value)).__name__
            types.setdefault(name, Counter())[value if kind == "bool" else kind] += 1
    values = {"int": NOT_GIVEN, "str": "", "false": False}
    most = {name: max(kinds, key=kinds.__getitem__) for name, kinds in types.items()}
    return {name: values[kind] for name, kind in most.items() if kind in values}


def _spelt(text: str) -> int | bool | str:
    """A value of the language as OpenSpiel's parameter."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?\d+", text) else text.replace(",", ";").replace(" ", "")


def _text(value: object) -> str:
    """OpenSpiel's parameter in the language's notation."""
    return setting(value).replace(";", ", ")


def _longest(parameters: Parameters) -> int | None:
    return int(parameters[LONGEST]) if LONGEST in parameters else None


def _type_of(name: str, numbered: Numbered, parameters: Parameters) -> Any:
    """OpenSpiel's description of a game."""
    facts, players = numbered.game.facts, len(numbered.game.players)
    has_rows = InformationRows(numbered).rows > 0
    described = _described(facts, numbered.payoff_sum, has_rows)
    return pyspiel.GameType(
        short_name=name,
        long_name=numbered.game.name,
        max_num_players=players,
        min_num_players=players,
        parameter_specification=dict(parameters),
        **described,
    )


def _type_of_any(parameters: Parameters) -> Any:
    """OpenSpiel's description of `gamedsl(file=...)`, before a file is named."""
    anything = replace(UNKNOWN, has_chance=True, has_secrets=True, has_rewards=True)
    return pyspiel.GameType(
        short_name=NAME,
        long_name="a game of the language gamedsl",
        max_num_players=MOST_PLAYERS,
        min_num_players=1,
        parameter_specification=dict(parameters),
        **_described(anything, PayoffSum.GENERAL, True),
    )


def _described(facts: Facts, payoff_sum: PayoffSum, has_rows: bool) -> dict[str, Any]:
    kind = pyspiel.GameType
    sums = {
        PayoffSum.ZERO: kind.Utility.ZERO_SUM,
        PayoffSum.CONSTANT: kind.Utility.CONSTANT_SUM,
        PayoffSum.GENERAL: kind.Utility.GENERAL_SUM,
    }
    at_once, stochastic = kind.Dynamics.SIMULTANEOUS, kind.ChanceMode.EXPLICIT_STOCHASTIC
    hidden, rewards = kind.Information.IMPERFECT_INFORMATION, kind.RewardModel.REWARDS
    return {
        "dynamics": at_once if facts.is_simultaneous else kind.Dynamics.SEQUENTIAL,
        "chance_mode": stochastic if facts.has_chance else kind.ChanceMode.DETERMINISTIC,
        "information": hidden if facts.has_secrets else kind.Information.PERFECT_INFORMATION,
        "utility": sums[payoff_sum],
        "reward_model": rewards if facts.has_rewards else kind.RewardModel.TERMINAL,
        "provides_information_state_string": True,
        "provides_information_state_tensor": has_rows,
        "provides_observation_string": True,
        "provides_observation_tensor": True,
        "provides_factored_observation_string": False,
    }


class SpielGame(PyGame):
    """A game of the language as a game of OpenSpiel."""

    def __init__(
        self, name: str, numbered: Numbered, parameters: Parameters, defaults: Parameters
    ) -> None:
        self.numbered = numbered
        self.texts = Texts(numbered.game)
        self.rows = InformationRows(numbered)
        low, high = numbered.payoff_bounds
        info = pyspiel.GameInfo(
            num_distinct_actions=numbered.action_count,
            max_chance_outcomes=numbered.outcome_count,
            num_players=len(numbered.game.players),
            min_utility=low,
            max_utility=high,
            utility_sum=numbered.sum_of_payoffs,
            max_game_length=numbered.longest,
        )
        super().__init__(_type_of(name, numbered, defaults), info, dict(parameters))

    def new_initial_state(self) -> SpielState:
        """The beginning of a play."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a player knows: now, or with perfect recall."""
        if params:
            raise ValueError(f"observations have no parameters; there are {params}")
        return Observer(self, iig_obs_type)


class SpielState(PyState):
    """A play of a game: a moment."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.moment: Moment = game.numbered.first

    def current_player(self) -> int:
        """OpenSpiel's number of the player to move; chance, all and nobody have equal numbers in
        both."""
        return self.moment.mover

    def is_terminal(self) -> bool:
        """Whether the play is over, or broken off."""
        return self.moment.mover is TERMINAL

    def is_chance_node(self) -> bool:
        """Whether chance moves next."""
        return self.moment.mover is CHANCE

    def legal_actions(self, *player: int) -> list[int]:
        """The legal actions of a player, else of the player to move; asked by Python alone, as
        `is_chance_node` is: OpenSpiel's own methods go through C++ and back, for the same answer.
        """
        mover = self.moment.mover
        if mover < 0 or player not in ((), (mover,)):
            return PyState.legal_actions(self, *player)  # type: ignore[no-any-return]
        return list(self.moment.legal(mover))

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.moment.legal(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance, with their probabilities."""
        return self.moment.outcomes()

    def _apply_action(self, action: int) -> None:
        self.moment = self.moment.after(action)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self.moment = self.moment.after(tuple(actions))

    def _action_to_string(self, player: int, action: int) -> str:
        moment = self.moment
        return moment.numbered.game.action_name(moment.state, action)

    def returns(self) -> list[float]:
        """The payoffs so far."""
        return [float(paid) for paid in self.moment.returns]

    def rewards(self) -> list[float]:
        """What the last step paid."""
        return self.moment.rewards

    def __str__(self) -> str:
        return self.moment.numbered.game.show(self.moment.state)


class Observer:
    """The knowledge of a player in a state: `tensor`, `dict` of the parts of the tensor, and
    text."""

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self._texts, self._rows = game.texts, game.rows
        self._recalls = kind is not None and kind.perfect_recall
        alone = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if kind is not None and not (kind.public_info and kind.private_info == alone):
            raise ValueError("an observation has the public part and the player's own part")
        rows = self._rows
        pieces: Sequence[Piece] = game.numbered.planes.pieces
        if self._recalls:
            pieces = [Piece("information", 0, (rows.rows, rows.width))] if rows.rows else ()
        tensor = np.zeros(sum(piece.size for piece in pieces), np.float32)
        self.dict = {p.name: tensor[p.start : p.start + p.size].reshape(p.shape) for p in pieces}
        self.tensor = tensor if pieces else None

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor."""
        if self.tensor is None:
            return
        numbers = self._rows.numbers if self._recalls else observation
        ones, shares = numbers(state.moment, player)
        self.tensor.fill(0)
        self.tensor[ones] = 1
        for place, share in shares:
            self.tensor[place] = share

    def string_from(self, state: SpielState, player: int) -> str:
        """What the player knows, as text."""
        tell = self._texts.information if self._recalls else self._texts.observation
        return tell(state.moment, player)
