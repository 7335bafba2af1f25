"""Payoff matrices as pictures and for texts: best replies underlined, equilibria marked."""
