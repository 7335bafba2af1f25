"""What names mean while a file is elaborated: global, local, predefined and unknown ones.

The diagnostics that are gathered meanwhile are here too, since looking up a name may give one.
"""
