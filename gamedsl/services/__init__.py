"""Services for editors: findings, meanings, places, completions, changes.

Texts and offsets in, plain data out; no user interface and no protocol. Broken texts are answered
as far as they can be read.
"""
