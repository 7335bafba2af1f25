"""Floor 6: games for OpenSpiel, PettingZoo and Gymnasium, and games of OpenSpiel by the contract.

The package imports nothing; each tool is an optional extra, imported by the tool's module alone.
"""
