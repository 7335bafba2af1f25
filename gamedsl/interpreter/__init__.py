"""Floor 3: the reference interpreter. Executes the model directly and is the definition of the
language: a question of meaning is settled by reading it. It shares nothing with the compiler.
"""

from gamedsl.interpreter.rules import RulesInterpreter
from gamedsl.interpreter.tree import TreeInterpreter

__all__ = ["RulesInterpreter", "TreeInterpreter"]
