"""Expansion of `include`: a file and the included files as one text; see
`gamedsl.syntax.including.expand`."""
