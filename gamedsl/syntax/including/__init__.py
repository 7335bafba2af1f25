"""A file and what it includes, as one text: see `gamedsl.syntax.including.expand`."""
