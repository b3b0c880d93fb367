"""Lengths are exact: read exactly, added exactly, compared without rounding, rounded rightly when they are shown."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.geometry.inches.lengths import Length, length, root, total
from tests.geometry.inches.second import PLACES, value_of

fractions = st.fractions(min_value=-50, max_value=50, max_denominator=40)
radicands = st.one_of(
    st.fractions(min_value=0, max_value=200, max_denominator=30),
    st.integers(0, 60).map(Fraction),
    st.fractions(min_value=0, max_value=9, max_denominator=12).map(lambda q: q * q),
)
roots = st.lists(st.tuples(fractions, radicands), max_size=5)


@pytest.mark.parametrize(
    ("text", "inches"),
    [
        ("6", "6"),
        ("5.25", "21/4"),
        ('7 1/2"', "15/2"),
        ("21/4", "21/4"),
        (" .5 in ", "1/2"),
        ("0", "0"),
        ("3 inches", "3"),
    ],
)
def test_lengths_are_read_exactly(text: str, inches: str) -> None:
    assert length(text) == Fraction(inches)


@pytest.mark.parametrize("text", ["", "six", "-1", "1/0", "1 2", "1e3", "NaN", "inf", "1/2/3", "٣", "9" * 41, "1.2.3"])
def test_what_is_no_length_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(ValueError, match=r"length|zero"):
        length(text)


def test_three_legs_of_six_inches_are_six_inches() -> None:
    legs = [root(Fraction(text) ** 2) for text in ("0.4", "4.4", "1.2")]
    assert sum(map(float, ("0.4", "4.4", "1.2"))) > 6
    assert total(legs) == 6
    assert total(legs).shown() == "6"


def test_equal_sums_of_different_roots_are_found_equal() -> None:
    # sqrt 2 + sqrt 8 = sqrt 18; and sqrt(5 + 2 sqrt 6) has no place here: only plain roots are added.
    assert root(2) + root(8) == root(18)
    assert (root(2) + root(3) - root(Fraction(99, 10))).sign() < 0
    assert root(Fraction(1, 2)) * 2 == root(2)


def test_sums_that_agree_to_sixty_places_are_told_apart() -> None:
    tiny = Fraction(1, 10**60)
    assert root(2) + root(3) < root(2) + root(3) + tiny
    assert (root(2) - root(2 + tiny)).sign() == -1


@given(fractions, roots)
@settings(deadline=None)
def test_the_sign_is_that_of_the_decimals(rational: Fraction, parts: list[tuple[Fraction, Fraction]]) -> None:
    value = value_of(rational, parts)
    sign = Length(rational, parts).sign()
    if abs(value) < Decimal(10) ** -(PLACES - 10):
        assert sign == 0
    else:
        assert sign == (1 if value > 0 else -1)


@given(fractions, roots, fractions, roots)
@settings(deadline=None)
def test_lengths_are_ordered_as_their_decimals_are(
    a: Fraction, first: list[tuple[Fraction, Fraction]], b: Fraction, second: list[tuple[Fraction, Fraction]]
) -> None:
    one, other = Length(a, first), Length(b, second)
    apart = value_of(a, first) - value_of(b, second)
    if abs(apart) > Decimal(10) ** -(PLACES - 10):
        assert (one < other) == (one <= other) == (apart < 0)
        assert (one > other) == (one >= other) == (apart > 0)
        assert one != other
    else:
        assert one == other and one <= other and one >= other and not one < other and not one > other
        assert hash(one) == hash(other)
    assert (one - other) + other == one
    assert -(one - other) == other - one


@given(fractions, roots)
@settings(deadline=None)
def test_what_is_shown_is_rounded_rightly(rational: Fraction, parts: list[tuple[Fraction, Fraction]]) -> None:
    number, value = Length(rational, parts), value_of(rational, parts)
    with localcontext() as context:
        context.prec = PLACES
        near = value.quantize(Decimal("1e-100"))  # An exact tie, or an exact number, is one in 100 places.
        assert Decimal(number.shown()) == near.quantize(Decimal("0.001"), ROUND_HALF_UP)
        whole = near.to_integral_value()
    assert number.floor() == (int(whole) if near >= whole else int(whole) - 1)
    assert number.is_rational() or "." in number.shown()


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Length(6), "6"),
        (Length(Fraction(1, 2)), "0.5"),
        (root(45), "6.708"),
        (root(Fraction("44.89")), "6.7"),
        (Length(Fraction("6.7000001")), "6.700"),
        (Length(Fraction("-0.0005")), "-0.001"),
        (Length(Fraction("-0.0004")), "0.000"),
        (Length(Fraction(1, 3)), "0.333"),
        (Length(0), "0"),
    ],
)
def test_exact_numbers_are_shown_without_zeros_at_the_end(number: Length, text: str) -> None:
    assert number.shown() == text


def test_a_sum_that_floats_take_for_less_has_all_its_whole_inches() -> None:
    tenths = total([root(Fraction(1, 100))] * 10)
    assert float(tenths) < 1
    assert (tenths.floor(), (tenths + 1).floor()) == (1, 2)
