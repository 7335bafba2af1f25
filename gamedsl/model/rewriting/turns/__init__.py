"""Find and use equal turns in the rules (decision 79)."""
