"""Functions of upper floors that lower floors call without importing them.

`gamedsl/__init__.py`, above all floors and run before all of them, registers the functions; each
imports its floor on the first call. The module imports nothing, so that `import gamedsl` is fast.

Attributes:
    accelerator: makes the `game.accelerator.Accelerator` of a compiled engine.
    draw: the picture that a function of `reports.notebook`, by name, makes of the arguments.
    say: the words that a function of `reports.solutions.sentences`, by name, finds for a solution.
"""

TYPE_CHECKING = False  # as `typing` has it, which takes long to import

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

accelerator: "Callable[[Any], Any]"
draw: "Callable[..., str]"
say: "Callable[[str, Any], Any]"
