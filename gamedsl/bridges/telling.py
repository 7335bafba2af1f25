"""What a player knows at a moment, as text and as numbers.

An observation is the state as the player sees it now. Information is all that the player has seen
and heard (rule 11 of the language): equal exactly where the player cannot tell plays apart. The
vector of information has a row for each thing seen or heard: a changed view, or an action.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from gamedsl.bridges.moments import Moment, Numbered
from gamedsl.bridges.planes import Ones, Shares
from gamedsl.game.game import LoadedGame
from gamedsl.model.action_names import move_of, name_of
from gamedsl.model.nodes import Variable
from gamedsl.model.state import Cells, State
from gamedsl.model.values import text_of

MOST_NUMBERS = 1 << 20
"""Most numbers of a vector of information; games with more have none."""
UNSEEN, UNSET = "?", "-"
"""An unseen cell, and a cell without a value."""

Heard = tuple[int, int | str]
"""A player, and the action that the player took; of a secret action the name of the move."""
Known = State | tuple[Heard, ...]
"""A view of a state, or actions heard at once."""


def known(moment: Moment, viewer: int) -> Iterator[Known]:
    """What a player has seen and heard along the play, in order: each changed view, and each
    action. In a tree, the player's nodes with the actions; at a node of the player, the node alone.
    """
    game = moment.numbered.game
    sights = game.sights()
    steps = moment.steps()
    if sights is None:
        own_steps = [(s, a) for s, a in steps if game.engine.view(s, viewer) is not None]
        is_own = bool(own_steps) and own_steps[-1][0] is moment.state
        for state, action in own_steps[-1:] if is_own else own_steps:
            yield state
            if isinstance(action, int):
                yield ((viewer, action),)
        return
    last: Hashable = None
    for state, action in steps:
        view = sights.view(state, viewer)
        if view != last:
            last = view
            yield state
        heard = None if action is None else sights.heard(state, action, viewer)
        if isinstance(heard, tuple):
            who, did = heard
            yield tuple(enumerate(did)) if who == "all" else ((who, did),)


def observation(moment: Moment, viewer: int) -> tuple[Ones, Shares]:
    """The numbers that are not 0 in the vector of the state, as seen by a player."""
    return moment.numbered.planes.observation(moment.state, viewer, moment.movers)


class Texts:
    """What players know as text."""

    def __init__(self, game: LoadedGame) -> None:
        self.game = game
        self._seen_by = [
            [_VariableText(v, viewer) for v in game.model.variables if not v.is_constant]
            for viewer in game.players
        ]

    def observation(self, moment: Moment, viewer: int) -> str:
        """The state as a player sees it."""
        movers = " ".join(self.game.players[mover].name for mover in moment.movers)
        return "; ".join((f"to move: {movers or 'nobody'}", *self._seen(moment.state, viewer)))

    def information(self, moment: Moment, viewer: int) -> str:
        """All that a player has seen and heard; of a view, the variables that have changed."""
        players = self.game.players
        texts: list[str] = [f"seen by {players[viewer].name}"]
        before: tuple[str, ...] = ()
        for event in known(moment, viewer):
            if isinstance(event, State):
                seen = (f"turn: {players[event.turn].name}", *self._seen(event, viewer))
                texts += [now for now in seen if now not in before]
                before = seen
            else:
                texts += [f"{players[who].name}: {self._action(did)}" for who, did in event]
        return "; ".join(texts)

    def _action(self, action: int | str) -> str:
        if isinstance(action, str):
            return f"{action}({UNSEEN})"
        model = self.game.model
        if model.tree is not None:
            return model.tree.labels[action]
        return name_of(move_of(model.moves, action), action)

    def _seen(self, state: State, viewer: int) -> tuple[str, ...]:
        if self.game.model.tree is not None:
            view = self.game.engine.view(state, viewer)
            return () if view is None else (f"node: {view}",)
        cells = state.cells
        return tuple([variable.text(cells) for variable in self._seen_by[viewer]])


class _VariableText:
    """A variable as a player sees it, as text: `hand=K,?`."""

    def __init__(self, variable: Variable, viewer: int) -> None:
        start = variable.offset
        self._head = f"{variable.name}="
        self._places = [
            (
                start + cell,
                [text_of(value) for value in variable.domain_of(cell).values]
                if variable.is_seen(cell, viewer)
                else None,
            )
            for cell in variable.cells
        ]

    def text(self, cells: Cells) -> str:
        """The text for the digits of a state."""
        texts = []
        for place, values in self._places:
            digit = cells[place]
            if values is None:
                texts.append(UNSEEN)
            else:
                texts.append(UNSET if digit is None else values[digit])
        return self._head + ",".join(texts)


class InformationRows:
    """The vector of information of a game: `rows` of `width` numbers; no rows without a vector.

    A row holds the turn and the planes of a view, or for each player the action heard.
    """

    def __init__(self, numbered: Numbered) -> None:
        game = numbered.game
        contents = numbered.planes.contents
        self._contents = contents
        self._secret = {
            move.name: numbered.action_count + number
            for number, move in enumerate(move for move in game.model.moves if move.is_secret)
        }
        self._players = len(game.players)
        self._seen = sum(piece.size for piece in contents.pieces)
        self._heard = numbered.action_count + len(self._secret)
        self.width = self._players * (1 + self._heard) + self._seen
        rows = 0 if numbered.steps is None else 2 * numbered.steps + 1
        self.rows = rows if game.facts.has_secrets and rows * self.width <= MOST_NUMBERS else 0

    def numbers(self, moment: Moment, viewer: int) -> tuple[Ones, Shares]:
        """The numbers that are not 0, as a player knows the play."""
        ones: Ones = []
        shares: Shares = []
        for row, event in enumerate(known(moment, viewer)):
            start = row * self.width
            if isinstance(event, State):
                seen, parts = self._contents.seen(event, viewer)
                first = start + self._players
                ones += [start + event.turn, *(first + place for place in seen)]
                shares += [(first + place, share) for place, share in parts]
            else:
                first = start + self._players + self._seen
                for who, did in event:
                    number = self._secret[did] if isinstance(did, str) else did
                    ones.append(first + who * self._heard + number)
        return ones, shares
