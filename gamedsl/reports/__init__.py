"""Floor 6: results in, text or JSON-ready data out. Pure functions: never solve, never print.

A folder for each kind of result holds the content and, in files `as_FORMAT`, a view per format.
Modules shared by several folders lie beside the folders.
"""
