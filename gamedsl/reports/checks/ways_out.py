"""Ways to write what the compiler refuses, by the words of the refusal, for `check`."""

WAYS_OUT = {
    "an operation of too many different values": "make the number a parameter of the move, or "
    "narrow the ranges of its operands",
    "division by too many different numbers": "divide by a known number, case by case",
    "division by this": "divide by a number of a small range",
    "a list that is not known": "loop over the known lists, with `where` for the chosen list",
    "an item of this list": "loop over the known places, with `where` for the chosen place",
    "a position that may lie outside its list": "loop over the known places, with `where` for the "
    "chosen place",
    "a collection whose arguments may fail": "loop over the known indices, with `where` for the "
    "chosen index",
    "a collection as an argument that may fail": "loop over the known indices, with `where` for "
    "the chosen index",
    "a fraction that is stored": "store the number of parts, and divide where the value is paid",
}
"""The construct of a refusal -> another spelling that compiles."""


def way_out(refusal: str) -> str:
    """Another spelling for a refused construct, as a further part of the line; else ""."""
    return next((f"; {way}" for construct, way in WAYS_OUT.items() if construct in refusal), "")
