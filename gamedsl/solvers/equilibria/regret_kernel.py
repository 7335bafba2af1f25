"""Regret minimisation on sequences, in integers, so that machine code and Python give equal
results.

A kernel (docs/CONTRIBUTING.md): plain functions over numbers and flat arrays, run as Python or
compiled. Sequences and information sets are numbered player after player; the empty sequence is
the first of each player, and parents come before children. Probabilities have `PART` bits behind
the point, gains `SCALE` where the greatest payoff is 1.

random: int64[2]: the state of the generator.
every: a plan enters the mean with probability 1 / every.
"""

from __future__ import annotations

from gamedsl.compiler.records import Array, Arrays

PART = 30
WHOLE = 1073741824
ROUGH = 12
"""Bits of a gain dropped before its multiplication by a probability."""
DROPPED = 16
"""Bits dropped from a sum of payoffs."""
LARGE = 4294967296
CHANCE = -1
TERMINAL = -4


class SequenceForm(Arrays):
    """sequence_starts, set_starts: int64[players + 1]: the first sequence and the first set of a
    player.
    firsts, widths: int64[sets]: the first sequence of a set, and the number of its sequences.
    enters: int64[sets + 1]: the first of the sequences that lead to a set, in `parents`.
    """

    sequence_starts: Array
    set_starts: Array
    firsts: Array
    widths: Array
    enters: Array
    parents: Array


class Cells(Arrays):
    """rows: int64[sequences + 1]: the first cell of a sequence.
    opposing: int64[cells, players - 1]: the other players' sequences.
    payoffs: int64[cells]: payoff of the combination to the player of the row's sequence, times
    chance; less than 2**28 in total over a plan's row.
    """

    rows: Array
    opposing: Array
    payoffs: Array


class Weights(Arrays):
    """gain_divisors, loss_divisors: int64[rounds]: the part of positive regrets, and of negative
    regrets, that is discounted after a round, as a divisor; 0: no discount.
    weights: int64[rounds]: the weight of a round's plan in the mean.
    """

    gain_divisors: Array
    loss_divisors: Array
    weights: Array


class Learnt(Arrays):
    """regrets, lasts: int64[sequences]: sum of regrets, and regrets of the last round.
    local, plan: int64[sequences]: the probability of an action in its set, and of a sequence.
    totals, gains: int64[sequences]: sum of plans, and the gain of a sequence in the current round.
    """

    regrets: Array
    lasts: Array
    local: Array
    plan: Array
    totals: Array
    gains: Array


class Tree(Arrays):
    """The tree of `history_walk`, with information sets numbered as above, for sampled plays.

    movers, places, children: int64[nodes].
    chances: int64[]: cumulative probabilities of each chance event, with `PART` bits behind the
    point; the last number of an event is greater than any number drawn.
    paid: int64[endings, players]: payoffs, less than 2**28.
    random: see `drawn`.
    above, turns: int64[nodes on the longest play]: working space for the path.
    """

    movers: Array
    places: Array
    children: Array
    chances: Array
    paid: Array
    random: Array
    above: Array
    turns: Array


def arrange(players: int, starts: Array, sequences: Array, rows: Array, order: Array) -> int:
    """List the cells of each sequence, numbered player after player, in order.

    starts: int64[players + 1]: the first sequence of each player.
    sequences: int64[cells, players]: the players' own numbers of sequences.
    rows: int64[sequences + 1]: the first place of a sequence in `order`.
    order: int64[cells * players]: cells.
    """
    count = len(sequences) // players
    for place in range(count * players):
        rows[starts[place % players] + sequences[place] + 1] += 1
    for sequence in range(len(rows) - 1):
        rows[sequence + 1] += rows[sequence]
    for back in range(count * players):
        place = count * players - 1 - back
        sequence = starts[place % players] + sequences[place] + 1
        rows[sequence] -= 1
        order[rows[sequence]] = place // players
    for sequence in range(len(rows) - 1):
        rows[sequence] = rows[sequence + 1]
    rows[len(rows) - 1] = count * players
    return count


def place_cells(
    players: int, starts: Array, sequences: Array, order: Array, scaled: Array, cells: Cells
) -> int:
    """Write the opposing sequences and the payoffs of the cells in `order` (see `arrange`).

    scaled: int64[players, cells]: the payoffs, in the units of `Cells.payoffs`.
    """
    count = len(sequences) // players
    at = 0
    for place in range(count * players):
        player = place // count
        cell = order[place]
        cells.payoffs[place] = scaled[player * count + cell]
        for other in range(players):
            if other != player:
                cells.opposing[at] = starts[other] + sequences[cell * players + other]
                at += 1
    return at


def weigh(low: int, high: int, cells: Cells, learnt: Learnt) -> int:
    """The gain of each sequence against the opponent's plan, for endings of the sequence."""
    for sequence in range(low, high):
        gain = 0
        for place in range(cells.rows[sequence], cells.rows[sequence + 1]):
            gain += learnt.plan[cells.opposing[place]] * cells.payoffs[place]
        learnt.gains[sequence] = gain >> DROPPED
    return 0


def weigh_several(low: int, high: int, width: int, cells: Cells, learnt: Learnt) -> int:
    """Like `weigh`, against `width` opponents."""
    for sequence in range(low, high):
        gain = 0
        for place in range(cells.rows[sequence], cells.rows[sequence + 1]):
            reach = WHOLE
            for cell in range(place * width, (place + 1) * width):
                reach = (reach * learnt.plan[cells.opposing[cell]]) >> PART
            gain += reach * cells.payoffs[place]
        learnt.gains[sequence] = gain >> DROPPED
    return 0


