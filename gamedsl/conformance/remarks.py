"""Notes on oddities in a sample of play: events that never happened.

A note names the observation, the extent of the sample and a place in the rules. The rules may be
right; most oddities are mistakes of the author.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from functools import cache

from gamedsl.conformance.sample import Sample, spread
from gamedsl.game.game import LoadedGame
from gamedsl.interpreter import TreeInterpreter
from gamedsl.model import State, nodes
from gamedsl.model.action_names import arguments_of, move_of
from gamedsl.model.operations import OperationError
from gamedsl.model.semantics.evaluate import Evaluator, Locals, NotKnownError
from gamedsl.model.statement_facts import facts_in, facts_of
from gamedsl.model.values import Atom, Domain, Pair, Square, Value, text_of
from gamedsl.model.walk import blocks_of
from gamedsl.source import Diagnostic, Label, Severity, Span
from gamedsl.source.records import dataclass

MOST_STEPS = 2_000
"""Steps of play, from all over the sample, examined for the owners of changed pieces."""
MOST_TRIES = 10_000
"""Argument tuples of a move tested against the conditions in the move's head."""
FEWEST_ENDINGS = 50
"""Least number of endings for a note that all endings are alike."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The game, the sample and the extent of the sample.

    Attributes:
        extent: the number of positions or plays seen, as text.
        is_whole: whether the sample covers every reachable position.
    """

    game: LoadedGame
    sample: Sample
    extent: str
    is_whole: bool

    def remarks(self, *, is_enough: bool) -> Iterator[Diagnostic]:
        """All notes; notes on events that never happened only if `is_enough`."""
        if self.game.model.tree is None:
            for rule in RULES if is_enough else (_whose_man,):
                yield from rule(self)

    def say(self, code: str, span: Span, message: str, hint: str) -> Diagnostic:
        """A note at a place in the rules."""
        return Diagnostic(
            code,
            f"{message}, in {self.extent}",
            Label(span),
            self.game.source,
            severity=Severity.NOTE,
            hint=hint,
        )


# --- moves ---------------------------------------------------------------------------------------


def _moves_never_legal(seen: Seen) -> Iterator[Diagnostic]:
    legal = {move_of(seen.game.model.moves, action).name for action in seen.sample.legal}
    for move in seen.game.model.moves:
        if move.name not in legal:
            yield seen.say(
                "W3105",
                move.span,
                f"`{move.name}` was never legal",
                "look at what it requires, and at what stands above an `otherwise`",
            )


def _arguments_never_legal(seen: Seen) -> Iterator[Diagnostic]:
    """Parameter values that never make a legal move, if every other value sometimes does."""
    for move in seen.game.model.moves:
        legal = [a for a in seen.sample.legal if 0 <= a - move.first_id < move.size]
        if not legal:
            continue
        met = map(set, zip(*(arguments_of(move, action) for action in legal), strict=True))
        for parameter, values in zip(move.parameters, met, strict=True):
            if parameter.subsets:
                continue  # most sizes, and the empty set, are plainly not meant
            if len(parameter.values) <= 2 or not _is_named(seen, parameter.values):
                continue
            never = [value for value in parameter.values.values if value not in values]
            missing = [value for value in never if not _is_excluded(seen, move, parameter, value)]
            if len(missing) == 1:
                name = f"{parameter.name} = {text_of(missing[0])}"
                yield seen.say(
                    "W3106",
                    move.span,
                    f"`{move.name}` was never legal with {name}, and with all other values it was",
                    "look at what it requires there",
                )


def _is_excluded(seen: Seen, move: nodes.Move, parameter: nodes.Parameter, never: Value) -> bool:
    """Whether the head of a move already excludes a value of a parameter."""
    evaluator, tries = Evaluator(seen.game.model), iter(range(MOST_TRIES))

    def may_be(expression: nodes.Expr | None, known: dict[int, Value], value: Value) -> bool:
        if expression is None:
            return True
        with suppress(NotKnownError, OperationError):
            possible = evaluator.value(expression, Locals(known))
            return value in possible if isinstance(possible, tuple) else possible is not False
        return True

    def can_occur(known: dict[int, Value], place: int) -> bool:
        if place == len(move.parameters) or next(tries, None) is None:
            return True
        current = move.parameters[place]
        if current.subsets:
            return can_occur(known, place + 1)
        return any(
            may_be(current.choices, known, value)
            and may_be(current.condition, bound := {**known, current.slot: value}, value)
            and can_occur(bound, place + 1)
            for value in ((never,) if current is parameter else current.values.values)
        )

    return not can_occur({}, 0)


