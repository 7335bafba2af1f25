"""Kernels for games with chance: components, one behind the other, and values between bounds."""
