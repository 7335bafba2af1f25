"""Floor 1: text to AST and back. The only floor that knows the parsing library."""
