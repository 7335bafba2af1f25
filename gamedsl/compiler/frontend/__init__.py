"""From the Python subset to the intermediate representation: kernels, and modules as text.

`text` reads a module, `specialise` makes functions for the kinds of their arguments, `expressions`
and `bodies` translate the constructs.
"""
