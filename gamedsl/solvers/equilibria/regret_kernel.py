"""Regret minimisation on sequences, in integers, so that machine code and Python give equal
results.

A kernel (docs/CONTRIBUTING.md): plain functions over numbers and flat arrays, run as Python or
compiled. Sequences and information sets are numbered player after player; the empty sequence is
the first of each player, and parents come before children. Probabilities have `PART` bits behind
the point, gains `SCALE` where the greatest payoff is 1.

sequence_starts, set_starts: int64[players + 1]: the first sequence and the first set of a player.
firsts, widths, parents: int64[sets]: the first sequence of a set, the number of its sequences, and
the sequence that leads to the set.
rows: int64[sequences + 1]: the first cell of a sequence.
others: int64[cells, players - 1]: the other players' sequences.
payoffs: int64[cells]: payoff of the combination to the player of the row's sequence, times chance;
less than 2**28 in total over a plan's row.
gain_divisors, loss_divisors: int64[rounds]: the part of positive regrets, and of negative regrets,
that is discounted after a round, as a divisor; 0: no discount.
weights: int64[rounds]: the weight of a round's plan in the mean.
regrets, lasts: int64[sequences]: sum of regrets, and regrets of the last round.
local, plan: int64[sequences]: the probability of an action in its set, and of a sequence.
totals, gains: int64[sequences]: sum of plans, and the gain of a sequence in the current round.

For sampled plays (`sample`), the tree is traversed (`history_tree`, with information sets numbered
as above):

movers, places, children: int64[nodes].
chances: int64[]: cumulative probabilities of each chance event, with `PART` bits behind the point;
the last number of an event is greater than any number drawn.
paid: int64[endings, players]: payoffs, less than 2**28.
every: a plan enters the mean with probability 1 / every.
random: int64[2]: the state of the generator.
above, turns: int64[nodes on the longest play]: working space for the path.
"""

from __future__ import annotations

from typing import Any

Array = Any
PART = 30
WHOLE = 1073741824
ROUGH = 12
"""Bits of a gain dropped before its multiplication by a probability."""
DROPPED = 16
"""Bits dropped from a sum of payoffs."""
LARGE = 4294967296
CHANCE = -1
TERMINAL = -4


def weigh(low: int, high: int, rows: Array, opposing: Array, payoffs: Array, plan: Array,
          gains: Array) -> int:  # fmt: skip
    """The gain of each sequence against the opponent's plan, for endings of the sequence."""
    for sequence in range(low, high):
        gain = 0
        for place in range(rows[sequence], rows[sequence + 1]):
            gain += plan[opposing[place]] * payoffs[place]
        gains[sequence] = gain >> DROPPED
    return 0


def weigh_several(low: int, high: int, width: int, rows: Array, opposing: Array, payoffs: Array,
                  plan: Array, gains: Array) -> int:  # fmt: skip
    """Like `weigh`, against `width` opponents."""
    for sequence in range(low, high):
        gain = 0
        for place in range(rows[sequence], rows[sequence + 1]):
            reach = WHOLE
            for cell in range(place * width, (place + 1) * width):
                reach = (reach * plan[opposing[cell]]) >> PART
            gain += reach * payoffs[place]
        gains[sequence] = gain >> DROPPED
    return 0


def regret(low: int, high: int, gain_divisor: int, loss_divisor: int, firsts: Array,
           widths: Array, parents: Array, local: Array, regrets: Array, lasts: Array,
           gains: Array) -> int:  # fmt: skip
    """Update the regrets in each set; the last sets first."""
    for back in range(high - low):
        place = high - 1 - back
        first = firsts[place]
        behind = first + widths[place]
        value = 0
        for sequence in range(first, behind):
            value += local[sequence] * (gains[sequence] >> ROUGH)
        value = value >> (PART - ROUGH)
        gains[parents[place]] += value
        for sequence in range(first, behind):
            last = gains[sequence] - value
            total = regrets[sequence] + last
            if total > 0:
                if gain_divisor > 0:
                    total -= total // gain_divisor
            elif loss_divisor > 0:
                total += (0 - total) // loss_divisor
            lasts[sequence] = last
            regrets[sequence] = total
    return 0


def act(low: int, high: int, foresight: int, firsts: Array, widths: Array, parents: Array,
        regrets: Array, lasts: Array, local: Array, plan: Array) -> int:  # fmt: skip
    """Choose in proportion to positive regrets, with `foresight` as if the last round came again;
    uniformly if no regret is positive."""
    for place in range(low, high):
        first = firsts[place]
        behind = first + widths[place]
        total = 0
        for sequence in range(first, behind):
            total += max(0, regrets[sequence] + foresight * lasts[sequence])
        shift = 0
        while (total >> shift) >= LARGE:
            shift += 1
        total = total >> shift
        before = plan[parents[place]]
        for sequence in range(first, behind):
            share = WHOLE // widths[place]
            if total > 0:
                wanted = max(0, regrets[sequence] + foresight * lasts[sequence])
                share = ((wanted >> shift) << PART) // total
            local[sequence] = share
            plan[sequence] = (before * share) >> PART
    return 0


