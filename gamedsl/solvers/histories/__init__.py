"""Graphs of states with what each player observes, and regret minimisation on them."""
