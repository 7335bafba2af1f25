"""The result of a match, as text, and as data in the schema of the machine interface."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamedsl.game.contract import Game
from gamedsl.reports.json_text import data_of, game_data
from gamedsl.solvers.matches.elo import WRONG, Interval, SequentialTest, ratings
from gamedsl.solvers.matches.match import Effort, MatchResult, Pair
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

CERTAIN = "95 %"
"""The probability of the intervals."""
UNITS = {
    "elo": ("ratings in Elo, on average 0", "+z.0f"),
    "points": ("points a game: 1 for a win, 1/2 for a draw", ".2f"),
}
"""The heading and the format of ratings, by unit."""


def match_text(
    game: Game, names: tuple[str, str], result: MatchResult, test: SequentialTest | None = None
) -> str:
    """Who played, the games won, drawn and lost, the difference in strength, the verdict of a
    sequential test, the effort."""
    won, drawn, lost = result.tally
    first, second = names
    games = won + drawn + lost
    told = f"{count(len(result.pairs), 'pair')}, {count(games, 'game')}"
    lines = [f"{game.name}: {first} against {second}, {told}"]
    lines.append(f"  results   {first} won {won}, drew {drawn}, lost {lost}")
    if result.elo is not None:
        lines.append(f"  Elo       {_between(result.elo, '+z.0f')}")
    lines.append(f"  payoff    {_between(result.margin, '+z.3f')} a game, more than {second}")
    if test is not None:
        lines.append(f"  test      {_verdict(test, result)}")
    for name, effort in zip(names, result.efforts, strict=True):
        lines.append(f"  time      {name}: {_effort(effort)}")
    return "\n".join(lines)


def _verdict(test: SequentialTest, result: MatchResult) -> str:
    verdict = test.verdict([pair.score for pair in result.pairs])
    if verdict is None:
        return f"not decided between {test.low:g} and {test.high:g} Elo: more pairs are needed"
    taken, other = (test.high, test.low) if verdict else (test.low, test.high)
    return f"{taken:g} Elo rather than {other:g} (wrong in about {WRONG:.0%} of matches)"


def step_text(name: str, result: MatchResult) -> str:
    """A line about a match of several."""
    won, drawn, lost = result.tally
    told = f"{name} {f'+{won} ={drawn} -{lost}':16}"
    return told.rstrip() if result.elo is None else f"{told} {_between(result.elo, '+z.0f')} Elo"


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of the players of a tournament, the strongest first.

    Attributes:
        unit: `elo`, on average 0; or, where differences in Elo are not defined, `points`: the share
            of the points, 1 for a win and 1/2 for a draw.
        of: the players with their numbers.
    """

    unit: str
    of: tuple[tuple[str, float], ...]


def rated(
    players: Sequence[str], scores: Sequence[tuple[int, int, float, int]], *, has_elo: bool
) -> Ratings:
    """The ratings after matches.

    Args:
        scores: of each match the numbers of the two players, points of the first, and games.
    """
    if has_elo:
        numbers = ratings(len(players), scores)
    else:
        points, games = [0.0] * len(players), [0] * len(players)
        for first, second, score, number in scores:
            for place, share in ((first, score), (second, number - score)):
                points[place] += share
                games[place] += number
        numbers = [total / number for total, number in zip(points, games, strict=True)]
    order = sorted(zip(players, numbers, strict=True), key=lambda pair: -pair[1])
    return Ratings("elo" if has_elo else "points", tuple(order))


def rating_text(order: Ratings) -> str:
    """The ratings, a line a player."""
    heading, form = UNITS[order.unit]
    lines = (f"{name:32} {number:{form}}" for name, number in order.of)
    return "\n".join([f"\n{heading}", *lines])


def _between(interval: Interval, form: str) -> str:
    mean, low, high = (format(n, form) for n in (interval.mean, interval.low, interval.high))
    return f"{mean} ({low} to {high}, {CERTAIN})"


def _effort(effort: Effort) -> str:
    mean = effort.seconds / max(1, effort.moves)
    told = f"{mean:.3f} s a move, {count(effort.moves, 'move')}"
    return f"{told}, {effort.unadvised} at random for lack of advice" if effort.unadvised else told


def match_data(
    game: Game, names: tuple[str, str], seed: int, result: MatchResult
) -> dict[str, object]:
    """The result with all plays, JSON-ready; payoffs are exact, as text."""
    pairs = [pair_data(pair) for pair in result.pairs]
    return {**match_head(game, names, seed), **_result_data(result), "pairs": pairs}


def series_data(
    game: Game,
    seed: int,
    results: Iterable[tuple[tuple[str, str], MatchResult]],
    order: Ratings | None = None,
) -> dict[str, object]:
    """The results of several matches, each with its two players, and the ratings, JSON-ready."""
    matches = [{"players": list(names), **_result_data(result)} for names, result in results]
    data = {**game_data(game), "seed": seed, "matches": matches}
    if order is not None:
        data["ratings"] = [{"player": name, order.unit: number + 0.0} for name, number in order.of]
    return data


def _result_data(result: MatchResult) -> dict[str, object]:
    won, drawn, lost = result.tally
    return {
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "elo": None if result.elo is None else _interval(result.elo),
        "payoff": _interval(result.margin),
        "efforts": [_effort_data(effort) for effort in result.efforts],
    }


def match_head(game: Game, names: tuple[str, str], seed: int) -> dict[str, object]:
    """The question that a match answers, JSON-ready."""
    return {**game_data(game), "players": list(names), "seed": seed}


def pair_data(pair: Pair) -> dict[str, object]:
    """A pair with its plays, JSON-ready."""
    return {
        "pair": pair.number,
        "games": [data_of(played, "seats moves payoffs") for played in pair.games],
        "efforts": [_effort_data(effort) for effort in pair.efforts],
    }


def _interval(interval: Interval) -> dict[str, object]:
    return data_of(interval, "mean low high")


def _effort_data(effort: Effort) -> dict[str, object]:
    return data_of(effort, "moves seconds unadvised", seconds=round(effort.seconds, 6))
