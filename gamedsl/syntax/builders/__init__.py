"""Parse tree to AST: a builder for each part of the language, and the spans of nodes."""
