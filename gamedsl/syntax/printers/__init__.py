"""AST to text: each construct as parts of a line, lines fitted into a page, comments kept."""
