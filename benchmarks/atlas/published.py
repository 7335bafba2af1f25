"""Published results beyond the `expect` lines of the shipped files, in the same words: too dear for
`gamedsl check`. A comment is the source, also of the lines below it."""

from __future__ import annotations

BOXES = """\
ones, twos, threes, fours, fives, sixes, three_alike, four_alike, full_house, small_straight, \
large_straight, yahtzee, any_dice"""
"""Of Yahtzee as it is in the shops."""

FURTHER = {
    "blotto_three_fields": """
expect value with own = 10, theirs = 9: (5/18, -5/18)      # by an independent linear program
""",
    "breakthrough": """
expect value with width = 5: White wins                    # recomputed by brute force
expect plies with width = 5: 5
expect states with width = 5: 102960
expect value with width = 3, height = 4: Black wins
expect plies with width = 3, height = 4: 12
expect states with width = 3, height = 4: 55152
expect value with width = 4, height = 4: Black wins
expect plies with width = 4, height = 4: 14
expect states with width = 4, height = 4: 3212224
expect value with width = 2, height = 6: White wins
expect plies with width = 2, height = 6: 15
expect states with width = 2, height = 6: 71474
expect value with width = 2, height = 7: Black wins
expect plies with width = 2, height = 7: 20
expect states with width = 2, height = 7: 298653
expect value with width = 3, height = 5: Black wins
expect plies with width = 3, height = 5: 18
expect states with width = 3, height = 5: 2418400
expect value with width = 2, height = 5: Black wins
expect plies with width = 2, height = 5: 10
expect value with width = 3, height = 6: White wins
expect plies with width = 3, height = 6: 23
expect states with width = 3, height = 6: 35546763
expect value with width = 5, height = 5: Black wins        # as the file says, 2006
""",
    "chomp": """
expect best with width = 6, height = 4: bite(c2)           # Gale; recomputed by brute force
expect best with width = 6, height = 5: bite(d3)
expect best with width = 7, height = 6: bite(e5)
expect best with width = 10, height = 8: bite(i4), bite(f5)          # two of them
""",
    "connect_four": """
expect value: Red wins                                     # J. Allen and V. Allis, 1988
""",
    "connect_small": """
expect value with width = 5, height = 4: draw              # J. Tromp's table of small boards
expect states with width = 5, height = 4: 3945711
expect value with width = 4, height = 5: draw
expect states with width = 4, height = 5: 1706255
expect value with width = 4, height = 6: draw
expect states with width = 4, height = 6: 15835683
expect states with width = 5, height = 5: 69763700
expect value with width = 6, height = 4: Yellow wins
expect plies with width = 6, height = 4: 24
expect states with width = 6, height = 4: 94910577
expect states with width = 4, height = 7: 135385909
expect states with width = 5, height = 6: 1044334437
""",
    "cram": """
expect value with width = 7, height = 2: A wins            # J. Lemoine and S. Viennot, 2011
expect value with width = 8, height = 2: B wins
expect value with width = 9, height = 2: A wins
expect value with width = 10, height = 2: B wins
expect value with width = 6: A wins
expect value with width = 7: A wins
expect value with width = 8: A wins
expect value with width = 5, height = 4: A wins
expect value with width = 6, height = 4: B wins
expect value with width = 5, height = 5: B wins
""",
    "cubic_tic_tac_toe": """
expect value: X wins                                       # published; recomputed
expect best: mark(2, b2)
""",
    "dobutsu_shogi": """
expect value with foreseen = true: Gote wins               # T. Tanaka, 2009
expect plies with foreseen = true: 77                      # he counts the capture as well: 78
""",
    "domineering": """
expect value with width = 5: Horizontal wins               # E. Berlekamp; D. Breuker and others
expect value with width = 6: Horizontal wins
expect value with width = 7: Horizontal wins
expect value with width = 8: Horizontal wins
expect value with width = 6, height = 2: Vertical wins
expect value with width = 7, height = 2: Vertical wins
expect value with width = 8, height = 2: Horizontal wins
expect value with width = 6, height = 4: Vertical wins
expect value with width = 7, height = 4: Vertical wins
expect value with width = 8, height = 4: Horizontal wins
expect value with width = 5, height = 5: Horizontal wins
expect value with width = 6, height = 5: Horizontal wins
expect value with width = 6, height = 6: Vertical wins
""",
    "dots_and_boxes": """
expect value with width = 4, height = 1: 0                 # D. Wilson's tables; recomputed
expect value with width = 5, height = 1: -1
expect value with width = 3: -2
expect value with width = 4: 2
expect value with width = 3, height = 3: -3
""",
    "hanoi": """
expect plies with discs = 8, pegs = 4: 33                  # Frame and Stewart 1941
expect states with discs = 8, pegs = 4: 65536
""",
    "hex": """
expect value with width = 4, height = 4: Red wins          # HexWiki; recomputed by brute force
expect best with width = 4, height = 4: a1, b2, c3, d4
expect value with width = 4: Red wins
expect value with height = 4: Blue wins
""",
    "hexapawn": """
expect value with width = 4, height = 5: Black wins        # recomputed by brute force
expect plies with width = 4, height = 5: 16
expect states with width = 4, height = 5: 118133
expect value with width = 4, height = 6: White wins
expect plies with width = 4, height = 6: 21
expect states with width = 4, height = 6: 442503
expect value with width = 5, height = 4: Black wins
expect plies with width = 5, height = 4: 14
expect states with width = 5, height = 4: 359894
expect value with width = 5, height = 5: White wins
expect plies with width = 5, height = 5: 19
expect states with width = 5, height = 5: 3210411
""",
    "kalah": """
expect value with pits = 3, seeds = 4: South wins          # Irving, Donkers and Uiterwijk 2000
expect value with pits = 3, seeds = 5: South wins
expect value with pits = 3, seeds = 6: North wins
expect value with pits = 4, seeds = 2: South wins
expect value with pits = 4, seeds = 3: South wins
""",
    "lights_out": """
expect states with size = 4: 4096                          # known; recomputed
expect states with size = 5: 8388608
""",
    "mnk": """
expect value with width = 4, height = 4, run = 4: draw     # published; states by brute force
expect states with width = 4, height = 4, run = 4: 9722011
expect value with width = 4, height = 4: X wins
expect plies with width = 4, height = 4: 5
expect states with width = 4, height = 4: 6036001
expect value with width = 5, height = 4, run = 4: draw     # J. Uiterwijk and J. van den Herik 2000
expect value with width = 5, height = 5, run = 4: draw
expect value with width = 6, height = 4, run = 4: draw
expect value with width = 6, height = 5, run = 4: X wins
expect value with width = 6, height = 6, run = 4: X wins
expect value with width = 5, height = 5, run = 5: draw
""",
    "peg_solitaire": """
expect plies: 31                                           # a jump takes a peg
expect states: 187636299                                   # G. Bell; recomputed by brute force
""",
    "rook_endgame": """
expect plies with size = 6: 26                             # 3 and 23; recomputed by brute force
expect plies with size = 8: 34                             # 3 and 31; published
expect value with size = 8: White wins
expect plies with size = 8, queen = true: 22               # 3 and 19; published
expect value with size = 8, queen = true: White wins
""",
    "six_mens_morris": """
expect value with men = 3: draw                            # recomputed by brute force
expect states with men = 3: 375833
expect terminals with men = 3: 2832
""",
    "pig": """
expect value with goal = 100: 0.061185                     # 2 * 0.530592725 - 1, Neller and Presser
expect value with goal = 30: 0.135829                      # recomputed, as all that follow
expect value with goal = 50: 0.092302
""",
    "teeko": """
expect value with advanced = true: Black wins              # G. Steele, 1998
expect best with advanced = true: put(c3)
""",
    "twenty_forty_eight": """
expect value with size = 3, goal = 7: 0.9999998            # recomputed by brute force
""",
    "yahtzee": f"""
expect value with boxes = [{BOXES}]: 254.589609            # T. Verhoeff, 1999; P. Woodward, 2003
expect value with boxes = [{BOXES}], extras = false: 245.870775
expect value with boxes = [sixes, yahtzee, large_straight]: 37.244393802     # recomputed
expect value with boxes = [twos, sixes, yahtzee, full_house]: 44.003912592
""",
}
