"""Derive facts about a game from the checked rules, without play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.elaborate.interests import Form, Forms, constant_of, sides_of, sum_of
from gamedsl.model.facts import BoardFacts, Facts, Sides
from gamedsl.model.model import Model
from gamedsl.model.rewriting.moments import NotToldError
from gamedsl.model.statement_facts import draws_in
from gamedsl.model.types import Scalar
from gamedsl.model.values import Atom
from gamedsl.model.walk import expressions_of_move, statements

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
    outcomes = [s for s in statements(model.end) if isinstance(s, nodes.Ending)]
    outcomes += [r.outcome for r in model.repeats if r.outcome is not None]
    outcomes += [] if model.endless is None else [model.endless]
    rewards = [s for body in bodies for s in statements(body) if isinstance(s, nodes.Reward)]
    bits, bound = _size(model.variables, len(players))
    has_secrets = any(v.viewers is not None for v in model.variables) or any(
        move.is_secret for move in model.moves
    )
    is_simultaneous = any(move.is_simultaneous for move in model.moves)
    total, partners = _interests(model, outcomes, rewards, discount)
    bounds = [_bounds(outcomes, players, player) for player in players]
    return Facts(
        players=names,
        has_chance=has_chance,
        has_secrets=has_secrets,
        is_simultaneous=is_simultaneous,
        payoff_total=total,
        utility_bounds=(min(low for low, _ in bounds), max(high for _, high in bounds)),
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
        partners=None if has_secrets or is_simultaneous else partners,
        mentions_mover=any(
            node.asks in {"turn", "me"}
            for move in model.moves
            for node in expressions_of_move(move)
        ),
        greatest=tuple(high for _, high in bounds),
        may_suit_all=any(_may_suit_all(outcome, bounds) for outcome in outcomes),
    )


def _board_facts(board: Board) -> BoardFacts:
    chains = None if board.is_grid else len(board.chains)
    return BoardFacts(len(board.squares), len(board.edges), chains)


def constant_payoffs(outcome: nodes.Outcome, players: tuple[Atom, ...]) -> tuple[Fraction, ...]:
    """The payoffs of an outcome whose parts are all constants."""
    if isinstance(outcome, nodes.Pay):
        return tuple(_number(part) for part in outcome.payoffs)
    amount = outcome.sign * (Fraction(1) if outcome.amount is None else _number(outcome.amount))
    winner = outcome.player.known
    return tuple(amount if player is winner else -amount for player in players)


def with_endless_play(model: Model) -> Model | None:
    """The model in which endless play has the outcome of the repetition rules, in place of the
    rules; None unless all rules compare whole states, and pay the same numbers."""
    varying = {variable for variable in model.variables if not variable.is_constant}
    outcomes = list[nodes.Outcome]()
    for rule in model.repeats:
        is_whole = rule.with_turn and varying <= set(rule.variables) and not rule.exempts_unchanged
        if rule.outcome is None or not is_whole or not is_constant(rule.outcome):
            return None
        outcomes.append(rule.outcome)
    payoffs = {constant_payoffs(outcome, model.players) for outcome in outcomes}
    if len(payoffs) != 1:
        return None
    return with_facts(replace(model, repeats=(), endless=outcomes[0]), model.facts.discount)


def is_constant(outcome: nodes.Outcome) -> bool:
    """Whether the parts of an outcome are all constants."""
    if isinstance(outcome, nodes.Pay):
        return all(part.known is not None for part in outcome.payoffs)
    is_amount_known = outcome.amount is None or outcome.amount.known is not None
    return is_amount_known and outcome.player.known is not None


def _number(part: nodes.Expr) -> Fraction:
    value = part.known
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
    low, high = part.type.interval
    return Fraction(low), Fraction(high)


def _is_draw(outcome: nodes.Pay) -> bool:
    """Whether all players are paid 0 in every state."""
    amounts = (*outcome.payoffs, *(amount for _, amount in outcome.named))
    return all(part.known is not None and not _number(part) for part in amounts)


def _may_suit_all(outcome: nodes.Outcome, bounds: Sequence[tuple[Fraction, Fraction]]) -> bool:
    """Whether an outcome may pay every player the greatest payoff."""
    if not isinstance(outcome, nodes.Pay):
        return len(bounds) == 1
    paid = zip(outcome.payoffs, bounds, strict=True)
    return all(_interval(payoff)[1] >= high for payoff, (_, high) in paid)


def _bounds(
    outcomes: Iterable[nodes.Outcome], players: tuple[Atom, ...], player: Atom
) -> tuple[Fraction, Fraction]:
    """Least and greatest payoff of a player; with two players, the loser's payoff is minus the
    winner's."""
    ends = set[Fraction]()
    for outcome in outcomes:
        if isinstance(outcome, nodes.Pay):
            ends.update(_interval(outcome.payoffs[players.index(player)]))
        else:
            kind = outcome.player.type
            named = [one for one in players if isinstance(kind, Scalar) and kind.admits(one)]
            signs = {1 if one is player else -1 for one in named}
            amounts = (Fraction(1),) if outcome.amount is None else _interval(outcome.amount)
            ends.update(outcome.sign * sign * end for sign in signs for end in amounts)
    return min(ends, default=Fraction(0)), max(ends, default=Fraction(0))


def _interests(
    model: Model,
    outcomes: Sequence[nodes.Outcome],
    rewards: Sequence[nodes.Reward],
    discount: Fraction,
) -> tuple[Fraction | None, Sides | None]:
    """The sum of all payoffs, if proved constant, and the two sides of several players."""
    forms, players = Forms(model), len(model.players)
    try:
        paid = [_paid(outcome, forms, players) for outcome in outcomes]
        shared = [[forms.of(amount) for _, amount in reward.shares] for reward in rewards]
    except NotToldError:
        return None, None
    total = _payoff_total(paid, shared, discount)
    in_turn_order = all(isinstance(each, nodes.Pay) and not each.named for each in outcomes)
    if players < 3 or shared or not (paid and in_turn_order):
        return total, None
    sides = sides_of([each for each in paid if each is not None])
    return total, None if discount != 1 and sides is not None and sides.total else sides


def _payoff_total(
    paid: Iterable[Sequence[Form] | None], rewards: Iterable[Sequence[Form]], discount: Fraction
) -> Fraction | None:
    """The sum of payoffs with rewards, given the payoffs of outcomes; rewards must sum to 0."""
    if any(constant_of(sum_of(shares)) != 0 for shares in rewards):
        return None
    total = _total_of({None if each is None else constant_of(sum_of(each)) for each in paid})
    return None if discount != 1 and total else total


def _paid(outcome: nodes.Outcome, forms: Forms, players: int) -> Sequence[Form] | None:
    """The payoffs of all players as forms, in any order if the players are expressions; None if
    unknown."""
    if isinstance(outcome, nodes.Win):
        return ({}, {}) if players == 2 else None
    return tuple(map(forms.of, [part for _, part in outcome.named] or outcome.payoffs))


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
        greatest=tuple(map(max, zip(*(leaf.payoffs for leaf in leaves), strict=True))),
        action_count=len(tree.labels),
        state_bits=(len(tree.nodes) - 1).bit_length(),
        state_bound=len(tree.nodes),
        endless=None,
        repeats=False,
        has_evaluate=False,
        is_tree=True,
        pays_numbers=True,
    )
