"""Typed statements: the contents of move bodies, effects, `setup:` and `end:`."""

from __future__ import annotations

from gamedsl.model.nodes.expressions import Clause, Expr, Variable
from gamedsl.model.values import Domain
from gamedsl.source import Span
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class SetCell:
    """`variable[indices] = value`; `proved` if the value is known to lie in the domain."""

    span: Span
    variable: Variable
    indices: tuple[Expr, ...]
    value: Expr
    proved: bool


@dataclass(frozen=True, slots=True)
class SetTurn:
    span: Span
    value: Expr


@dataclass(frozen=True, slots=True)
class Let:
    span: Span
    name: str
    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Branch:
    """`if` / `elif` / `else`."""

    span: Span
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block


@dataclass(frozen=True, slots=True)
class Loop:
    """`for`; the domain is evaluated once. `condition` (`where`) is evaluated before each round
    and may skip the round. The first round not skipped for which `going` (`while`) fails ends
    the loop."""

    span: Span
    name: str
    slot: int
    domain: Expr
    condition: Expr | None
    going: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Weighted:
    """The outcomes of a chance event with weights, evaluated under `clauses`."""

    clauses: tuple[Clause, ...]
    pairs: tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """`chance target in domain where condition`.

    The target is a cell (`variable` with `indices`), a local (`slot`), or `turn` if both are None.
    `support` lists all possible outcomes in order: an outcome's id is its position in the support.
    """

    span: Span
    name: str
    variable: Variable | None
    indices: tuple[Expr, ...]
    slot: int | None
    domain: Expr | Weighted
    condition: Expr | None
    support: Domain

    @property
    def sets_turn(self) -> bool:
        """Whether the outcome is the next player."""
        return self.variable is None and self.slot is None


@dataclass(frozen=True, slots=True)
class Again:
    span: Span


@dataclass(frozen=True, slots=True)
class Reward:
    """Rewards at once: each share (player, amount) is added to the player's earlier rewards."""

    span: Span
    shares: tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True, slots=True)
class Require:
    """A condition of every legal move; `is_late`: an `ensure`, which may stand after changes."""

    span: Span
    condition: Expr
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class Greatest:
    """`require value is greatest`: of the otherwise legal instances of a group's moves, only the
    instances with the greatest value are legal."""

    span: Span
    value: Expr


@dataclass(frozen=True, slots=True)
class Win:
    """`player wins amount` (sign 1) or `player loses amount` (sign -1), one or two players."""

    span: Span
    player: Expr
    amount: Expr | None
    sign: int


@dataclass(frozen=True, slots=True)
class Pay:
    """A payoff for every player in turn order (`draw`: zero for each).

    `named` holds players and payoffs as written if the players are expressions
    (`payoff turn: 1, opponent: 0`); `proved` if the players are certainly all players, without
    repetition.
    """

    span: Span
    payoffs: tuple[Expr, ...]
    named: tuple[tuple[Expr, Expr], ...] = ()
    proved: bool = True


Outcome = Win | Pay
Statement = (
    SetCell | SetTurn | Let | Branch | Loop | Chance | Again | Reward | Require | Greatest | Win
    | Pay
)  # fmt: skip
Block = tuple[Statement, ...]
