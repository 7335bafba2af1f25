"""What players do who do not see everything, or choose at once: exact equilibria, verified."""
