"""Pgx: games in JAX, many plays side by side, stepped by compiled code."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.contender import CannotRunError, need

GAMES = {"connect_four": "connect_four", "othello": "othello"}
"""Pgx's names; breakthrough is not among its games."""


def stepper(name: str, plays: int) -> Callable[[int], int]:
    """A function that makes so many steps with random actions in all plays, with observations;
    returns the number of plays that ended."""
    need("pgx", "pgx")
    if name not in GAMES:
        raise CannotRunError("not among its games")
    import jax
    import pgx
    from pgx.experimental import auto_reset

    game = pgx.make(GAMES[name])
    step = auto_reset(game.step, game.init)

    def next_states(states: object, key: object) -> tuple[object, object, object]:
        key, chosen, drawn = jax.random.split(key, 3)
        scores = jax.numpy.log(states.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(chosen, scores, axis=1)
        states = jax.vmap(step)(states, actions, jax.random.split(drawn, plays))
        return states, key, (states.terminated | states.truncated).sum()

    compiled = jax.jit(next_states)
    states = jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.PRNGKey(1), plays))
    key = jax.random.PRNGKey(2)

    def run(steps: int) -> int:
        nonlocal states, key
        ended = 0
        for _ in range(steps):
            states, key, now = compiled(states, key)
            ended += int(now)
        states.observation.block_until_ready()
        return ended

    return run
