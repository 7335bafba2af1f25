"""The bodies of the commands that write rules, and explain how rules are written."""
