"""The checkers of other tools, run on games of the language: the complaints of each."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator

LONGEST = 60
USUAL = (
    "Observation space for each agent probably should be gymnasium.spaces.box",
    "Observation is not a NumPy array",
)
"""Said of every observation with a mask, unless PettingZoo knows the environment by name."""


def openspiel_says(name: str, plays: int = 1) -> list[str]:
    """OpenSpiel's generic test: random plays, copies, serialisation, masks, tensors, returns."""
    import pyspiel

    import gamedsl.openspiel

    assert gamedsl.openspiel
    try:
        game = pyspiel.load_game(f"gamedsl(file={name},longest={LONGEST})")
        pyspiel.random_sim_test(game, plays, True, False)
    except pyspiel.SpielError as error:
        return [str(error)]
    return []


def pettingzoo_says(name: str, cycles: int = 60) -> list[str]:
    """PettingZoo's tests of both kinds of environments, and of their seeds."""
    from pettingzoo.test import api_test, parallel_api_test, seed_test
    from pettingzoo.test.seed_test import parallel_seed_test

    from gamedsl.pettingzoo import env, parallel_env

    with _heard() as said:
        api_test(env(name, longest=LONGEST), num_cycles=cycles)
        seed_test(lambda: env(name, longest=LONGEST), num_cycles=cycles)
        parallel_api_test(parallel_env(name, longest=LONGEST), num_cycles=cycles)
        parallel_seed_test(lambda: parallel_env(name, longest=LONGEST), num_cycles=cycles)
    return [text for text in said if not text.startswith(USUAL)]


def gymnasium_says(name: str) -> list[str]:
    """Gymnasium's test of an environment."""
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    import gamedsl.gymnasium

    assert gamedsl.gymnasium
    with _heard() as said:
        check_env(gymnasium.make(f"gamedsl/{name}-v0", longest=LONGEST).unwrapped)
    return said


@contextlib.contextmanager
def _heard() -> Iterator[list[str]]:
    """The warnings and failed assertions in the context."""
    said: list[str] = []
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        try:
            yield said
        except AssertionError as error:
            said.append(str(error))
    said += [str(warning.message) for warning in caught]
