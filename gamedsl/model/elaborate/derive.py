"""Derive facts about a game from the checked rules, without play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.facts import BoardFacts, Facts
from gamedsl.model.model import Model
from gamedsl.model.statement_facts import draws_in
from gamedsl.model.types import Scalar
from gamedsl.model.values import Atom
from gamedsl.model.walk import parts, statements

if TYPE_CHECKING:
    from gamedsl.model.nodes.tree import Tree


def with_facts(model: Model, discount: Fraction) -> Model:
    """The model with the facts of its rules, or of its tree; `discount` as declared."""
    return replace(model, facts=_facts_of(model, discount))


def _facts_of(model: Model, discount: Fraction) -> Facts:
    players = model.players
    names = tuple(player.name for player in players)
    if model.tree is not None:
        return _tree_facts(names, model.tree)
    bodies = (model.setup, *(move.body for move in model.moves))
    has_chance = any(map(draws_in, bodies))
    outcomes = [s for s in statements(model.end) if isinstance(s, nodes.Outcome)]
    outcomes += [r.outcome for r in model.repeats if r.outcome is not None]
    outcomes += [] if model.endless is None else [model.endless]
    rewards = [s for body in bodies for s in statements(body) if isinstance(s, nodes.Reward)]
    bits, bound = _size(model.variables, len(players))
    return Facts(
        players=names,
        has_chance=has_chance,
        has_secrets=any(v.viewers is not None for v in model.variables)
        or any(move.is_secret for move in model.moves),
        is_simultaneous=any(move.is_simultaneous for move in model.moves),
        payoff_total=_total_with_rewards(_payoff_total(outcomes, len(players)), rewards, discount),
        utility_bounds=_bounds(outcomes, len(players)),
        action_count=sum(move.size for move in model.moves),
        state_bits=bits,
        state_bound=bound,
        endless=None if model.endless is None else constant_payoffs(model.endless, players),
        repeats=bool(model.repeats),
        has_evaluate=model.evaluation is not None,
        is_tree=False,
        board=None if model.board is None else _board_facts(model.board),
        has_rewards=bool(rewards),
        discount=discount,
        pays_numbers=any(
            isinstance(outcome, nodes.Pay) and not _is_draw(outcome) for outcome in outcomes
        ),
    )


def _board_facts(board: Board) -> BoardFacts:
    chains = None if board.is_grid else len(board.chains)
    return BoardFacts(len(board.squares), len(board.edges), chains)


def constant_payoffs(outcome: nodes.Outcome, players: tuple[Atom, ...]) -> tuple[Fraction, ...]:
    """The payoffs of an outcome whose parts are all constants."""
    if isinstance(outcome, nodes.Pay):
        return tuple(_number(part) for part in outcome.payoffs)
    amount = outcome.sign * (Fraction(1) if outcome.amount is None else _number(outcome.amount))
    winner = outcome.player.value if isinstance(outcome.player, nodes.Const) else None
    return tuple(amount if player is winner else -amount for player in players)


def _number(part: nodes.Expr) -> Fraction:
    value = part.value if isinstance(part, nodes.Const) else 0
    return Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)


def _size(variables: tuple[nodes.Variable, ...], players: int) -> tuple[int, int]:
    bits = (players - 1).bit_length()
    bound = players
    for variable in variables:
        if variable.is_constant:
            continue
        bits += variable.size * (len(variable.domain) - 1).bit_length()
        bound *= prod(len(variable.domain_of(number)) for number in variable.cells)
    return bits, bound


def _interval(part: nodes.Expr) -> tuple[Fraction, Fraction]:
    if isinstance(part.type, Scalar) and part.type.has_numbers:
        low, high = part.type.interval
        return Fraction(low), Fraction(high)
    return Fraction(0), Fraction(0)


def _is_draw(outcome: nodes.Pay) -> bool:
    """Whether all players are paid 0 in every state."""
    amounts = (*outcome.payoffs, *(amount for _, amount in outcome.named))
    return all(isinstance(part, nodes.Const) and not _number(part) for part in amounts)


def _bounds(outcomes: Iterable[nodes.Outcome], players: int) -> tuple[Fraction, Fraction]:
    """Least and greatest payoff; with two players, the loser's payoff is minus the winner's."""
    lows, highs = [], []
    for outcome in outcomes:
        if isinstance(outcome, nodes.Pay):
            for part in outcome.payoffs:
                low, high = _interval(part)
                lows.append(low)
                highs.append(high)
        else:
            low, high = (
                (Fraction(1), Fraction(1)) if outcome.amount is None else _interval(outcome.amount)
            )
            signs = (outcome.sign,) if players == 1 else (1, -1)
            lows.append(min(sign * end for sign in signs for end in (low, high)))
            highs.append(max(sign * end for sign in signs for end in (low, high)))
    return (min(lows, default=Fraction(0)), max(highs, default=Fraction(0)))


def _payoff_total(outcomes: Iterable[nodes.Outcome], players: int) -> Fraction | None:
    sums: set[Fraction | None] = set()
    for outcome in outcomes:
        if isinstance(outcome, nodes.Win):
            sums.add(Fraction(0) if players == 2 else None)
        else:
            written = tuple(amount for _, amount in outcome.named)
            sums.add(_sum_of(written or outcome.payoffs))
    return _total_of(sums)


def _total_with_rewards(
    outcomes: Fraction | None, rewards: Iterable[nodes.Reward], discount: Fraction
) -> Fraction | None:
    """The sum of payoffs with rewards, given the sum for outcomes; rewards must sum to 0."""
    if any(_sum_of(tuple(amount for _, amount in reward.shares)) != 0 for reward in rewards):
        return None
    if discount != 1 and outcomes:
        return None
    return outcomes


def _sum_of(payoffs: tuple[nodes.Expr, ...]) -> Fraction | None:
    """The sum of the payoffs if known: constants, and pairs `e`, `-e`."""
    total = Fraction(0)
    rest: list[nodes.Expr] = []
    for part in payoffs:
        if isinstance(part, nodes.Const):
            total += _number(part)
        else:
            rest.append(part)
    if not rest:
        return total
    if len(rest) == 2 and (_is_negative_of(*rest) or _is_negative_of(rest[1], rest[0])):
        return total
    return None


def _is_negative_of(left: nodes.Expr, right: nodes.Expr) -> bool:
    match left, right:
        case nodes.Builtin(name="-n", arguments=(operand,)), _:
            return _alike(operand, right)
        case nodes.Arithmetic(operator="-"), nodes.Arithmetic(operator="-"):
            return _alike(left.left, right.right) and _alike(left.right, right.left)
        case _:
            return False


def _alike(left: nodes.Expr, right: nodes.Expr) -> bool:
    """Whether two expressions are written the same (spans apart)."""
    if type(left) is not type(right):
        return False
    if isinstance(left, nodes.Comprehension) or _identity(left) != _identity(right):
        return False
    pairs = zip(parts(left), parts(right), strict=False)
    return len(parts(left)) == len(parts(right)) and all(_alike(a, b) for a, b in pairs)


def _identity(node: nodes.Expr) -> object:
    """The properties that two equal nodes share besides kind and parts."""
    match node:
        case nodes.Const():
            return node.value
        case nodes.Local():
            return node.slot
        case nodes.Reading():
            return node.variable.name
        case nodes.Apply() | nodes.ApplyRecursive():
            return id(node.definition)
        case nodes.Arithmetic() | nodes.Compare() | nodes.Logic():
            return node.operator
        case nodes.Builtin():
            return node.name
        case _:
            return None


def _total_of(sums: set[Fraction | None]) -> Fraction | None:
    """The only sum; 0 without outcomes, None if the sums differ or a sum is unknown."""
    return next(iter(sums), Fraction(0)) if len(sums) < 2 else None


def _tree_facts(names: tuple[str, ...], tree: Tree) -> Facts:
    leaves = [node for node in tree.nodes if node.is_leaf]
    payoffs = [value for leaf in leaves for value in leaf.payoffs] or [Fraction(0)]
    sets = [node.information_set for node in tree.nodes if node.player >= 0]
    return Facts(
        players=names,
        has_chance=any(node.weights for node in tree.nodes),
        has_secrets=len(set(sets)) < len(sets),
        is_simultaneous=False,
        payoff_total=_total_of({sum(leaf.payoffs, Fraction(0)) for leaf in leaves}),
        utility_bounds=(min(payoffs), max(payoffs)),
        action_count=len(tree.labels),
        state_bits=(len(tree.nodes) - 1).bit_length(),
        state_bound=len(tree.nodes),
        endless=None,
        repeats=False,
        has_evaluate=False,
        is_tree=True,
        pays_numbers=True,
    )
