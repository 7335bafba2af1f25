"""Searches of the game tree from a state, each readable against the page cited in the module."""
