"""The scripts of `examples/` for other tools run, and learn in a short time."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"


def script(name: str) -> Any:
    """The module of a script."""
    spec = spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbers(text: str, words: str) -> list[float]:
    """The numbers behind the words, one for each line with the words."""
    return [float(number) for number in re.findall(rf"{words} +([-+]?\d+\.\d+)", text)]


def test_q_learning_comes_near_best_play(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("gymnasium")
    script("q_learning").main(["--plays", "300", "--tests", "60"])
    said = capsys.readouterr().out
    (random,), (learnt,), (best,) = (
        numbers(said, f"{kind} play") for kind in ("random", "learnt", "best")
    )
    assert random < 0 < learnt <= best + 0.1
    assert learnt > best - 0.4


def test_cfr_of_openspiel_finds_the_value_of_the_card_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("pyspiel")
    script("card_game_cfr").main(["--rounds", "80"])
    said = capsys.readouterr().out
    gains = numbers(said, "gains")
    assert gains[-1] < gains[0]
    *_, learnt, exact = numbers(said.replace("1/18, ", ""), "gets")
    assert (learnt, exact) == (pytest.approx(1 / 18, abs=0.01), pytest.approx(1 / 18, abs=1e-4))


def test_cfr_br_of_openspiel_goes_to_the_value_of_kuhn_poker(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("pyspiel")
    script("card_game_cfr").main(["kuhn_poker", "--algorithm", "cfr_br", "--rounds", "40"])
    said = capsys.readouterr().out
    gains = numbers(said, "gains")
    assert gains[-1] < gains[0]
    *_, learnt, exact = numbers(said.replace("-1/18, ", ""), "gets")
    assert exact == pytest.approx(-1 / 18, abs=1e-4)
    assert abs(learnt - exact) < gains[-1] < 0.05


def test_alpha_zero_learns_by_playing_against_itself() -> None:
    np = pytest.importorskip("numpy")
    pytest.importorskip("gymnasium")
    import gamedsl
    from gamedsl.bridges.moments import Numbered

    zero = script("alpha_zero")
    learner = zero.Learner(Numbered(gamedsl.load("nim", sizes=[1, 2])), 1)
    for _ in range(4):
        learner.play(12, 12)
        learner.train(40)
    seen = learner.seen([learner.game.first])
    *_, scores, values = learner.network.forward(seen)
    legal = np.array(learner.game.first.legal(0))
    assert (
        learner.game.game.action_name(
            learner.game.first.state, int(legal[scores[0][legal].argmax()])
        )
        == "take(2, 1)"
    )
    assert values[0, 0] > 0, "the first player wins"
