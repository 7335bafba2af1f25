"""The work of the commands, one file per command; imported when the command runs."""
