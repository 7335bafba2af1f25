"""Machine code of LLVM assembly, for the processor of this machine.

In: the text of a module. Out: the bytes of an object file. Knows nothing of games.
"""

from __future__ import annotations

from functools import cache
from typing import Any

LEVEL = 3
"""How hard LLVM tries, from 0 to 3."""


def object_code(text: str) -> bytes:
    """The object file of a module. Raises RuntimeError where LLVM cannot read the text."""
    from llvmlite import binding

    context = binding.create_context()
    module = binding.parse_assembly(text, context)
    machine = target_machine()
    options = binding.create_pipeline_tuning_options(speed_level=LEVEL)
    options.slp_vectorization = False
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


@cache
def target_machine() -> Any:
    """This machine."""
    from llvmlite import binding

    initialize()
    return binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=LEVEL,
        reloc="pic",
        codemodel="jitdefault",
        jit=True,
    )


@cache
def initialize() -> None:
    """Get LLVM ready for this machine."""
    from llvmlite.binding import initialize_native_asmprinter, initialize_native_target

    initialize_native_target()
    initialize_native_asmprinter()


@cache
def machine() -> tuple[str, ...]:
    """What machine code depends on besides the text: the processor, LLVM, what it is asked for."""
    from llvmlite import __version__, binding

    return (
        binding.get_process_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
        __version__,
        str(LEVEL),
    )
