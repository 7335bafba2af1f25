"""Games of OpenSpiel as games by the contract: solved, counted, drawn and compared as our own.

A state stands for a play: OpenSpiel does not tell whether two plays lead to one position. With
`merged`, plays with the same text lead to one state, as long as both allow the same actions and pay
alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from threading import Lock
from typing import Any

from gamedsl.bridges.extras import needed
from gamedsl.game.contract import Action, JointAction
from gamedsl.game.reading import action_names, read_action, read_play
from gamedsl.model.action_names import joined_name
from gamedsl.model.errors import IllegalActionError, UnsupportedGameError
from gamedsl.model.facts import Facts
from gamedsl.model.model import Model
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, Player, State
from gamedsl.source import SourceFile, nearest

FINEST = 10**6
"""Greatest denominator of a chance or payoff that OpenSpiel gives as a decimal."""
NEAR = 1e-9
MOST_EVENTS = 1_000
"""Chance events whose outcomes are kept."""
MOST_DIGITS = 100
"""The bound on the number of states has at most so many digits."""


def from_openspiel(game: str | Any, *, merged: bool = False) -> SpielGame:
    """A game of OpenSpiel by the contract of `gamedsl.Game`.

    Args:
        game: the name, with parameters (`"nim(pile_sizes=3;4)"`), or a `pyspiel.Game`.
        merged: whether plays with the same text of OpenSpiel are one state.

    Raises:
        MissingExtraError: OpenSpiel is not installed.
        ValueError: OpenSpiel does not know the game or its parameters; or `merged`, and the game
            pays during play.
        UnsupportedGameError: a mean field game, or chances that OpenSpiel only samples.
    """
    (pyspiel,) = needed("openspiel", "pyspiel")
    if isinstance(game, str):
        name = game.partition("(")[0]
        if name not in pyspiel.registered_names():
            near = nearest(name, pyspiel.registered_names())
            hint = f"; did you mean `{near}`?" if near else ""
            raise ValueError(f"OpenSpiel has no game `{name}`{hint}")
        try:
            game = pyspiel.load_game(game)
        except pyspiel.SpielError as error:
            raise ValueError(f"OpenSpiel cannot load `{game}`: {error}") from None
    kind = game.get_type()
    types = pyspiel.GameType
    if kind.dynamics == types.Dynamics.MEAN_FIELD:
        raise UnsupportedGameError(f"{kind.long_name} is a mean field game")
    if kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        raise UnsupportedGameError(f"OpenSpiel samples the chances of {kind.long_name}")
    if merged and kind.reward_model == types.RewardModel.REWARDS:
        said = f"{kind.long_name} pays during play: states of one text may have earned different"
        raise ValueError(f"{said} amounts, so plays cannot be merged")
    return SpielGame(game, _facts(game, pyspiel), merged)


class SpielGame:
    """A game of OpenSpiel; implements `contract.Game`.

    Attributes:
        peer: the `pyspiel.Game`.
        name: OpenSpiel's name, with parameters.
    """

    def __init__(self, peer: Any, facts: Facts, merged: bool) -> None:
        self.peer = peer
        self.name = str(peer)
        self.facts = facts
        self.players = tuple(Player(n, name) for n, name in enumerate(facts.players))
        self.parameters: Mapping[str, str] = {k: str(v) for k, v in peer.get_parameters().items()}
        self._merged = merged
        self._numbers: dict[Hashable, int] = {}
        self._plays: list[Any] = []
        self._states: list[State] = []
        self._outcomes_of = lru_cache(MOST_EVENTS)(self._chances_of)
        self._lock = Lock()
        """Solving and estimates run on threads."""

    def __repr__(self) -> str:
        return f"<Game {self.name!r} of OpenSpiel>"

    @property
    def model(self) -> Model:
        """Raises UnsupportedGameError: the game has no rules in the language."""
        raise UnsupportedGameError(f"{self.name} is a game of OpenSpiel, without rules as text")

    @property
    def notation(self) -> None:
        """None: a notation follows from rules in the language."""
        return None

    @property
    def engine(self) -> SpielGame:
        """The game: the contract is its only engine."""
        return self

    @property
    def source(self) -> SourceFile:
        """Raises UnsupportedGameError: the game has no text."""
        raise UnsupportedGameError(f"{self.name} is a game of OpenSpiel, without rules as text")

    # --- states ----------------------------------------------------------------------------

    def play_of(self, state: State) -> Any:
        """OpenSpiel's state."""
        number = state.cells[0]
        assert number is not None
        return self._plays[number]

    def _state(self, key: Hashable, play: Any) -> State:
        with self._lock:
            return self._numbered(key, play)

    def _numbered(self, key: Hashable, play: Any) -> State:
        if self._merged:
            key = (play.current_player(), str(play))
        number = self._numbers.setdefault(key, len(self._plays))
        if number == len(self._plays):
            self._plays.append(play)
            self._states.append(State((number,), max(0, play.current_player())))
        elif self._merged and _answers(play) != _answers(self._plays[number]):
            raise UnsupportedGameError(
                f"plays of {self.name} cannot be merged: the text {str(play)!r} stands for two "
                "states with other actions or payoffs"
            )
        return self._states[number]

    def initial_state(self) -> State:
        """S0."""
        return self._state((), self.peer.new_initial_state())

    def result(self, state: State, action: Action | JointAction | str) -> State:
        """RESULT(s, a); the action may be a name."""
        if isinstance(action, str):
            action = self.action_named(state, action)
        key = (state.cells[0], action)
        if not self._merged and key in self._numbers:
            return self._states[self._numbers[key]]
        self._refuse_illegal(state, action)
        play = self.play_of(state).clone()
        if isinstance(action, tuple):
            play.apply_actions(list(action))
        else:
            play.apply_action(action)
        return self._state(key, play)

    def _refuse_illegal(self, state: State, action: Action | JointAction) -> None:
        mover = self.current_player(state)
        if mover == SIMULTANEOUS:
            legal = isinstance(action, tuple) and len(action) == len(self.players)
            if not legal or not all(
                part in self.legal_actions(state, player)
                for player, part in enumerate(action)  # type: ignore[arg-type]
            ):
                raise IllegalActionError("a legal action a player is needed here", action, state)
        elif mover == CHANCE:
            if action not in self._outcomes_of(state):
                raise IllegalActionError(f"there is no outcome {action!r}", action, state)
        elif action not in self.legal_actions(state):
            raise IllegalActionError(f"action {action!r} is not legal here", action, state)

    # --- AIMA's functions ------------------------------------------------------------------

    def current_player(self, state: State) -> Player:
        """PLAYER(s)."""
        number = self.play_of(state).current_player()
        return self.players[number] if number >= 0 else SPECIAL[number]

    def is_terminal(self, state: State) -> bool:
        """TERMINAL-TEST(s)."""
        return bool(self.play_of(state).is_terminal())

    def legal_actions(self, state: State, player: int | None = None) -> tuple[Action, ...]:
        """ACTIONS(s), ascending ids."""
        play = self.play_of(state)
        if play.is_terminal() or play.is_chance_node():
            return ()
        if play.is_simultaneous_node():
            if player is None:
                raise ValueError("all players choose at once here: name the player")
            return tuple(sorted(play.legal_actions(player)))
        return tuple(sorted(play.legal_actions()))

    def utilities(self, state: State) -> tuple[Fraction, ...]:
        """The payoffs of a finished play, rewards included."""
        play = self.play_of(state)
        if not play.is_terminal():
            raise ValueError("only a terminal state has utilities")
        return tuple(map(exact, play.returns()))

    def utility(self, state: State, player: int) -> Fraction:
        """UTILITY(s, p)."""
        return self.utilities(state)[player]

    def rewards(self, state: State, action: Action | JointAction) -> tuple[Fraction, ...]:
        """Nothing: rewards are part of the utilities, since a state stands for a play."""
        return (Fraction(0),) * len(self.players)

    def chance_outcomes(self, state: State) -> tuple[tuple[Action, Fraction], ...]:
        """(outcome, probability) at a chance node, as fractions that add up to one."""
        return tuple(self._outcomes_of(state).items())

    def _chances_of(self, state: State) -> dict[Action, Fraction]:
        play = self.play_of(state)
        if not play.is_chance_node():
            raise ValueError("this is no chance node")
        outcome_pairs = sorted(play.chance_outcomes())
        chances = [exact(chance) for _, chance in outcome_pairs]
        if (total := sum(chances)) != 1:
            chances = [Fraction(chance) for _, chance in outcome_pairs]
            total = sum(chances)
        pairs = zip((outcome for outcome, _ in outcome_pairs), chances, strict=True)
        return {outcome: chance / total for outcome, chance in pairs if chance}

    def evaluate(self, state: State, player: int) -> Fraction:
        """Games of OpenSpiel have no EVAL."""
        raise ValueError("a game of OpenSpiel has no `evaluate`")

    def is_quiescent(self, state: State, player: int) -> bool:
        """There is no EVAL to distrust."""
        return True

    # --- names and information -------------------------------------------------------------

    def action_name(self, state: State, action: Action | JointAction) -> str:
        """OpenSpiel's text of the action."""
        play = self.play_of(state)
        if isinstance(action, tuple):
            return joined_name([play.action_to_string(p, part) for p, part in enumerate(action)])
        player = 0 if play.is_simultaneous_node() else play.current_player()
        return str(play.action_to_string(player, action))

    def action_named(
        self, state: State, name: str, player: int | None = None
    ) -> Action | JointAction:
        """The legal action (or chance outcome) with the given name."""
        return read_action(self, state, name, player)

    def action_names(self, state: State, player: int | None = None) -> tuple[str, ...]:
        """The names of the legal actions, or of the outcomes at a chance node."""
        return tuple(action_names(self, state, player).values())

    def position(self, moves: str = "", start: State | None = None) -> State:
        """The state after the given moves from `start` (default: S0)."""
        return read_play(self, start or self.initial_state(), moves)[1]

    def information_state(
        self, history: Sequence[tuple[State, Action | JointAction | None]], player: int
    ) -> tuple[object, ...]:
        """What the player knows at the end of a history, as OpenSpiel says."""
        state, _ = history[-1]
        if not self.facts.has_secrets:
            return (state.cells[0],)
        play, kind = self.play_of(state), self.peer.get_type()
        if kind.provides_information_state_string:
            return (play.information_state_string(player),)
        seen: list[object] = []
        for earlier, action in history:
            mover = self.play_of(earlier).current_player()
            seen.append(self.play_of(earlier).observation_string(player))
            if isinstance(action, tuple):
                seen.append(action[player])
            elif mover == player:
                seen.append(action)
        return tuple(seen)

    def show(
        self,
        state: State,
        viewer: int | None = None,
        last: tuple[State, Action | JointAction] | None = None,
        *,
        in_words: bool = False,
        has_colours: bool = False,
    ) -> str:
        """OpenSpiel's text of the state, or of a player's observation; nothing is marked."""
        play = self.play_of(state)
        has_text = self.peer.get_type().provides_observation_string
        return str(play if viewer is None or not has_text else play.observation_string(viewer))


