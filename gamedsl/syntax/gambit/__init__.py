"""Files of Gambit's (`.efg`, `.nfg`) read as programs: explicit trees."""
