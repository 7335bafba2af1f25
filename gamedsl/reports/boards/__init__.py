"""What stands on a board, where its squares lie, and the board as picture or text."""
