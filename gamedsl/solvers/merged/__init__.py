"""Histories up to symmetries and the order of tries, for games with hidden information."""
