"""Other people's libraries, driven as their documentation shows.

A module imports its library when a function is called, so that what is not installed can be
reported and does no harm.
"""
