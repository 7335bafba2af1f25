"""Requirements of algorithms, and the errors raised for games that do not meet a requirement.

An `UnsupportedGameError` gives the reason in a single sentence. Only consequences of the rules are
tested, without exploration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import assert_never

from gamedsl.game.accelerator import Refusal, accelerator_of
from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.facts import PayoffSum
from gamedsl.source.plurals import count


class Requirement(StrEnum):
    """A property of games required by an algorithm; requirements are tested in this order."""

    PERFECT_INFORMATION = "perfect information"
    SEQUENTIAL = "sequential moves"
    DETERMINISTIC = "no chance"
    ONE_PLAYER = "one player"
    STRICTLY_COMPETITIVE = "one player, or two players or sides with opposed interests"
    ONE_NUMBER = "values that one number says for all players"
    PAID_AT_THE_END = "payoffs at the end alone"
    UNDISCOUNTED = "payoffs that count alike at any time"
    EVALUATE = "a heuristic value"
    SIMULTANEOUS = "choices at the same time"
    LAST_MOVE = "play that never returns to an earlier position"
    OPPOSED = "two players or sides with opposed interests"
    HIDDEN_FROM_ONE = "one player who does not see the whole position"
    HIDDEN_OR_SIMULTANEOUS = "hidden information, or choices at the same time"
    COUNTABLE_PLAYS = "plays of which there is a number"
    TWO_PLAYERS = "two players"
    SEVERAL_PLAYERS = "more than one player"
    FROM_THE_START = "the first position"
    PAID_ON_THE_WAY = "rewards on the way, or a discount"
    UNOPPOSED = "interests that are not opposed"
    TEAM = "players who all want the same"


EXACT_SOLVING = frozenset({Requirement.PERFECT_INFORMATION, Requirement.SEQUENTIAL})
"""Requirements of every solver of positions: the position must be the mover's whole information."""
SEARCH = EXACT_SOLVING | {Requirement.PAID_AT_THE_END}
"""Requirements of a search that evaluates only the endings of plays."""
BY_ONE_PLAY = SEARCH | {Requirement.ONE_PLAYER, Requirement.DETERMINISTIC}
"""Requirements of a search for a single play of one player."""
BY_BEST_PLAY = frozenset(
    {
        Requirement.PERFECT_INFORMATION,
        Requirement.DETERMINISTIC,
        Requirement.PAID_AT_THE_END,
        Requirement.UNOPPOSED,
    }
)
"""Requirements of a search for a single play that pays every player the most."""
SEARCH_TO_THE_END = EXACT_SOLVING | {Requirement.UNDISCOUNTED}
"""Requirements of a search that follows every play to the end and adds up all payments."""


def refuse_unless(
    game: Game,
    requires: frozenset[Requirement],
    *,
    seen: Mapping[Requirement, bool] = MappingProxyType({}),
    instead: Mapping[Requirement, str] = MappingProxyType({}),
) -> None:
    """Raises `UnsupportedGameError` for the first requirement that the game does not meet.

    `seen` overrides the facts known from the rules, for a caller who has explored every state.
    `instead` is the advice for a requirement, where an algorithm knows better than the usual
    advice.
    """
    for requirement in Requirement:
        if requirement not in requires:
            continue
        is_met = seen[requirement] if requirement in seen else _meets(game, requirement)
        if not is_met:
            reason, usual = _refusal(game, requirement)
            raise UnsupportedGameError(reason, instead.get(requirement, usual))


def meets(game: Game, requires: frozenset[Requirement]) -> bool:
    """Whether the rules meet all the requirements."""
    return all(_meets(game, requirement) for requirement in requires)


def _meets(game: Game, requirement: Requirement) -> bool:
    facts = game.facts
    match requirement:
        case Requirement.PERFECT_INFORMATION:
            return not facts.has_secrets
        case Requirement.SEQUENTIAL:
            return not facts.is_simultaneous
        case Requirement.DETERMINISTIC:
            return not facts.has_chance
        case Requirement.ONE_PLAYER:
            return len(facts.players) == 1
        case Requirement.PAID_AT_THE_END:
            return facts.pays_at_the_end
        case Requirement.UNDISCOUNTED:
            return facts.discount == 1
        case Requirement.EVALUATE:
            return facts.has_evaluate
        case Requirement.STRICTLY_COMPETITIVE | Requirement.ONE_NUMBER:
            return len(facts.players) == 1 or facts.is_opposed
        case Requirement.SIMULTANEOUS:
            return facts.is_simultaneous
        case Requirement.OPPOSED:
            return facts.is_opposed
        case Requirement.UNOPPOSED:
            return not facts.is_opposed
        case Requirement.HIDDEN_FROM_ONE:
            return facts.has_secrets and len(facts.players) == 1
        case Requirement.HIDDEN_OR_SIMULTANEOUS:
            return facts.has_secrets or facts.is_simultaneous
        case Requirement.TWO_PLAYERS:
            return len(facts.players) == 2
        case Requirement.SEVERAL_PLAYERS:
            return len(facts.players) > 1
        case Requirement.PAID_ON_THE_WAY:
            return not facts.pays_at_the_end
        case (
            Requirement.LAST_MOVE
            | Requirement.COUNTABLE_PLAYS
            | Requirement.FROM_THE_START
            | Requirement.TEAM
        ):
            return True  # the rules alone do not decide; callers who know pass `seen`
        case _:
            assert_never(requirement)


ANOTHER_SOLVER = "`solve` takes the algorithm that suits if none is named"
PLAN_INSTEAD = "`solve` gives the value of the game, and a plan for what the player has seen"
EQUILIBRIUM_INSTEAD = (
    "`solve` gives the value of the game where interests are opposed, and what both do with what "
    "they have seen"
)
EQUILIBRIA_INSTEAD = "`solve` looks for equilibria: what all do with what they have seen"
SOLVE_INSTEAD = "`solve` looks for an equilibrium, position by position"


