"""Published results beyond the `expect` lines of the shipped files, in the same words: too dear for
`gamedsl check`. A comment is the source, also of the lines below it."""

from __future__ import annotations

BOXES = """\
ones, twos, threes, fours, fives, sixes, three_alike, four_alike, full_house, small_straight, \
large_straight, yahtzee, any_dice"""
"""Of Yahtzee as it is in the shops."""

FURTHER = {
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
""",
    "mnk": """
expect value with width = 4, height = 4, run = 4: draw     # published; states by brute force
expect states with width = 4, height = 4, run = 4: 9722011
expect value with width = 4, height = 4: X wins
expect plies with width = 4, height = 4: 5
expect states with width = 4, height = 4: 6036001
""",
    "six_mens_morris": """
expect value with men = 3: draw                            # recomputed by brute force
expect states with men = 3: 375833
expect terminals with men = 3: 2832
""",
    "pig": """
expect value with goal = 100: 0.061185                     # 2 * 0.530592725 - 1, Neller and Presser
""",
    "yahtzee": f"""
expect value with boxes = [{BOXES}]: 254.589609            # T. Verhoeff, 1999; P. Woodward, 2003
expect value with boxes = [{BOXES}], extras = false: 245.870775
expect value with boxes = [sixes, yahtzee, large_straight]: 37.244393802     # recomputed
expect value with boxes = [twos, sixes, yahtzee, full_house]: 44.003912592
""",
}
