"""Games in normal form: each player chooses one strategy, all at once, whatever the interests."""
