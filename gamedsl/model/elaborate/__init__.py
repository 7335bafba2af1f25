"""From the syntax tree to the model: names resolved, types and ranges computed.

`program` elaborates a whole file and hands an `Elaborator` to the other modules.
"""
