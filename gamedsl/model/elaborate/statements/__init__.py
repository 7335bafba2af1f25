"""Statements: blocks, changes of the state, chance events, the ends of games."""