def count_instead(game: Game) -> str:
    """Advice for a game that is not solved."""
    has_playouts = game.facts.discount == 1 and not isinstance(accelerator_of(game), Refusal)
    playouts = "`playouts` plays it at random, " if has_playouts else ""
    perft = "`perft` counts its plays, and a claim `expect infosets` its information sets"
    return playouts + perft


def _instead_of_positions(game: Game) -> str:
    """Advice for a game with imperfect information."""
    if len(game.facts.players) == 1:
        return PLAN_INSTEAD
    return EQUILIBRIUM_INSTEAD if game.facts.is_opposed else EQUILIBRIA_INSTEAD


def _instead_of_endings(game: Game) -> str:
    """Advice for a game that pays rewards on the way."""
    facts = game.facts
    is_shared = len(facts.players) > 2 or facts.payoff_sum is PayoffSum.GENERAL
    if facts.has_secrets and len(facts.players) > 1 and is_shared:
        return count_instead(game)
    return "`solve` adds everything up"


def _why_not_one_number(game: Game) -> str:
    if len(game.facts.players) > 2:
        return (
            f"{game.name} has {len(game.facts.players)} players, and no single number says what "
            "a position is worth to each of them"
        )
    return (
        f"what one player of {game.name} wins the other need not lose, so no single number says "
        "what a position is worth to both"
    )


Words = str | Callable[[Game], str]
"""Words with {name} and {players} of a game, or a function that finds words for a game."""


def _paying(game: Game) -> str:
    pays = "pays rewards on the way" if game.facts.discount == 1 else "discounts its payoffs"
    return f"{game.name} {pays}, so how a play ends does not say what it is worth"


def _returning(game: Game) -> str:
    if game.facts.is_simultaneous:
        return (
            f"players of {game.name} choose at the same time, and play can return to an earlier "
            "position, so there is no last stage to begin with"
        )
    return (
        f"play of {game.name} can return to an earlier position, so there is no last move to "
        "begin with"
    )


def _another_question(game: Game) -> str:
    return f"{SOLVE_INSTEAD}, {count_instead(game)}"


REFUSALS: Mapping[Requirement, tuple[Words, Words]] = {
    Requirement.PERFECT_INFORMATION: (
        "players of {name} do not see the whole position, so a position alone has no value",
        _instead_of_positions,
    ),
    Requirement.SEQUENTIAL: (
        "players of {name} choose at the same time, so that a position has no single player to "
        "move",
        _another_question,
    ),
    Requirement.DETERMINISTIC: (
        "{name} has chance events, so no play is sure to follow a plan",
        "use backward induction or value iteration",
    ),
    Requirement.ONE_PLAYER: (
        "{name} has {players}, and a shortest solution exists for one player only",
        "use backward induction or retrograde analysis",
    ),
    Requirement.STRICTLY_COMPETITIVE: (
        "{name} is not a game of one player, or of two with opposed interests, and where play can "
        "return to an earlier position no other game has a value that is agreed on",
        "use stationary best replies, or limit the length of play in the rules",
    ),
    Requirement.ONE_NUMBER: (_why_not_one_number, "use max^n, which gives every player a number"),
    Requirement.PAID_AT_THE_END: (_paying, _instead_of_endings),
    Requirement.UNDISCOUNTED: (_paying, _instead_of_endings),
    Requirement.EVALUATE: (
        "{name} has no `evaluate`, so a position at the depth limit is worth nothing that anybody "
        "knows",
        "write `evaluate p: ...` into the file, or search without a limit",
    ),
    Requirement.SIMULTANEOUS: ("players of {name} never choose at the same time", ANOTHER_SOLVER),
    Requirement.LAST_MOVE: (_returning, ANOTHER_SOLVER),
    Requirement.OPPOSED: ("it is for two players with opposed interests", ANOTHER_SOLVER),
    Requirement.HIDDEN_FROM_ONE: (
        "it is for one player who does not see the whole position of {name}",
        ANOTHER_SOLVER,
    ),
    Requirement.HIDDEN_OR_SIMULTANEOUS: (
        "players of {name} see the whole position, one after the other",
        ANOTHER_SOLVER,
    ),
    Requirement.COUNTABLE_PLAYS: (
        "play of {name} can return to an earlier position, so there are plays without number",
        ANOTHER_SOLVER,
    ),
    Requirement.TWO_PLAYERS: ("{name} has {players}, and it is for two", ANOTHER_SOLVER),
    Requirement.SEVERAL_PLAYERS: ("one player alone decides in {name}", ANOTHER_SOLVER),
    Requirement.FROM_THE_START: (
        "what is known in a position of {name} depends on the play that led there",
        ANOTHER_SOLVER,
    ),
    Requirement.PAID_ON_THE_WAY: (
        "nothing is paid in {name} before the end, and nothing discounted",
        ANOTHER_SOLVER,
    ),
    Requirement.UNOPPOSED: ("interests in {name} are opposed", ANOTHER_SOLVER),
    Requirement.TEAM: (
        "players of {name} do not all want the same, so that they are no team",
        count_instead,
    ),
}
"""The reason for a missing property, and the usual advice."""


def _refusal(game: Game, requirement: Requirement) -> tuple[str, str]:
    """The reason and the usual advice for a game without a required property."""
    reason, advice = REFUSALS[requirement]
    return _said(game, reason), _said(game, advice)


def _said(game: Game, words: Words) -> str:
    if callable(words):
        return words(game)
    return words.format(name=game.name, players=count(len(game.facts.players), "player"))