def regret(
    low: int, high: int, gain_divisor: int, loss_divisor: int, form: SequenceForm, learnt: Learnt
) -> int:
    """Update the regrets in each set; the last sets first."""
    for back in range(high - low):
        place = high - 1 - back
        first = form.firsts[place]
        behind = first + form.widths[place]
        value = 0
        for sequence in range(first, behind):
            value += learnt.local[sequence] * (learnt.gains[sequence] >> ROUGH)
        value = value >> (PART - ROUGH)
        for at in range(form.enters[place], form.enters[place + 1]):
            learnt.gains[form.parents[at]] += value
        for sequence in range(first, behind):
            last = learnt.gains[sequence] - value
            total = learnt.regrets[sequence] + last
            if total > 0:
                if gain_divisor > 0:
                    total -= total // gain_divisor
            elif loss_divisor > 0:
                total += (0 - total) // loss_divisor
            learnt.lasts[sequence] = last
            learnt.regrets[sequence] = total
    return 0


def act(low: int, high: int, foresight: int, form: SequenceForm, learnt: Learnt) -> int:
    """Choose in proportion to positive regrets, with `foresight` as if the last round came again;
    uniformly if no regret is positive."""
    for place in range(low, high):
        first = form.firsts[place]
        behind = first + form.widths[place]
        total = 0
        for sequence in range(first, behind):
            total += max(0, learnt.regrets[sequence] + foresight * learnt.lasts[sequence])
        shift = 0
        while (total >> shift) >= LARGE:
            shift += 1
        total = total >> shift
        before = 0
        for at in range(form.enters[place], form.enters[place + 1]):
            before += learnt.plan[form.parents[at]]
        for sequence in range(first, behind):
            share = WHOLE // form.widths[place]
            if total > 0:
                wanted = max(0, learnt.regrets[sequence] + foresight * learnt.lasts[sequence])
                share = ((wanted >> shift) << PART) // total
            learnt.local[sequence] = share
            learnt.plan[sequence] = (before * share) >> PART
    return 0


def learn(
    first_round: int,
    last_round: int,
    foresight: int,
    form: SequenceForm,
    cells: Cells,
    weighing: Weights,
    learnt: Learnt,
) -> int:
    """Some rounds; in each round all players learn in turn."""
    players = len(form.set_starts) - 1
    for number in range(first_round, last_round):
        for player in range(players):
            low = form.sequence_starts[player]
            high = form.sequence_starts[player + 1]
            from_set = form.set_starts[player]
            to_set = form.set_starts[player + 1]
            if players == 2:
                weigh(low, high, cells, learnt)
            else:
                weigh_several(low, high, players - 1, cells, learnt)
            regret(
                from_set,
                to_set,
                weighing.gain_divisors[number],
                weighing.loss_divisors[number],
                form,
                learnt,
            )
            act(from_set, to_set, foresight, form, learnt)
            for sequence in range(low, high):
                learnt.totals[sequence] += weighing.weights[number] * learnt.plan[sequence]
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


def sampled(node: int, player: int, tree: Tree, form: SequenceForm, learnt: Learnt) -> int:
    """The next node at which the player chooses or play ends, after samples of chance and of the
    opponents' actions."""
    while tree.movers[node] != player and tree.movers[node] != TERMINAL:
        place = tree.places[node]
        left = drawn(tree.random)
        taken = 0
        if tree.movers[node] == CHANCE:
            while left >= tree.chances[place + taken]:
                taken += 1
        else:
            act(place, place + 1, 0, form, learnt)
            last = form.widths[place] - 1
            left -= learnt.local[form.firsts[place]]
            while left >= 0 and taken < last:
                taken += 1
                left -= learnt.local[form.firsts[place] + taken]
        node = tree.children[node] + taken
    return node


def go_down(player: int, players: int, tree: Tree, form: SequenceForm, learnt: Learnt) -> int:
    """Traverse all actions of a player against one sample of chance and the opponents, and update
    the regrets (Lanctot and others 2009, section 3.2: a set is met at most once)."""
    depth = 0
    node = 0
    while True:
        node = sampled(node, player, tree, form, learnt)
        place = tree.places[node]
        if tree.movers[node] == player:
            act(place, place + 1, 0, form, learnt)
            tree.above[depth] = node
            tree.turns[depth] = 0
            depth += 1
            node = tree.children[node]
            continue
        value = tree.paid[place * players + player]
        while depth > 0:
            place = tree.places[tree.above[depth - 1]]
            first = form.firsts[place]
            learnt.gains[first + tree.turns[depth - 1]] = value
            tree.turns[depth - 1] += 1
            if tree.turns[depth - 1] < form.widths[place]:
                break
            value = 0
            for sequence in range(first, first + form.widths[place]):
                value += learnt.local[sequence] * learnt.gains[sequence]
            value = value >> PART
            for sequence in range(first, first + form.widths[place]):
                learnt.regrets[sequence] += learnt.gains[sequence] - value
            depth -= 1
        if depth == 0:
            return 0
        node = tree.children[tree.above[depth - 1]] + tree.turns[depth - 1]


def sample(
    rounds: int, every: int, players: int, tree: Tree, form: SequenceForm, learnt: Learnt
) -> int:
    """Some rounds; in each round all players traverse the tree once."""
    for _ in range(rounds):
        for player in range(players):
            go_down(player, players, tree, form, learnt)
        if drawn(tree.random) % every == 0:
            act(0, len(form.firsts), 0, form, learnt)
            for sequence in range(len(learnt.plan)):
                learnt.totals[sequence] += learnt.plan[sequence]
    return 0
