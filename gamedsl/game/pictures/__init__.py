"""The roles of variables in pictures of a game, and the parts of pictures as text."""
