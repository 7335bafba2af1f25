"""Files in GDL (`.kif`), the language of general game playing, read as programs."""
