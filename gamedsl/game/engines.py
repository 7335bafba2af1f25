"""The choice of a game's engine: the interpreter, or the compiled rules.

`choose_engine` gives the engine of a checked model by name, or raises an error. All engines give
the same answers; a tree given node by node needs no compiling and has one engine.

auto: generated Python, or the interpreter where a construct cannot be compiled.
interpreter: the definition of the language.
python: generated Python.
native: generated Python for questions about single states, machine code for counting and
simulating plays (`solvers.kernels`); needs llvmlite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.errors import CannotCompileError, has_llvm
from gamedsl.compiler.kept import generated_once
from gamedsl.compiler.options import EVERYTHING, CompilerOptions
from gamedsl.model import Model
from gamedsl.source.records import dataclass

if TYPE_CHECKING:
    from gamedsl.interpreter import RulesInterpreter, TreeInterpreter

ENGINES = ("auto", "interpreter", "python", "native")
Engine: TypeAlias = "RulesInterpreter | TreeInterpreter | CompiledEngine"


class NoNativeCodeError(ImportError):
    """Native code was requested, and llvmlite is not installed."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """An engine; `fallback`: the reason why the compiled engine preferred by `auto` is not used."""

    engine: Engine
    fallback: CannotCompileError | None = None

    @property
    def reason(self) -> str | None:
        """The reason for an engine other than the compiled engine."""
        return None if self.fallback is None else str(self.fallback)


def choose_engine(model: Model, name: str, options: CompilerOptions = EVERYTHING) -> Chosen:
    """The engine of the given name for a game; `options`: the compiler's options for its rules.

    Raises:
        CannotCompileError: `python` or `native` is requested, and a construct cannot be compiled.
        NoNativeCodeError: `native` is requested without llvmlite.
    """
    if name == "native":
        require_llvm()
    fallback: CannotCompileError | None = None
    if model.tree is None and name != "interpreter":
        try:
            return Chosen(CompiledEngine(model, generated_once(model, options=options)))
        except CannotCompileError as error:
            if name != "auto":
                raise
            fallback = error
    from gamedsl.interpreter import RulesInterpreter, TreeInterpreter

    if model.tree is not None:
        return Chosen(TreeInterpreter(model))
    return Chosen(RulesInterpreter(model), fallback)


def require_llvm() -> None:
    """Raises NoNativeCodeError unless native code can be compiled on this installation."""
    if not has_llvm():
        raise NoNativeCodeError(
            "native code needs llvmlite, which is not installed here: pip install llvmlite",
            name="llvmlite",
        )
