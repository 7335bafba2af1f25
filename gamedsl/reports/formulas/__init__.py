"""Formulas as a small tree, printed as text, as LaTeX and as MathML."""
