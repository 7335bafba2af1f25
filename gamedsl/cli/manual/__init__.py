"""Help of the commands: sections, examples, rare options, and old spellings."""
