"""Measures of a game for its designer, from plays between equal players of rising strength."""
