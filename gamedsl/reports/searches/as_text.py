"""A search as the table that a student writes by hand.

The table has one row per visit, in order, with the window at entry, the value at exit and the
pruned actions; below are the decision, the counts, and the unvisited leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from gamedsl.game.contract import Game
from gamedsl.game.steps import names_along
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.reports.paragraphs import labelled, listed
from gamedsl.reports.trees.data import ValueBound
from gamedsl.reports.trees.search import SearchLog
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.pruned_leaves import PrunedLeaves
from gamedsl.solvers.textbook.trace import Event, EventKind, Path, Value
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

MARGIN = 15
MOST_LISTED = 24
"""Unvisited leaves listed at most; the rest is counted."""
_SIGNS = {
    ValueBound.EXACT: "",
    ValueBound.AT_MOST: "<= ",
    ValueBound.AT_LEAST: ">= ",
    ValueBound.ESTIMATE: "~ ",
}
HEADINGS = ("visit", "node", "player", "alpha", "beta", "value", "cut")


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit of a node.

    Attributes:
        entered: the event at entry, with the window.
        left: the event at exit, with the value; None if the search was given up inside.
        cut: the cut at the node, or None.
    """

    entered: Event
    left: Event | None
    cut: Event | None


def visits_of(events: Iterable[Event]) -> tuple[Visit, ...]:
    """The visits in a log of events, in order of entry."""
    visits: list[Visit | None] = []
    under_way: list[tuple[int, Event, Event | None]] = []
    for event in events:
        match event.kind:
            case EventKind.ENTER:
                under_way.append((len(visits), event, None))
                visits.append(None)
            case EventKind.CUT:
                place, entered, _ = under_way[-1]
                under_way[-1] = place, entered, event
            case EventKind.LEAVE:
                place, entered, cut = under_way.pop()
                visits[place] = Visit(entered, event, cut)
            case EventKind.VALUE | EventKind.NARROW:
                pass
    for place, entered, cut in under_way:
        visits[place] = Visit(entered, None, cut)
    return tuple(visit for visit in visits if visit is not None)


def trace_text(game: Game, log: SearchLog, decision: Decision, pruned: PrunedLeaves) -> str:
    """The table, and the result below."""
    root = log.events[0].state
    rows = list(table_rows(game, log))
    return "\n\n".join((_table(rows), summary_text(game, root, decision, pruned)))


def summary_text(
    game: Game, root: State, decision: Decision, pruned: PrunedLeaves | None = None
) -> str:
    """The decision, the counts and the unvisited leaves."""
    lines = [labelled(word, text, MARGIN) for word, text in _facts(game, decision)]
    if pruned is not None:
        lines.append(labelled("never visited", _never(game, root, pruned), MARGIN))
    return "\n".join(lines)


def play_name(game: Game, root: State, path: Path) -> str:
    """The names of the actions on a path: `a2 c3`; `root` for the empty path."""
    return " ".join(names_along(game, root, path)) or "root"


def value_text(value: Value | None) -> str:
    """A number or a vector: `3`, `(1, 2, 6)`; "" without a value."""
    if value is None:
        return ""
    if isinstance(value, Fraction):
        return str(value)
    return f"({', '.join(map(str, value))})"


def value_owner(game: Game, decision: Decision) -> str | None:
    """The player whose payoffs the numbers of a search are; None for vectors."""
    if isinstance(decision.value, tuple):
        return None
    return game.players[decision.maximizer].name


def table_rows(game: Game, log: SearchLog) -> Iterator[tuple[str, ...]]:
    """The cells of the rows under `HEADINGS`; nodes are indented by depth."""
    names: dict[Path, str] = {}
    states: dict[Path, State] = {}
    for number, visit in enumerate(visits_of(log.events), start=1):
        event = visit.entered
        path = event.path
        states[path] = event.state
        if path and path not in names:
            names[path] = game.action_name(states[path[:-1]], path[-1])
        node = "  " * len(path) + names.get(path, "root")
        yield (
            str(number),
            node,
            player_name(game, event.player),
            _bound_text(event.alpha, "-inf"),
            _bound_text(event.beta, "+inf"),
            _value(visit, log),
            _cut_text(game, visit),
        )


