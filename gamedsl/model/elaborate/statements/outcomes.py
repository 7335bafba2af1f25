"""Elaborate the ends of games: `p wins`, `p loses`, `draw`, `payoff ...`."""

from __future__ import annotations

from functools import reduce

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.symbols.keywords import KEYWORDS
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import BOOLEAN, UNKNOWN, describe, is_number, join, number, type_of
from gamedsl.model.values import Atom, Value
from gamedsl.source import nearest
from gamedsl.syntax import ast

WORDS_FOR_PLAYERS = ("turn", "opponent")
PAYOFF = "a payoff is a number"
Place = tuple[str, int]
"""An expression for a player, and the number of places behind that player in turn order."""


def outcome(
    elaborator: Elaborator, written: ast.Outcome, scope: Scope
) -> nodes.Win | nodes.Pay | None:
    """`p wins`, `p loses`, `draw`, `payoff ...`."""
    if not elaborator.symbols.players:
        return None  # the missing players have been reported
    match written:
        case ast.Wins() | ast.Loses():
            return _win(elaborator, written, scope)
        case ast.Draw():
            if len(elaborator.symbols.players) > 2:
                elaborator.wrong(
                    "E2101",
                    written.span,
                    "`draw` is for one or two players",
                    hint="write `payoff p: 0`",
                )
                return None
            zero = nodes.Const(written.span, number(0, 0), 0)
            return nodes.Pay(written.span, (zero,) * len(elaborator.symbols.players))
        case ast.Payoff():
            return _payoff(elaborator, written, scope)


def _payoff_for(elaborator: Elaborator, written: ast.Wins | ast.Loses) -> str:
    """A `payoff` in place of `p wins` or `p loses`: 1 to the winners, 0 to the losers."""
    player, players = elaborator.text(written.player), [p.name for p in elaborator.symbols.players]
    own, others = ("1", "0") if isinstance(written, ast.Wins) else ("0", "1")
    if player in players:
        shares = ", ".join(f"{p}: {own if p == player else others}" for p in players)
        return f"`payoff {shares}`"
    other = "q" if player != "q" else "p"
    return f"`payoff {other}: ({own} if {other} == {player} else {others})`"


def _win(elaborator: Elaborator, written: ast.Wins | ast.Loses, scope: Scope) -> nodes.Win | None:
    _look_for_unknown_winner(elaborator, written.player, scope)
    player = elaborator.expression(written.player, scope)
    amount = None if written.amount is None else elaborator.expression(written.amount, scope)
    verb = "wins" if isinstance(written, ast.Wins) else "loses"
    if len(elaborator.symbols.players) > 2:
        elaborator.wrong(
            "E2101",
            written.span,
            f"`{verb}` is for one or two players; this game has {len(elaborator.symbols.players)}",
            hint=f"write what each player gets: {_payoff_for(elaborator, written)}",
        )
        return None
    if not player.type.is_player:
        elaborator.wrong(
            "E1101",
            written.player.span,
            f"`{verb}` needs a player; this is {describe(player.type)}",
        )
        return None
    if amount is not None and not is_number(amount.type):
        assert written.amount is not None
        elaborator.wrong(
            "E1101",
            written.amount.span,
            f"how much is won is a number; this is {describe(amount.type)}",
        )
        return None
    return nodes.Win(written.span, player, amount, 1 if verb == "wins" else -1)


def _is_unknown_player(elaborator: Elaborator, name: ast.Name, scope: Scope) -> bool:
    text = name.text
    is_known = text in KEYWORDS or scope.find(text) is not None or elaborator.symbols.knows(text)
    return not is_known and looks_like_a_player(elaborator, text)


def looks_like_a_player(elaborator: Elaborator, name: str) -> bool:
    """Whether an unknown name, which could stand for every player, probably means a player: a
    misspelt word or player, or a capitalised name."""
    if len(name) == 1:
        return False
    players = [player.name for player in elaborator.symbols.players]
    return name[0].isupper() or bool(nearest(name, [*players, *WORDS_FOR_PLAYERS]))


def _look_for_unknown_winner(elaborator: Elaborator, written: ast.Expression, scope: Scope) -> None:
    """Report `p wins` without `for p in players`, with a hint."""
    if not isinstance(written, ast.Name) or scope.find(written.text) is not None:
        return
    name = written.text
    said = name in KEYWORDS or name in elaborator.reporter.broken
    is_unknown = not said and not elaborator.symbols.knows(name)
    players = [player.name for player in elaborator.symbols.players]
    if not is_unknown or nearest(name, players):
        return
    hint = f"the players are {', '.join(players)}"
    if len(name) == 1:
        hint = f"to go over all players write `for {name} in players:` above"
    message = f"unknown name `{name}`"
    elaborator.reporter.report_unknown(name, "E1001", written.span, message, hint)


