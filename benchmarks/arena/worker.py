"""A player in a process of its own: the adviser of the `gamedsl` on the path of modules.

Reads lines of JSON: first the game, its parameters, the seconds of processor time of a move, a
seed, and the seconds to compile and optimise before play; then the moves of a play so far, by name.
Writes for each play a move, the processor time and the method.
"""

from __future__ import annotations

import json
import sys
from random import Random
from time import perf_counter, process_time, sleep
from typing import Any

import gamedsl
from gamedsl.solvers.advice.adviser import Adviser


def main() -> None:
    """Plays until the input ends."""
    order = json.loads(sys.stdin.readline())
    game = gamedsl.load(order["game"], "auto", **order["parameters"])
    adviser = _fresh(game, order)
    state = game.initial_state()
    begun = perf_counter()
    warming = order["warming"]
    adviser.prepare(state, warming)
    while perf_counter() < begun + warming or process_time() < warming:
        adviser.estimate(state, seconds=0.3)
        sleep(0.2)
    print(json.dumps({"is_ready": True}), flush=True)
    for line in sys.stdin:
        state = game.initial_state()
        for name in json.loads(line)["moves"]:
            state = game.result(state, name)
        began = process_time()
        decision = adviser.estimate(state, seconds=order["seconds"])
        used = process_time() - began
        sleep(0.02)
        after = process_time() - began - used
        assert decision.action is not None, "a player is to move"
        told: dict[str, Any] = {
            "move": game.action_name(state, decision.action),
            "seconds": used,
            "after": after,
            "is_exact": decision.is_exact,
            "plays": decision.nodes,
        }
        print(json.dumps(told), flush=True)


def _fresh(game: gamedsl.Game, order: dict[str, Any]) -> Adviser:
    return Adviser(game, Random(order["seed"]), clock=process_time)


if __name__ == "__main__":
    main()
