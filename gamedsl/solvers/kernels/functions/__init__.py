"""Functions of a game for kernels, beside the functions of the generated module."""
