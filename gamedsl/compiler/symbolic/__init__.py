"""The functions of a game carried out on sets of states, held as decision diagrams (R. E. Bryant,
"Graph-based algorithms for Boolean function manipulation", 1986): all states of a set at once.
"""
