"""Kernels: loops that run inside native code, and their Python faces."""