SPECIAL = {int(player): player for player in (CHANCE, SIMULTANEOUS, TERMINAL)}


@lru_cache(maxsize=1024)
def exact(number: float) -> Fraction:
    """The simplest fraction near a decimal, or the decimal itself."""
    near = Fraction(number).limit_denominator(FINEST)
    return near if abs(near - Fraction(number)) < NEAR else Fraction(number)


def _answers(play: Any) -> tuple[object, ...]:
    """Properties that plays to the same state must share."""
    if play.is_terminal():
        return (play.returns(),)
    if play.is_chance_node():
        return (play.chance_outcomes(),)
    return (play.current_player(), play.legal_actions())


def _facts(peer: Any, pyspiel: Any) -> Facts:
    kind, types = peer.get_type(), pyspiel.GameType
    total = peer.utility_sum()
    actions, longest = peer.num_distinct_actions(), peer.max_game_length()
    digits = min(MOST_DIGITS, longest * len(str(actions)))
    return Facts(
        players=tuple(f"player {number}" for number in range(peer.num_players())),
        has_chance=kind.chance_mode != types.ChanceMode.DETERMINISTIC,
        has_secrets=kind.information == types.Information.IMPERFECT_INFORMATION,
        is_simultaneous=kind.dynamics == types.Dynamics.SIMULTANEOUS,
        payoff_total=None if total is None else exact(total),
        utility_bounds=(exact(peer.min_utility()), exact(peer.max_utility())),
        action_count=actions,
        state_bits=int(digits * 3.4),
        state_bound=10**digits,
        endless=None,
        repeats=False,
        has_evaluate=False,
        is_tree=False,
        pays_numbers=max(abs(peer.min_utility()), abs(peer.max_utility())) > 1,
    )
