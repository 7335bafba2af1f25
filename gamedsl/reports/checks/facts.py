"""Facts that follow from the rules, as text and as data in the schema of the machine interface."""

from __future__ import annotations

from gamedsl.model.facts import BoardFacts, Facts
from gamedsl.reports.json_text import data_of
from gamedsl.reports.paragraphs import labelled
from gamedsl.source.plurals import count


def facts_data(facts: Facts) -> dict[str, object]:
    """The facts, JSON-ready; rationals and the bound on the states as text."""
    return data_of(
        facts,
        "players has_chance has_secrets is_simultaneous payoff_sum utility_bounds action_count "
        "state_bits state_bound endless repeats has_evaluate is_tree has_rewards discount board",
        state_bound=str(facts.state_bound),
        board=None if facts.board is None else data_of(facts.board, "squares edges chains"),
    )


def facts_text(facts: Facts) -> str:
    """The facts in a few lines."""
    low, high = facts.utility_bounds
    traits = [
        f"{count(len(facts.players), 'player')}",
        "chance" if facts.has_chance else "no chance",
        *_information(facts),
    ]
    if len(facts.players) > 1:
        traits.append(f"{facts.payoff_sum}-sum")
    bits = count(facts.state_bits, "bit")
    without_past = ", without the past" if facts.repeats else ""
    return "\n".join(
        [
            labelled("  traits", ", ".join(traits), 11),
            f"  payoffs  {low} to {high}{_endless(facts)}{_on_the_way(facts)}",
            f"  actions  {facts.action_count:,} in all",
            f"  states   at most {_large(facts.state_bound)}, of {bits} each{without_past}",
            *([] if facts.board is None else [f"  board    {_board(facts.board)}"]),
        ]
    )


def _information(facts: Facts) -> list[str]:
    """The kind of information; simultaneous moves imply imperfect information."""
    if facts.is_simultaneous:
        return [*(["hidden information"] if facts.has_secrets else []), "simultaneous moves"]
    known = "hidden information" if facts.has_secrets else "perfect information"
    return [known, "moves in turn"]


def _board(board: BoardFacts) -> str:
    if board.chains is None:
        return f"{count(board.squares, 'square')}, {count(board.edges, 'pair')} of neighbours"
    points, edges = count(board.squares, "point"), count(board.edges, "edge")
    return f"{points}, {edges}, {count(board.chains, 'chain')}"


def _endless(facts: Facts) -> str:
    if facts.endless is None:
        return ""
    return f"; endless play {', '.join(str(payoff) for payoff in facts.endless)}"


def _on_the_way(facts: Facts) -> str:
    rewards = "; rewards on the way" if facts.has_rewards else ""
    return rewards if facts.discount == 1 else f"{rewards}; discount {facts.discount} a ply"


def _large(number: int) -> str:
    """A whole number, by power of ten if long."""
    text = str(number)
    return f"{number:,}" if len(text) <= 15 else f"about {text[0]}.{text[1]}e{len(text) - 1}"
