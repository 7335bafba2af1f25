"""What is wrong with a refused line: from the error of the parser to a sentence that teaches."""
