"""The names and numbers that LLVM modules share with the process that calls their entry.

They stand apart from the printers: a run that reads machine code from the cache prints no module.
"""

from __future__ import annotations

ENTRY = "entry"
"""The name of the entry."""
FAILED = 77
"""The status of an entry after a failed guard."""
NOTE = "gamedsl_note_fault"
"""The function that machine code calls with the values of a failed guard."""
LOOPS = "loops"
"""The attribute of functions with loops."""
