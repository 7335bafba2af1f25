"""Declarations: the board, parameters, variables, moves, trees, claims."""
