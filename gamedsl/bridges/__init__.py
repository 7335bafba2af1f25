"""Floor 6: games for the tools of others, and games of other tools as games by the contract.

The package imports nothing; each tool is an optional extra, imported by the module that needs it.
"""