def _is_named(seen: Seen, domain: Domain) -> bool:
    """Whether a domain consists of names, or of the columns or rows of the board."""
    board = seen.game.model.board
    lines = () if board is None else (board.width, board.height)
    if any(isinstance(value, int) for value in domain.values):
        return len(domain) in lines and domain.values == tuple(range(1, len(domain) + 1))
    return not any(isinstance(value, Square) for value in domain.values)


def _whose_man(seen: Seen) -> Iterator[Diagnostic]:
    """Moves that take pieces of both colours: after the move the cell holds another piece or none.
    Cells that a move only reads do not count.
    """
    model = seen.game.model
    players = set(model.players)
    if len(players) < 2:
        return
    owned = [v for v in model.variables if _is_board(v) and players <= set(v.domain.values)]
    counts: Counter[tuple[int, int, str, bool]] = Counter()
    became_own: Counter[tuple[int, int, str]] = Counter()

    @cache
    def named_by(action: int) -> list[tuple[int, nodes.Variable, int]]:
        """The cells at the squares in an action: parameter place, variable, cell number."""
        squares = enumerate(arguments_of(move_of(model.moves, action), action))
        return [
            (place, variable, variable.offset + variable.indices[0].digit[square])
            for place, square in squares
            if isinstance(square, Square)
            for variable in owned
        ]

    taken: Counter[tuple[int, str, bool]] = Counter()
    steps = seen.sample.steps if owned else []
    for state, action, after in (steps[n] for n in spread(len(steps), MOST_STEPS)):
        for variable in owned:
            who = _who_lost_a_man(model.players, variable, state, after)
            if who is not None:
                first = move_of(model.moves, action).first_id
                taken[first, variable.name, who is model.players[state.turn]] += 1
        for place, variable, number in named_by(action):
            digit = state.cells[number]
            holder = None if digit is None else variable.domain.values[digit]
            if holder in players and after.cells[number] != digit:
                is_own = holder is model.players[state.turn]
                first = move_of(model.moves, action).first_id
                counts[first, place, variable.name, is_own] += 1
                if not is_own and _appears(model.players[state.turn], variable, state, after):
                    became_own[first, place, variable.name] += 1
    for move in model.moves:
        yield from _takes_of_both(seen, move, owned, taken)
        for place, parameter in enumerate(move.parameters):
            for variable in owned:
                own_times = counts[move.first_id, place, variable.name, True]
                other_times = counts[move.first_id, place, variable.name, False]
                is_moved = other_times == became_own[move.first_id, place, variable.name]
                cell = f"{variable.name}[{parameter.name}]"
                if own_times and other_times:
                    yield _takes_any(seen, move, cell, own_times, other_times)
                elif other_times and is_moved:
                    yield _moves_others(seen, move, cell, other_times)


def _takes_any(
    seen: Seen, move: nodes.Move, cell: str, own_times: int, other_times: int
) -> Diagnostic:
    return seen.say(
        "W3107",
        move.span,
        f"where `{move.name}` was made, `{cell}` was a man of the mover {own_times:,} times and of "
        f"another player {other_times:,} times",
        f"if the mover may take his own men only: `require {cell} == turn`",
    )


def _moves_others(seen: Seen, move: nodes.Move, cell: str, times: int) -> Diagnostic:
    return seen.say(
        "W3107",
        move.span,
        f"where `{move.name}` was made, `{cell}` was a man of another player {times:,} times, and "
        "a man of the mover stood elsewhere afterwards",
        f"if the mover may move his own men only: `require {cell} == turn`",
    )


def _takes_of_both(
    seen: Seen,
    move: nodes.Move,
    owned: list[nodes.Variable],
    taken: Counter[tuple[int, str, bool]],
) -> Iterator[Diagnostic]:
    """Moves that sometimes cost only the mover, and sometimes only an opponent, a piece."""
    for variable in owned:
        own_times, other_times = (
            taken[move.first_id, variable.name, is_own] for is_own in (True, False)
        )
        if own_times and other_times:
            yield seen.say(
                "W3107",
                move.span,
                f"`{move.name}` took men of the mover from `{variable.name}` {own_times:,} times, "
                f"and men of another player {other_times:,} times",
                "look for a man that it takes: whose is it?",
            )


def _who_lost_a_man(
    players: tuple[Atom, ...], variable: nodes.Variable, state: State, after: State
) -> Atom | None:
    """The player with fewer pieces than before, if only one player's number changed."""
    cells = slice(variable.offset, variable.offset + variable.size)
    before, now = state.cells[cells], after.cells[cells]
    if before == now:
        return None
    digits = (variable.domain.digit[player] for player in players)
    changes = [now.count(digit) - before.count(digit) for digit in digits]
    fewer = [number for number, change in enumerate(changes) if change]
    return players[fewer[0]] if len(fewer) == 1 and changes[fewer[0]] < 0 else None


