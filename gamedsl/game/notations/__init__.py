"""Notations that the programs of a game share, for games whose rules show that a notation fits."""
