"""Lists all states of a game, with what each player sees."""
