"""Games as somebody who knows numba writes them by hand, one game a module.

Each module offers two jitted functions of the same shape:

perft(depth, is_bulk): plays of exactly `depth` > 0 plies; `is_bulk` counts the last ply by a
    popcount instead of carrying it out.
playouts(count, seed, lengths, outcomes): uniform random plays; writes the plies of each into
    `lengths` and adds to `outcomes`: first player wins, draws, second player wins.
"""
