"""Foresight: functions about the moves ahead, added to the functions of a game's module."""
