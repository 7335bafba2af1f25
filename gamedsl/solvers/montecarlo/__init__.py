"""Plays at random, and decisions estimated from them."""
