"""Kernels for games with chance: components in order, and values between bounds."""
