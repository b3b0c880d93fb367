"""Exact lengths: rational numbers and sums of square roots of rational numbers, compared without rounding.

A move of several legs is a sum of roots, and so is the gap between two round bases less their radii. Such a sum is
first estimated in floats with a bound on the error; where that leaves its sign open, integer square roots of growing
precision bound it. Whether it is zero is not searched for but proven: roots of one square class are joined, and roots
of different square classes are linearly independent over the rationals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from math import isqrt, sqrt

ZERO, ONE = Fraction(0), Fraction(1)

_NUMBER = re.compile(r"(?:(?P<whole>\d+)\s+)?(?P<upper>\d+)\s*/\s*(?P<lower>\d+)|(?P<decimal>\d+(?:\.\d*)?|\.\d+)")
_MOST_DIGITS = 40


def length(text: str) -> Fraction:
    """A length as players write it: '6', '5.25', '7 1/2', '7 1/2"', '6in'. Exact, never a float.

    Raises ValueError, quoting the text, when it is not a length or is negative.
    """
    trimmed = text.strip()
    for unit in ("inches", "inch", "in", '"', "”", "″"):
        if trimmed.endswith(unit):
            trimmed = trimmed[: -len(unit)].rstrip()
            break
    match = _NUMBER.fullmatch(trimmed) if len(trimmed) <= _MOST_DIGITS and trimmed.isascii() else None
    if match is None:
        raise ValueError(f'{text[:60]!r} is not a length, such as 6, 5.25, 21/4 or 7 1/2"')
    if match["decimal"] is not None:
        return Fraction(match["decimal"])
    if int(match["lower"]) == 0:
        raise ValueError(f"{text[:60]!r} divides by zero")
    return int(match["whole"] or 0) + Fraction(int(match["upper"]), int(match["lower"]))


def about(number: Fraction | int) -> float:
    """The float nearest to a rational number: `float(number)`, without its detours."""
    upper, lower = number.as_integer_ratio()
    return upper / lower


class Length:
    """An exact number of inches: `rational` plus the sum of `factor * sqrt(radicand)` over `roots`.

    May be negative: a margin is the length by which a limit is kept (or, below zero, broken).
    """

    __slots__ = ("_about", "_doubt", "rational", "roots")

    def __init__(self, rational: Fraction | int = ZERO, roots: Iterable[tuple[Fraction, Fraction]] = ()) -> None:
        self.rational = rational if isinstance(rational, Fraction) else Fraction(rational)
        self.roots = tuple(roots)
        total = 0.0 if self.rational is ZERO else about(self.rational)
        size = abs(total)
        for factor, radicand in self.roots:
            term = sqrt(about(radicand))
            if factor is not ONE:
                term *= about(factor)
            total += term
            size += abs(term)
        self._about = total
        self._doubt = size * (len(self.roots) + 8) * 2.0**-52 + 1e-300

    def __add__(self, other: Length | Fraction | int) -> Length:
        if isinstance(other, Length):
            return Length(self.rational + other.rational, self.roots + other.roots)
        return Length(self.rational + other, self.roots)

    __radd__ = __add__

    def __neg__(self) -> Length:
        return Length(-self.rational, [(-factor, radicand) for factor, radicand in self.roots])

    def __sub__(self, other: Length | Fraction | int) -> Length:
        return self + -other

    def __rsub__(self, other: Fraction | int) -> Length:
        return -self + other

    def __mul__(self, factor: Fraction | int) -> Length:
        return Length(self.rational * factor, [(one * factor, radicand) for one, radicand in self.roots])

    __rmul__ = __mul__

    def __abs__(self) -> Length:
        return -self if self.sign() < 0 else self

    def __float__(self) -> float:
        return self._about

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Length, Fraction, int)):
            return NotImplemented
        return self._against(other) == 0

    def __lt__(self, other: Length | Fraction | int) -> bool:
        return self._against(other) < 0

    def __le__(self, other: Length | Fraction | int) -> bool:
        return self._against(other) <= 0

    def __gt__(self, other: Length | Fraction | int) -> bool:
        return self._against(other) > 0

    def __ge__(self, other: Length | Fraction | int) -> bool:
        return self._against(other) >= 0

    def _against(self, other: Length | Fraction | int) -> int:
        """The sign of the difference. Floats answer where it is far from 0."""
        if isinstance(other, Length):
            off, doubt = self._about - other._about, self._doubt + other._doubt
        else:
            number = about(other)
            off, doubt = self._about - number, self._doubt + abs(number) * 2.0**-50
        if abs(off) > 2 * doubt:
            return 1 if off > 0 else -1
        if isinstance(other, Length) and self.roots == other.roots:
            return (self.rational > other.rational) - (self.rational < other.rational)
        return (self - other).sign()

    def __hash__(self) -> int:
        return hash(self.shown())

    def __repr__(self) -> str:
        return f"Length({self.shown()})"

    def sign(self) -> int:
        """-1, 0 or 1. Always decided."""
        if abs(self._about) > self._doubt:
            return 1 if self._about > 0 else -1
        if len(self.roots) == 1:
            return _sign_of_one(self.rational, *self.roots[0])
        rational, roots = self._simplest()
        if not roots:
            return (rational > 0) - (rational < 0)
        bits = 64
        while True:
            low, high = _bounds(rational, roots, bits)
            if low > 0:
                return 1
            if high < 0:
                return -1
            bits *= 2

    def is_rational(self) -> bool:
        """Whether it is a rational number."""
        return not self._simplest()[1]

    def floor(self) -> int:
        """The largest whole number that is not greater."""
        guess = int(self._about // 1)
        while (self - guess).sign() < 0:
            guess -= 1
        while (self - (guess + 1)).sign() >= 0:
            guess += 1
        return guess

    def shown(self, places: int = 3) -> str:
        """As a decimal, rounded half away from zero: "6.708"; "6" and "0.5" where that is the number itself."""
        if not self.roots:
            return _decimal(self.rational, places)
        if self.sign() < 0:
            text = (-self).shown(places)
            return f"-{text}" if text.strip("0.") else text
        scale = 10**places
        about, doubt = self._about * scale, 2 * self._doubt * scale
        units = round(about)
        # Floats answer where they lie far from a whole number of the last place, and from half of one.
        if doubt < abs(about - units) < 0.5 - doubt:
            return _digits(units, places, whole=False)
        units = (self * scale + Fraction(1, 2)).floor()
        return _digits(units, places, whole=self == Fraction(units, scale))

    def _simplest(self) -> tuple[Fraction, list[tuple[Fraction, int]]]:
        """The same number with whole radicands of different square classes, none of them a square, no factor zero."""
        rational = self.rational
        classes: list[tuple[Fraction, int]] = []
        for factor, radicand in self.roots:
            number = radicand.numerator * radicand.denominator
            factor = factor / radicand.denominator
            if number == 0 or factor == 0:
                continue
            root = isqrt(number)
            if root * root == number:
                rational += factor * root
                continue
            for place, (other_factor, other) in enumerate(classes):
                common = isqrt(number * other)
                if common * common == number * other:
                    classes[place] = (other_factor + factor * Fraction(common, other), other)
                    break
            else:
                classes.append((factor, number))
        return rational, [(factor, number) for factor, number in classes if factor]


def _sign_of_one(rational: Fraction, factor: Fraction, radicand: Fraction) -> int:
    """The sign of a rational number and one root: that of the one whose square is greater."""
    (a, of), (b, part), (c, whole) = (one.as_integer_ratio() for one in (rational, factor, radicand))
    one, other = a * a * part * part * whole, b * b * c * of * of
    sign = b if other > one else a if one > other or (a > 0) == (b > 0) else 0
    return (sign > 0) - (sign < 0)


def _decimal(number: Fraction, places: int) -> str:
    """A rational number as `Length.shown` shows it."""
    upper, lower = number.numerator, number.denominator
    if upper < 0:
        text = _decimal(-number, places)
        return f"-{text}" if text.strip("0.") else text
    units = (2 * upper * 10**places + lower) // (2 * lower)
    return _digits(units, places, whole=units * lower == upper * 10**places)


def _digits(units: int, places: int, *, whole: bool) -> str:
    """So many units of the last place as a decimal; `whole`: they are the number itself, so that zeros at the end go."""
    before, after = divmod(units, 10**places)
    digits = f"{after:0{places}d}"
    if whole:
        digits = digits.rstrip("0")
    return f"{before}.{digits}" if digits else str(before)


def _bounds(rational: Fraction, roots: list[tuple[Fraction, int]], bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of a number, times 2**bits."""
    low = high = rational * (1 << bits)
    for factor, number in roots:
        root = isqrt(number << (2 * bits))
        ends = (factor * root, factor * (root + 1))
        low += min(ends)
        high += max(ends)
    return low, high


