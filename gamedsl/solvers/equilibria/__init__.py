"""Exact, verified equilibria of games with imperfect information or simultaneous choices."""