def player_name(game: Game, player: int) -> str:
    """The player to move at a node: a name, `chance`, `all` at once, or `end`."""
    if player in (CHANCE, SIMULTANEOUS):
        return "chance" if player == CHANCE else "all"
    return "end" if player == TERMINAL else game.players[player].name


def _facts(game: Game, decision: Decision) -> Iterator[tuple[str, str]]:
    yield "algorithm", decision.algorithm + _limit_text(decision)
    owner = value_owner(game, decision)
    value = value_text(decision.value) if owner is None else f"{owner}: {decision.value}"
    yield "value", value + ("" if decision.is_exact else ", an estimate")
    if decision.action is not None:
        name = next(m.name for m in decision.moves if m.action == decision.action)
        yield "decision", name
    if decision.line:
        yield "best play", listed(decision.line, MOST_LISTED)
    if decision.ties is not None:
        yield "ties", decision.ties
    if any(move.visits for move in decision.moves):
        yield "simulated", count(decision.nodes, "play")
    else:
        yield "visited", f"{count(decision.nodes, 'node')}, of them {_leaves(decision.leaves)}"


def _limit_text(decision: Decision) -> str:
    return "" if decision.depth is None else f" to depth {decision.depth}"


def _leaves(number: int) -> str:
    return "1 leaf" if number == 1 else f"{number:,} leaves"


def _never(game: Game, root: State, pruned: PrunedLeaves) -> str:
    leaf_count = len(pruned.leaves)
    if not pruned.is_complete:
        return f"more than {_leaves(leaf_count)}, too many to count here"
    if not leaf_count:
        return "no leaf: nothing was cut"
    names = [play_name(game, root, path) for path in pruned.leaves[:MOST_LISTED]]
    more = f"  ... and {leaf_count - MOST_LISTED:,} more" if leaf_count > MOST_LISTED else ""
    return f"{_leaves(leaf_count)}: {listed(name + ',' for name in names).rstrip(',')}{more}"


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows under their headings; empty columns are left out."""
    windowed = any(row[3] != "-inf" or row[4] != "+inf" or row[6] for row in rows)
    columns = [0, 1, 2, 3, 4, 5, 6] if windowed else [0, 1, 2, 5]
    grid = [HEADINGS, *rows]
    widths = {column: max(len(row[column]) for row in grid) for column in columns}
    lines = []
    for row in grid:
        cells = [_aligned(row[column], widths[column], column) for column in columns if column < 6]
        line = "  ".join(cells)
        cut = row[6] if windowed else ""
        lines.append(labelled(line, cut, len(line) + 2) if cut else line.rstrip())
    return "\n".join(lines)


def _aligned(text: str, width: int, column: int) -> str:
    is_number = column in (0, 3, 4, 5)
    return text.rjust(width) if is_number else text.ljust(width)


def _value(visit: Visit, log: SearchLog) -> str:
    """The value, marked as a bound (`<= 2`) or an estimate (`~ 2`) if not exact."""
    if visit.left is None:
        return "..."
    sign = _SIGNS[log.known[visit.left.path].bound]
    return sign + value_text(visit.left.value)


def _cut_text(game: Game, visit: Visit) -> str:
    """`c2, c3: 2 <= alpha 3`: the pruned actions, and the reason."""
    cut = visit.cut
    if cut is None:
        return ""
    names = ", ".join(game.action_name(cut.state, action) for action in cut.pruned)
    value = _number(cut)
    if cut.beta is not None and value >= cut.beta:
        return f"{names}: {value} >= beta {cut.beta}"
    if cut.alpha is not None and value <= cut.alpha:
        return f"{names}: {value} <= alpha {cut.alpha}"
    return f"{names}: only probed"


def _number(event: Event) -> Fraction:
    assert isinstance(event.value, Fraction), "only numbers are compared with a window"
    return event.value


def _bound_text(bound: Fraction | None, unbounded: str) -> str:
    return unbounded if bound is None else str(bound)
