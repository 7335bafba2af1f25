"""Floor 6: results in, text or JSON-ready data out. Pure functions: never solves, never prints.

A folder for each thing that is shown. In it stands what is to be shown, and a view for each format
in a file of its own, `as_FORMAT`. What several folders write with stands beside them.
"""
