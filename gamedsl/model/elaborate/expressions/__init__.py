"""Elaboration of expressions: a module per kind of expression, and a dispatcher."""
