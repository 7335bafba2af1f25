"""Explanations of refused lines: from the error of the parser to a sentence that teaches."""
