"""Rules as data: what a move does, told by the state before it, and what follows from that.

In: a checked model. Out: frozen data: effects, endings asked before a move, quantities that moves
only lower or raise, normal forms. What cannot be told is answered by `Unknown` with the reason.
"""
