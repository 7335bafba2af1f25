"""The options of commands that have many: a record for a command, a field for an option."""
