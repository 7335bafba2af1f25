"""Gambit's files (`.efg`, `.nfg`) read as programs: explicit trees."""