def _appears(player: Value, variable: nodes.Variable, state: State, after: State) -> bool:
    """Whether one piece of another player vanished and a piece of the mover appeared elsewhere."""
    cells = slice(variable.offset, variable.offset + variable.size)
    digit = variable.domain.digit[player]
    changed = [
        (before, now)
        for before, now in zip(state.cells[cells], after.cells[cells], strict=True)
        if before != now
    ]
    return (
        len(changed) == 2
        and sum(now == digit for _, now in changed) == 1
        and not any(before == digit for before, _ in changed)
    )


def _is_board(variable: nodes.Variable) -> bool:
    return len(variable.indices) == 1 and isinstance(variable.indices[0].values[0], Square)


# --- the state -----------------------------------------------------------------------------------


def _values_never_held(seen: Seen) -> Iterator[Diagnostic]:
    engine = seen.game.engine
    if isinstance(engine, TreeInterpreter):
        return
    remarks = list(_about_variables(seen, engine.digits_held(seen.sample.states)))
    if remarks and not seen.sample.has_every_visit:  # a value may be held in few positions alone
        remarks = list(_about_variables(seen, engine.digits_held(seen.sample.every_state())))
    yield from remarks


def _about_variables(seen: Seen, held: list[set[int | None]]) -> Iterator[Diagnostic]:
    """The first oddity of each variable; `held`: the digits of each cell."""
    model = seen.game.model
    changed = _assigned((model.setup, *(move.body for move in model.moves)))
    simultaneous = _assigned(move.body for move in model.moves if move.is_simultaneous)
    set_back = set[str]()
    for move in model.moves:
        _set_back(move.body, set(), set_back)
    for variable in model.variables:
        cells = held[variable.offset : variable.offset + variable.size]
        is_own = variable.name in simultaneous
        remarks = list(_about_variable(seen, variable, cells, variable.name in changed, is_own))
        if variable.name in set_back:  # values held only within a move are not visible from outside
            remarks = [remark for remark in remarks if remark.code != "W3108"]
        yield from remarks[:1]


def _assigned(blocks: Iterable[nodes.Block]) -> set[str]:
    rows = (facts for block in blocks for facts in facts_in(block))
    return {facts.writes.name for facts in rows if facts.writes is not None}


def _set_back(block: nodes.Block, assigned: set[str], repeated: set[str]) -> set[str]:
    """Add to `repeated` the variables that a body assigns more than once.

    Such variables may regain their first value. Returns the variables assigned by the end of the
    body.
    """
    assigned = set(assigned)
    for statement in block:
        if (variable := facts_of(statement).writes) is not None:
            if variable.name in assigned:
                repeated.add(variable.name)
            assigned.add(variable.name)
        inner = [_set_back(block, assigned, repeated) for block in blocks_of(statement)]
        assigned.update(*inner)
    return assigned


def _about_variable(
    seen: Seen,
    variable: nodes.Variable,
    cells: list[set[int | None]],
    is_assigned: bool,
    is_own: bool,
) -> Iterator[Diagnostic]:
    """Oddities in the values of a variable.

    Variables assigned in simultaneous moves (`is_own`) have a cell per player, needed or not.
    """
    name, domain = variable.name, variable.domain
    if all(len(values) <= 1 for values in cells):
        is_table = not is_assigned and len(set(variable.initial)) > 1
        if None not in variable.initial and not is_table and len(domain) > 1:
            yield seen.say(
                "W3108",
                variable.span,
                f"`{name}` never changed",
                "look for the line that should change it" if not is_assigned else
                "look at the lines that change it: are they ever reached?",
            )  # fmt: skip
        return
    idle = [number for number, values in enumerate(cells) if len(values) <= 1]
    if _is_by_player(seen, variable) and idle and not is_own:
        changing = next(number for number, values in enumerate(cells) if len(values) > 1)
        yield seen.say(
            "W3108",
            variable.span,
            f"`{variable.cell_name(idle[0])}` never changed, "
            f"and `{variable.cell_name(changing)}` did",
            "look at the lines that change it: whose is it?",
        )
    met = set[int | None]().union(*cells)
    missing = [domain.values[digit] for digit in range(len(domain)) if digit not in met]
    named = [value for value in missing if _tells(value, variable, missing)]
    if named:
        yield seen.say(
            "W3109",
            variable.span,
            f"`{name}` never held `{text_of(named[0])}`",
            "look at the lines that should give it this value, or leave the value out",
        )


