"""From the syntax tree to the model: names resolved, types and ranges worked out.

`program` elaborates a whole file; every part below it is given an `Elaborator`.
"""
