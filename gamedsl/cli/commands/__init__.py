"""The commands with their own options and help. Each imports its body when it runs."""
