"""The board of notebooks without a browser: choices, agents, chance, secrets, the extra."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.python.boards import Seating


def first_agent(view: object) -> str:
    """Plays the first legal action."""
    return str(view.action_names[0])  # type: ignore[attr-defined]


def test_choices_at_once_wait_for_every_person() -> None:
    game = gamedsl.load("rock_paper_scissors")
    alone = Seating(game, {1: first_agent}, "", 0)
    alone.choose("paper")
    assert str(alone.play) == "throw(paper)+throw(rock)"
    assert alone.play.payoffs == (1, -1)
    both = Seating(game, {}, "", 0)
    both.choose("paper")
    assert (both.shown()["asked"], both.steps) == ("B", [])
    both.choose("scissors")
    assert both.play.payoffs == (-1, 1)


def test_chance_is_drawn_and_a_player_sees_no_hidden_card() -> None:
    seating = Seating(gamedsl.load("kuhn_poker"), {1: first_agent}, "J K", 0)
    shown = seating.shown()
    assert shown["asked"] == "Ann"
    assert ">K<" not in shown["svg"]
    assert ">J<" in shown["svg"]
    seating.choose("bet")
    assert seating.play.payoffs is not None
    seating.undo()
    assert (seating.asked, len(seating.steps)) == (0, 2)
    drawn = {str(Seating(gamedsl.load("kuhn_poker"), {}, "", seed).play) for seed in range(20)}
    assert len(drawn) > 2


def test_without_the_extra_a_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "anywidget", None)
    with pytest.raises(ImportError, match=r"anywidget is not installed: pip install 'gamedsl\[w"):
        gamedsl.board("nim")


def test_the_widget_follows_the_clicks() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    widget = gamedsl.board("tic_tac_toe", {"O": first_agent})
    widget._hear(None, {"do": "choose", "name": "mark(b2)"}, [])
    assert widget.moves == ["mark(b2)", "mark(a1)"]
    assert widget.play.state == widget.state
    with pytest.raises(ValueError, match="the players are X, O; none is 'Z'"):
        gamedsl.board("tic_tac_toe", {"Z": first_agent})
