"""The measured figures of the documents: a table, and the command that works them out again."""
