"""The atlas: shipped games and what solving them gives, beside what is published."""