def learn(first_round: int, last_round: int, foresight: int, sequence_starts: Array,
          set_starts: Array, firsts: Array, widths: Array, parents: Array, rows: Array,
          opposing: Array, payoffs: Array, gain_divisors: Array, loss_divisors: Array,
          weights: Array, regrets: Array, lasts: Array, local: Array, plan: Array,
          totals: Array, gains: Array) -> int:  # fmt: skip
    """Some rounds; in each round all players learn in turn."""
    players = len(set_starts) - 1
    for number in range(first_round, last_round):
        for player in range(players):
            low = sequence_starts[player]
            high = sequence_starts[player + 1]
            from_set = set_starts[player]
            to_set = set_starts[player + 1]
            if players == 2:
                weigh(low, high, rows, opposing, payoffs, plan, gains)
            else:
                weigh_several(low, high, players - 1, rows, opposing, payoffs, plan, gains)
            regret(from_set, to_set, gain_divisors[number], loss_divisors[number], firsts, widths,
                   parents, local, regrets, lasts, gains)  # fmt: skip
            act(from_set, to_set, foresight, firsts, widths, parents, regrets, lasts, local, plan)
            for sequence in range(low, high):
                totals[sequence] += weights[number] * plan[sequence]
    return 0


def drawn(random: Array) -> int:
    """A uniformly distributed number from 0 to 2**30 - 1 (L'Ecuyer, "Efficient and portable
    combined random number generators", Communications of the ACM 31, 1988, figure 3)."""
    random[0] = 40014 * random[0] % 2147483563
    random[1] = 40692 * random[1] % 2147483399
    difference: int = random[0] - random[1]
    if difference < 1:
        difference += 2147483562
    return difference >> 1


def sampled(node: int, player: int, movers: Array, places: Array, children: Array,
            chances: Array, random: Array, firsts: Array, widths: Array, parents: Array,
            regrets: Array, lasts: Array, local: Array, plan: Array) -> int:  # fmt: skip
    """The next node at which the player chooses or play ends, after samples of chance and of the
    opponents' actions."""
    while movers[node] != player and movers[node] != TERMINAL:
        place = places[node]
        left = drawn(random)
        taken = 0
        if movers[node] == CHANCE:
            while left >= chances[place + taken]:
                taken += 1
        else:
            act(place, place + 1, 0, firsts, widths, parents, regrets, lasts, local, plan)
            last = widths[place] - 1
            left -= local[firsts[place]]
            while left >= 0 and taken < last:
                taken += 1
                left -= local[firsts[place] + taken]
        node = children[node] + taken
    return node


def go_down(player: int, players: int, movers: Array, places: Array, children: Array,
            chances: Array, paid: Array, random: Array, firsts: Array, widths: Array,
            parents: Array, regrets: Array, lasts: Array, local: Array, plan: Array,
            gains: Array, above: Array, turns: Array) -> int:  # fmt: skip
    """Traverse all actions of a player against one sample of chance and the opponents, and update
    the regrets (Lanctot and others 2009, section 3.2: a set is met at most once)."""
    depth = 0
    node = 0
    while True:
        node = sampled(node, player, movers, places, children, chances, random, firsts, widths,
                       parents, regrets, lasts, local, plan)  # fmt: skip
        place = places[node]
        if movers[node] == player:
            act(place, place + 1, 0, firsts, widths, parents, regrets, lasts, local, plan)
            above[depth] = node
            turns[depth] = 0
            depth += 1
            node = children[node]
            continue
        value = paid[place * players + player]
        while depth > 0:
            place = places[above[depth - 1]]
            first = firsts[place]
            gains[first + turns[depth - 1]] = value
            turns[depth - 1] += 1
            if turns[depth - 1] < widths[place]:
                break
            value = 0
            for sequence in range(first, first + widths[place]):
                value += local[sequence] * gains[sequence]
            value = value >> PART
            for sequence in range(first, first + widths[place]):
                regrets[sequence] += gains[sequence] - value
            depth -= 1
        if depth == 0:
            return 0
        node = children[above[depth - 1]] + turns[depth - 1]


def sample(rounds: int, every: int, players: int, movers: Array, places: Array, children: Array,
           chances: Array, paid: Array, random: Array, firsts: Array, widths: Array,
           parents: Array, regrets: Array, lasts: Array, local: Array, plan: Array,
           totals: Array, gains: Array, above: Array, turns: Array) -> int:  # fmt: skip
    """Some rounds; in each round all players traverse the tree once."""
    for _ in range(rounds):
        for player in range(players):
            go_down(player, players, movers, places, children, chances, paid, random, firsts,
                    widths, parents, regrets, lasts, local, plan, gains, above, turns)  # fmt: skip
        if drawn(random) % every == 0:
            act(0, len(firsts), 0, firsts, widths, parents, regrets, lasts, local, plan)
            for sequence in range(len(plan)):
                totals[sequence] += plan[sequence]
    return 0
