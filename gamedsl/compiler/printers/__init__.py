"""Printers: the intermediate representation as Python and as LLVM's assembly."""