def _payoff(elaborator: Elaborator, written: ast.Payoff, scope: Scope) -> nodes.Pay | None:
    players = {player.name: player for player in elaborator.symbols.players}
    entries = [(name, value) for name, value in written.entries if isinstance(name, ast.Name)]
    if len(entries) < len(written.entries) or _names_values(elaborator, entries, scope):
        return _named_payoffs(elaborator, written, scope)
    names = [name.text for name, _ in entries]
    if len(names) == 1 and names[0] not in players:
        name, value = entries[0]
        if _is_unknown_player(elaborator, name, scope):
            elaborator.expression(name, scope)
            return None
        payoffs = tuple(
            elaborator.number(value, scope.having(name.text, _player(name, player)), PAYOFF)
            for player in elaborator.symbols.players
        )
        _check_stands_for_all(elaborator, name, scope)
        return nodes.Pay(written.span, payoffs)
    values: dict[str, ast.Expression] = {}
    for name, value in entries:
        if name.text not in players or name.text in values:
            twice = name.text in values
            elaborator.wrong(
                "E2101",
                name.span,
                f"`{name.text}` has two payoffs" if twice else f"`{name.text}` is no player",
                hint=f"the players are {', '.join(players)}",
            )
        values.setdefault(name.text, value)
    amounts = {name: elaborator.number(value, scope, PAYOFF) for name, value in values.items()}
    missing = [name for name in players if name not in values]
    if missing and set(values) <= set(players):
        verb = "is" if len(missing) == 1 else "are"
        elaborator.wrong(
            "E2101",
            written.span,
            f"`payoff` must name every player; {', '.join(missing)} {verb} missing",
            hint=f"add `, {missing[0]}: ...`, or write one rule for all: `payoff p: ...`",
        )
    if missing or len(values) > len(players):
        return None
    return nodes.Pay(written.span, tuple(amounts[name] for name in players))


def _names_values(
    elaborator: Elaborator, entries: list[tuple[ast.Name, ast.Expression]], scope: Scope
) -> bool:
    """Whether a key of a `payoff` is an expression for a player, not a player's name."""
    names = {name.text for name, _ in entries}
    if names & {"turn", "opponent"}:
        return True
    is_one_rule = len(names) == 1 < len(elaborator.symbols.players)
    known = elaborator.symbols.variable_decls
    return not is_one_rule and any(name in known or scope.find(name) for name in names)


def _check_stands_for_all(elaborator: Elaborator, name: ast.Name, scope: Scope) -> None:
    """Report `payoff p: ...` if `p` stands for a player already."""
    if scope.find(name.text) is None:
        elaborator.check_free(name, scope)
        return
    elaborator.wrong(
        "E1002",
        name.span,
        f"`payoff {name.text}: ...` is for every player; `{name.text}` already stands for one here",
        hint=f"write `payoff q: ... if q == {name.text} else ...`",
    )


def _player(name: ast.Name, player: Value) -> nodes.Const:
    return nodes.Const(name.span, type_of(player), player)


def _named_payoffs(elaborator: Elaborator, written: ast.Payoff, scope: Scope) -> nodes.Pay | None:
    """The payoffs where players are expressions: `payoff turn: 1, next(turn): 0`.

    A payoff is chosen for each player by comparison. A flag tells whether the named players are
    provably all players without repetition. If the form does not prove this, the check is made in
    play.
    """
    players = elaborator.symbols.players
    keys = [_key(elaborator, key, scope) for key, _ in written.entries]
    amounts = [elaborator.number(amount, scope, PAYOFF) for _, amount in written.entries]
    if len(keys) != len(players):
        elaborator.wrong(
            "E2101",
            written.span,
            f"`payoff` must name every player once; this names {len(keys)} of {len(players)}",
            hint="for one rule for all write `payoff p: ...`",
        )
        return None
    known_keys = [key for key in keys if key is not None]
    if len(known_keys) < len(keys) or any(amount.type == UNKNOWN for amount in amounts):
        return None
    pairs = tuple(zip(known_keys, amounts, strict=True))
    places = [
        _place(elaborator, text, key)
        for (text, _), key in zip(written.entries, known_keys, strict=True)
    ]
    if len(set(places)) < len(places):
        twice = next(n for n, place in enumerate(places) if place in places[:n])
        key = written.entries[twice][0]
        elaborator.wrong("E2101", key.span, f"`{elaborator.text(key)}` has two payoffs")
        return None
    are_players = all(key.type.kinds == {"player"} for key in known_keys)
    is_proved = are_players and len({who for who, _ in places}) == 1
    payoffs = tuple(_amount_of(player, pairs) for player in players)
    return nodes.Pay(written.span, payoffs, pairs, is_proved)


def _key(elaborator: Elaborator, written: ast.Expression, scope: Scope) -> nodes.Expr | None:
    node = elaborator.expression(written, scope)
    if node.type == UNKNOWN:
        return None
    if not node.type.is_player:
        message = f"`payoff` needs players; this is {describe(node.type)}"
        elaborator.wrong("E1101", written.span, message)
        return None
    return node


def _place(elaborator: Elaborator, written: ast.Expression, key: nodes.Expr) -> Place:
    """A player as the player of an expression and a number of places behind."""
    players = elaborator.symbols.players
    if key.known in players:
        return players[0].name, players.index(key.known)
    steps = 0
    while isinstance(written, ast.Call) and written.function.text in {"next", "other"}:
        written, steps = written.arguments[0], steps + 1
    if isinstance(written, ast.Name) and written.text == "opponent":
        return "turn", (steps + 1) % len(players)
    return elaborator.text(written), steps % len(players)


def _amount_of(player: Atom, pairs: tuple[tuple[nodes.Expr, nodes.Expr], ...]) -> nodes.Expr:
    """The payoff of a player: the amount beside the equal key."""

    def choose(rest: nodes.Expr, pair: tuple[nodes.Expr, nodes.Expr]) -> nodes.Expr:
        key, amount = pair
        who = nodes.Const(key.span, type_of(player), player)
        test = nodes.Compare(key.span, BOOLEAN, "==", key, who)
        return nodes.Conditional(amount.span, join(amount.type, rest.type), test, amount, rest)

    return reduce(choose, reversed(pairs[:-1]), pairs[-1][1])
