"""What solving a game would take, said before it is begun."""
