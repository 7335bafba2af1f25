"""Masks: a function that writes the legal actions as bytes, without a list of all.

`mask_module` returns a module with `write_mask(state, row, place, out, n)`, for games with a walk.
Legal actions in sets (`walks.ActionSource`) become bytes, eight at a time; the bytes of all other
actions become 0. Actions that are in no set are listed in `out` from `n` on, and their bytes are
left to the caller. The function returns the place behind the list, or -1 where no action is legal.
"""

from __future__ import annotations

from functools import partial

from gamedsl.compiler.foresight.wins import UNSHARED
from gamedsl.compiler.generated import Generated
from gamedsl.compiler.ir.spreading import BYTES, Spread
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import INT, ROW, any_of, integer, name, not_
from gamedsl.compiler.lowering.bodies import dispatch, state_functions, walks
from gamedsl.compiler.lowering.bodies.dispatch import NEXT, OUT
from gamedsl.compiler.lowering.bodies.walks import FIRST
from gamedsl.compiler.lowering.game import GameLowering
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.passes.pipeline import run_passes
from gamedsl.model.model import Model
from gamedsl.model.slicing.boards import on_squares

MASK = "write_mask"
ROW_, PLACE = name("row", ROW), name("place", INT)


def mask_module(model: Model, generated: Generated) -> Module | None:
    """The module with `write_mask`; None for games without a walk, and where only the greatest of
    the legal instances count."""
    if not generated.can_walk or any(move.greatest for move in model.moves):
        return None
    lowering = GameLowering(on_squares(model), generated.codes, generated.layout)
    lowering.program.mark = "masks"
    more = (ROW_, PLACE, OUT, NEXT)
    for player in range(len(model.players)):
        write = partial(_write_mask, lowering, player)
        state_functions.state_function(lowering, f"{MASK}_{player}", more, write)
    dispatch.dispatch(lowering, MASK, more)
    return run_passes(lowering.program.module, generated.layout, 0, UNSHARED)


def _write_mask(lowering: Lowering, player: int) -> None:
    builder = lowering.builder
    builder.assign(FIRST, NEXT)
    spread = Spread(-(-lowering.model.facts.action_count // BYTES))
    sources = walks.sources_of_all(lowering, player)
    for source in sources:
        if source.bits is not None:
            actions = {place: source.action_at(integer(place)).const for place in source.places}
            spread.add(source.bits, actions)
    for number, word in enumerate(spread.words()):
        builder.store(ROW_, PLACE + number, word)
    with builder.when(not_(any_of(source.is_some for source in sources))):
        builder.give(-1)
    builder.give(NEXT)
