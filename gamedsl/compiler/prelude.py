"""The first lines of a generated module: what its functions are written in terms of.

`PYTHON` makes them plain Python over unsigned integers of any size. The native prelude is in
`native`, which alone knows numba.
"""

from __future__ import annotations

PYTHON = '''\
from gamedsl.compiler.faults import Fault

ONE = 1
ZERO = 0


def compiled(function):
    return function


def word(value):
    return value


def table(values):
    return values


def lowest(bits):
    return (bits & -bits).bit_length() - 1


def highest(bits):
    return bits.bit_length() - 1


def count_bits(bits):
    return bits.bit_count()


def fault(site, found, place):
    raise Fault(site, found, place)
'''
