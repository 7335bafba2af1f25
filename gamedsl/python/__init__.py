"""Floor 7: the door for Python: one function for each thing that the commands do.

Each is given a game first, loaded or as `load` takes it, and where it is about a position, that:
a state, or the moves that lead to it. What comes back is data; `print` and notebooks show it.
`gamedsl` offers these names itself. Nothing is imported here: a command that needs one of these
modules does not wait for the others.
"""
