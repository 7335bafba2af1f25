"""Scalars, collections and variables, and the context that all of the lowering shares."""
