"""Parse tree to AST: a builder for each part of the language, and where each piece lies."""
