"""Searches of the game tree from one state, each readable against the page that it cites."""
