"""Machine code of LLVM assembly, for the processor of this machine.

The text of a module becomes the bytes of an object file. The module is independent of games.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from gamedsl.compiler.printers.llvm_entry import ENTRY, LOOPS

LEVEL = 3
"""LLVM's optimisation level, from 0 to 3."""
SLOW_DEPOSIT = ("bdver4", "znver1", "znver2")
"""Processors with slow `pdep`, in many micro-operations (A. Fog, Instruction tables)."""
PIPELINE = "3"
"""Version of the passes below, part of the name of cached code; change it with the passes."""


@cache
def llvm() -> Any:
    """LLVM, loaded on first use. Raises MemoryError if there is no room for LLVM."""
    try:
        from llvmlite import binding

        binding.get_process_triple()
    except OSError as error:
        if "map" in str(error.__context__) or "memory" in str(error.__context__):
            raise MemoryError("there is no room for LLVM") from error
        raise
    return binding


def object_code(text: str) -> bytes:
    """The object file of a module. Raises RuntimeError where LLVM cannot read the text."""
    binding = llvm()
    module = binding.parse_assembly(text, binding.create_context())
    machine = target_machine(LEVEL)
    _simplify(module, _builder(machine, LEVEL))
    _put_together(module, _builder(machine, 0))
    builder = _builder(machine, LEVEL)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def quick_object_code(text: str) -> bytes:
    """The object file without passes: made twenty times as fast, with code a few times slower."""
    binding = llvm()
    module = binding.parse_assembly(text, binding.create_context())
    code: bytes = target_machine(0).emit_object(module)
    return code


def plain_object_code(text: str) -> bytes:
    """The object file after two passes within functions, with registers assigned with care: made
    a few times as slowly as quick code and many times as fast as optimised code, with the
    speed of optimised code where functions are long."""
    binding = llvm()
    module = binding.parse_assembly(text, binding.create_context())
    machine = target_machine(1)
    _make_internal(module)
    passes = binding.create_new_module_pass_manager()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, _builder(machine, 0))
    code: bytes = machine.emit_object(module)
    return code


def _builder(machine: Any, level: int) -> Any:
    """A builder of LLVM's passes for an optimisation level."""
    binding = llvm()
    options = binding.create_pipeline_tuning_options(speed_level=level)
    options.slp_vectorization = True
    return binding.create_pass_builder(machine, options)


def _simplify(module: Any, builder: Any) -> None:
    """Simplify each function with loops separately, then make all functions but the entry internal,
    so that they vanish with inlining.

    Loops are small as long as they call functions: they are unrolled, and unswitched (copied for
    each outcome of a loop-invariant condition). LLVM does so only where it does not expect a call
    to disappear, hence `internal` comes afterwards. As a result, chess plays are counted a fifth
    faster, Teeko plays more than twice as fast.
    """
    passes = builder.getFunctionPassManager()
    for function in module.functions:
        if any(LOOPS.encode() in attribute for attribute in function.attributes):
            passes.run(function, builder)
    _make_internal(module)


def _make_internal(module: Any) -> None:
    """Make all functions but the entry internal, so that callers are known."""
    for function in module.functions:
        if not function.is_declaration and function.name != ENTRY:
            function.linkage = "internal"


def _put_together(module: Any, builder: Any) -> None:
    """Inline small functions, and simplify the joined code, before all other passes. Nine men's
    morris gains a third, connect four a tenth.
    """
    passes = builder.getModulePassManager()
    passes.add_loop_rotate_pass()
    passes.add_instruction_combine_pass()
    passes.add_jump_threading_pass()
    passes.run(module, builder)


@cache
def target_machine(level: int) -> Any:
    """This machine, with an optimisation level for code generation."""
    binding = llvm()
    initialize()
    return binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=level,
        reloc="pic",
        codemodel="jitdefault",
        jit=True,
    )


@cache
def initialize() -> None:
    """Initialise LLVM for this machine."""
    llvm().initialize_native_target()
    llvm().initialize_native_asmprinter()


@cache
def can_deposit() -> bool:
    """Whether the processor deposits bits at the bits of a mask (`pdep`) in a few cycles: the bit
    with a given number is then found without an unpredictable loop.
    """
    binding = llvm()
    has_it: bool = binding.get_host_cpu_features().get("bmi2", False)
    return has_it and binding.get_host_cpu_name() not in SLOW_DEPOSIT


@cache
def machine() -> tuple[str, ...]:
    """The dependencies of machine code besides the text: the processor, LLVM, its options."""
    from llvmlite import __version__

    binding = llvm()
    return (
        binding.get_process_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
        __version__,
        PIPELINE,
    )
