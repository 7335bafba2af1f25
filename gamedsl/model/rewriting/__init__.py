"""Symbolic analysis of rules: effects of moves over the state before, and derived facts.

Results are frozen data: effects, endings asked before a move, monotone quantities, normal forms. A
failed analysis returns `Unknown` with the reason.
"""
