"""Sets of squares: conditions, loops and quantifiers for all squares at once."""
