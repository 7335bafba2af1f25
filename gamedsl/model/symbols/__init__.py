"""Meanings of names during elaboration: global, local, predefined and unknown names.

The reporter of diagnostics belongs to the package, since the lookup of a name may report an error.
"""
