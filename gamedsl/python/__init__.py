"""Floor 7: the Python interface: a function per command.

The first argument is a game, loaded or as accepted by `load`; functions about a position also
accept a state, or the moves that lead to the state. Results are data, shown by `print` and
notebooks. `gamedsl` re-exports the functions. The package imports nothing, so that a command loads
only the modules needed.
"""