def root(radicand: Fraction | int) -> Length:
    """The square root of a rational number that is not negative."""
    if not isinstance(radicand, Fraction):
        radicand = Fraction(radicand)
    if radicand.numerator < 0:
        raise ValueError(f"{radicand} has no real root")
    return Length(ZERO, ((ONE, radicand),))


def total(lengths: Iterable[Length]) -> Length:
    """The sum of some lengths."""
    rational = ZERO
    roots: list[tuple[Fraction, Fraction]] = []
    for one in lengths:
        rational += one.rational
        roots += one.roots
    return Length(rational, roots)


def shown(number: Length | Fraction | int, places: int = 3) -> str:
    """A number of inches as a decimal: see `Length.shown`."""
    if type(number) is Fraction:
        return _decimal(number, places)
    return number.shown(places) if isinstance(number, Length) else _decimal(Fraction(number), places)


def inches(length: Length | Fraction | int) -> str:
    """`0.7 inch`, `2 inches`, `less than 0.001 inch`."""
    text = shown(length)
    if not text.strip("-0.") and (length if isinstance(length, Length) else Length(length)).sign():
        return "less than 0.001 inch"
    exact = length if isinstance(length, Length) else Length(length)
    return f"{text} {'inch' if exact <= 1 and exact.sign() else 'inches'}"
