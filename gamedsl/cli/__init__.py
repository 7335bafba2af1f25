"""Floor 8: the command line. The only floor that imports Typer and Rich; holds no game logic.

A command reads the input, calls the floors below, passes the result to `gamedsl.reports` and writes
the resulting text.
"""
