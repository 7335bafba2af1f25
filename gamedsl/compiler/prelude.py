"""The prelude of a generated module: definitions of the names used by the generated functions.

`PYTHON` has the definitions in plain Python over unsigned integers of any size. Native code needs
no prelude: the names are built into the front end and the printers.
"""

from __future__ import annotations

PYTHON = """\
from gamedsl.compiler.faults import Fault

MASK = (1 << 64) - 1


def narrow(value):
    return value


def limb(value, number):
    return (value >> 64 * number) & MASK


def table(values):
    return values


def lowest(bits):
    return (bits & -bits).bit_length() - 1


def highest(bits):
    return bits.bit_length() - 1


def count_bits(bits):
    return bits.bit_count()


def nth_bit(bits, number):
    for _ in range(number):
        bits &= bits - 1
    return lowest(bits)


def deposit(bits, mask):
    out = 0
    while mask:
        out |= (mask & -mask) * (bits & 1)
        bits >>= 1
        mask &= mask - 1
    return out


def numbers(count):
    return [0] * count


class tail:
    def __init__(self, row, begin):
        self.row, self.begin = row, begin

    def __len__(self):
        return len(self.row) - self.begin

    def __getitem__(self, place):
        return self.row[self.begin + place]

    def __setitem__(self, place, value):
        self.row[self.begin + place] = value


def prefetch(row, place):
    return 0


def exchange(row, place, old, new):
    found = row[place]
    if found == old:
        row[place] = new
    return found


def mixed(stream, position):
    x = (stream + position * 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return (x ^ (x >> 31)) >> 33


def fault(site, found, place):
    raise Fault(site, found, place)
"""
