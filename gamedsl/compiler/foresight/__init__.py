"""What rules tell of the moves ahead: functions that are put beside those of a game's module."""
