"""Functions of upper floors for lower floors, without imports.

`gamedsl/__init__.py`, above all floors and run first, registers the functions; a function imports
its floor on the first call. The module has no imports, so that `import gamedsl` is fast.

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