def _tells(value: Value, variable: nodes.Variable, missing: list[Value]) -> bool:
    """Whether absence of a value is informative: a name that is neither a square nor a card of
    many, a card whose whole rank or suit is missing, or zero as the end of a count."""
    if isinstance(value, Pair):
        pairs = [other for other in variable.domain.values if isinstance(other, Pair)]
        of_part = {other for other in pairs if other.part == value.part}
        of_owner = {other for other in pairs if other.owner == value.owner}
        return any(
            1 < len(alike) < len(pairs) and alike <= {*missing} for alike in (of_part, of_owner)
        )
    if isinstance(value, Atom):
        return not isinstance(value, Square)
    return value == 0 and not isinstance(value, bool) and 0 not in _initial(variable)


def _initial(variable: nodes.Variable) -> set[Value]:
    return {variable.domain.values[digit] for digit in variable.initial if digit is not None}


def _is_by_player(seen: Seen, variable: nodes.Variable) -> bool:
    players = seen.game.model.players
    return len(variable.indices) == 1 and variable.indices[0].values == players


# --- secrets -------------------------------------------------------------------------------------


def _secrets_told(seen: Seen) -> Iterator[Diagnostic]:
    """Hidden cells whose value all others who decide can always deduce from their observations."""
    engine, states = seen.game.engine, seen.sample.states
    if not seen.is_whole or not seen.sample.has_every_visit:
        return
    movers = [engine.current_player(state) for state in states]
    played = [state for state, mover in zip(states, movers, strict=True) if mover >= 0]
    deciding = [player for player in seen.game.players if player in movers]
    for variable in seen.game.model.variables:
        for number, viewers in enumerate(variable.viewers or ()):
            others = [player for player in deciding if player not in viewers]
            if others and all(_is_told(seen, played, variable, number, other) for other in others):
                names = " and ".join(player.name for player in others)
                cell = variable.cell_name(number)
                yield seen.say(
                    "W3112",
                    variable.span,
                    f"`{cell}` is no secret: what {names} {'sees' if len(others) == 1 else 'see'}"
                    " always told its value",
                    f"hide from {names} the variable that gives the value away, or leave out"
                    " `secret`",
                )
                return


def _is_told(
    seen: Seen, states: list[State], variable: nodes.Variable, number: int, player: int
) -> bool:
    told: dict[Hashable, int] = {}
    for state in states:
        digit = state.cells[variable.offset + number]
        if digit is None:
            continue
        if told.setdefault((state.turn, seen.game.engine.view(state, player)), digit) != digit:
            return False
    return len(set(told.values())) > 1


# --- endings -------------------------------------------------------------------------------------


def _endings_all_alike(seen: Seen) -> Iterator[Diagnostic]:
    """Plays of several players that always end with equal payoffs, or that a player never wins;
    without a constant sum to divide, a player who is always paid the same."""
    model, facts, endings = seen.game.model, seen.game.facts, seen.sample.endings
    fewest = 2 if seen.is_whole and not facts.has_rewards else FEWEST_ENDINGS
    if len(model.players) < 2 or not model.end or sum(endings.values()) < fewest:
        return
    if facts.discount != 1 or (facts.has_rewards and facts.endless is not None):
        return  # endings show neither the end of play nor the payoffs of endless play
    place = model.end[0].span
    payoffs = {*endings} if facts.endless is None else {*endings, facts.endless}
    if len(payoffs) == 1:
        shares = ", ".join(str(share) for share in next(iter(endings)))
        yield seen.say(
            "W3110",
            place,
            f"every play ended with the payoffs {shares}",
            "look at the outcomes: do they tell who has won?",
        )
        return
    if facts.has_rewards:
        return  # a player paid in small rewards need not win
    is_divided = len({sum(p) for p in payoffs}) == 1
    words = "never won" if is_divided else "was always paid the same"
    for number, player in enumerate(model.players):
        paid = {p[number] for p in payoffs}
        is_ahead = any(p[number] > min(p) for p in payoffs) if is_divided else len(paid) > 1
        if not is_ahead and any(min(p) < max(p) for p in payoffs):
            yield seen.say(
                "W3110",
                place,
                f"`{player.name}` {words}, in {sum(endings.values()):,} endings",
                "look at the outcomes: whose are they?",
            )


RULES: tuple[Callable[[Seen], Iterator[Diagnostic]], ...] = (
    _moves_never_legal,
    _arguments_never_legal,
    _whose_man,
    _values_never_held,
    _secrets_told,
    _endings_all_alike,
)
