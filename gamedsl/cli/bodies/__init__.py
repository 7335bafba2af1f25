"""What each command does, one file a command; loaded when the command runs."""
