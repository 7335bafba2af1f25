"""Games in normal form: all players choose a strategy simultaneously, with arbitrary interests."""
