"""Exact values of a component under fixed policies of both sides: a Markov chain.

In: a component, a policy, exact exit values and the exact value of endless play. Out: one
`Fraction` per node, rewards and discounts included, or None where the numbers grow too long to be
of use. The quality of the policies is not judged.

Play in a component mostly goes forward and returns to few nodes. Every node's value is therefore
first written as a linear form of the values of these few nodes (the targets of back edges of a
depth-first search), and the remaining linear equations are solved by elimination.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from gamedsl.solvers.chance.component_game import ComponentGame, Side

MOST_UNKNOWNS = 60
"""Greatest number of equations solved here; more are left to iteration."""
MOST_BITS = 1024
"""Greatest length, in bits, of intermediate denominators."""

LinearForm = dict[int, Fraction]
"""A linear form: coefficients by node; key CONSTANT holds the constant."""
CONSTANT = -1


def markov_chain_values(
    game: ComponentGame, policy: Sequence[int], exit_values: Sequence[Fraction], endless: Fraction
) -> list[Fraction] | None:
    """Values of all nodes when play follows `policy` at both sides' nodes.

    None if the numbers grow too long, and also with rewards in play that is surely endless.
    """
    chain = _MarkovChain(game, policy, exit_values, endless)
    if game.rewards and len(chain.ending) < len(game.nodes):
        return None
    postorder, returns = chain.depth_first()
    if len(returns) > MOST_UNKNOWNS:
        return None
    linear_forms: dict[int, LinearForm] = {}
    for node in postorder:
        linear_forms[node] = chain.linear_form(node, linear_forms, returns)
        if _is_long(linear_forms[node]):
            return None
    equations = {node: dict(linear_forms[node]) for node in returns}
    if not _eliminate(equations):
        return None
    known = {node: equation[CONSTANT] for node, equation in equations.items()}
    return [
        known[node]
        if node in known
        else _evaluate(linear_forms[node], known)
        if node in linear_forms
        else endless
        for node in range(len(game.nodes))
    ]


class _MarkovChain:
    """The component game with one edge per node, except chance nodes."""

    def __init__(
        self,
        game: ComponentGame,
        policy: Sequence[int],
        exit_values: Sequence[Fraction],
        endless: Fraction,
    ) -> None:
        self.game = game
        self.exit_values = exit_values
        self.endless = endless
        self.open_edges = [
            tuple(range(len(game.edges[node]))) if side is Side.NATURE else (policy[node],)
            for node, side in enumerate(game.sides)
        ]
        self.ending = self._nodes_that_may_end()
        """Nodes that may end; play from all remaining nodes is surely endless. With a discount all
        nodes count."""

    def _nodes_that_may_end(self) -> set[int]:
        if self.game.lasting:
            return set(range(len(self.game.nodes)))
        before: dict[int, list[int]] = {}
        queue = []
        for node, edges in enumerate(self.game.edges):
            for edge in self.open_edges[node]:
                if edges[edge] < 0:
                    queue.append(node)
                else:
                    before.setdefault(edges[edge], []).append(node)
        ending = set(queue)
        for node in queue:
            for predecessor in before.get(node, ()):
                if predecessor not in ending:
                    ending.add(predecessor)
                    queue.append(predecessor)
        return ending

    def _inner(self, node: int) -> Iterable[int]:
        children = (self.game.edges[node][edge] for edge in self.open_edges[node])
        return (child for child in children if child in self.ending)

    def depth_first(self) -> tuple[list[int], set[int]]:
        """Nodes that may end, each after the successors, except the targets of back edges."""
        postorder: list[int] = []
        returns: set[int] = set()
        entered: set[int] = set()
        finished: set[int] = set()
        for root in sorted(self.ending):
            if root in entered:
                continue
            entered.add(root)
            path = [(root, iter(self._inner(root)))]
            while path:
                node, rest = path[-1]
                for child in rest:
                    if child not in entered:
                        entered.add(child)
                        path.append((child, iter(self._inner(child))))
                        break
                    if child not in finished:
                        returns.add(child)
                else:
                    path.pop()
                    finished.add(node)
                    postorder.append(node)
        return postorder, returns

    def linear_form(
        self, node: int, linear_forms: dict[int, LinearForm], returns: set[int]
    ) -> LinearForm:
        """The value of a node as a linear form of the values of `returns`."""
        game = self.game
        form: LinearForm = {CONSTANT: Fraction(0)}
        for edge in self.open_edges[node]:
            share = Fraction(game.weights[node][edge], game.totals[node])
            child = game.edges[node][edge]
            if game.is_paid and child >= 0:
                form[CONSTANT] += share * game.reward(node, edge)
                share *= game.rest(node, edge)
            if child < 0:
                form[CONSTANT] += share * self.exit_values[~child]
            elif child in returns:
                form[child] = form.get(child, Fraction(0)) + share
            elif child in self.ending:
                _add(form, share, linear_forms[child])
            else:
                form[CONSTANT] += share * self.endless
        return form


def _add(form: LinearForm, share: Fraction, addend: LinearForm) -> None:
    for key, value in addend.items():
        form[key] = form.get(key, Fraction(0)) + share * value


def _is_long(form: LinearForm) -> bool:
    return any(value.denominator.bit_length() > MOST_BITS for value in form.values())


def _evaluate(form: LinearForm, known: dict[int, Fraction]) -> Fraction:
    return sum(
        (value if key == CONSTANT else value * known[key] for key, value in form.items()),
        Fraction(0),
    )


def _eliminate(equations: dict[int, LinearForm]) -> bool:
    """Solves `value(node) = form` in place, leaving only constants; False if constants grow too
    long."""
    for pivot in equations:
        equation = equations[pivot]
        loop_share = equation.pop(pivot, Fraction(0))
        equation = {key: value / (1 - loop_share) for key, value in equation.items()}
        equations[pivot] = equation
        if _is_long(equation):
            return False
        for node, form in equations.items():
            share = form.pop(pivot, None) if node != pivot else None
            if share is not None:
                _add(form, share, equation)
    return True
