"""Advice on single positions within a time: what proves, and what estimates beside it."""
