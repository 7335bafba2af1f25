"""Checks of work restored from a file, before kernels rely on it."""
