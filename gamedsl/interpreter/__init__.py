"""Floor 3: the reference interpreter, which executes the model directly.

The interpreter is the definition of the language: its code settles questions of meaning. The
interpreter shares no code with the compiler.
"""

from gamedsl.interpreter.rules import RulesInterpreter
from gamedsl.interpreter.tree import TreeInterpreter

__all__ = ["RulesInterpreter", "TreeInterpreter"]
