"""The commands as Typer sees them: names, options and help. Each imports its body when it runs."""
