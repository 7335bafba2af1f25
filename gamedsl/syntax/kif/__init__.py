"""Files in GDL, the game description language of general game playing (`.kif`), read as programs."""
