"""Find turns that are alike in the rules (decision 79)."""
