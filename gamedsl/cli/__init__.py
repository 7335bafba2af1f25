"""Floor 8: the command line. The only floor that knows Typer and Rich; it decides nothing.

A command reads its input, asks the floors below, hands the result to `gamedsl.reports` and
writes the text that comes back.
"""
