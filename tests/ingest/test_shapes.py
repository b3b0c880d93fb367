"""Parsed JSON: what counts as a whole number, what is too large, which keys stand twice."""

from __future__ import annotations

import json

import pytest

from auditor.systems.shapes import DIGITS_READ, OutOfRange, Twice, keys_twice, may_hold_floats, parse, whole


def test_numbers_that_are_whole_become_so_wherever_they_stand() -> None:
    value = parse('{"a": 3.0, "b": [1.0, [2.5, {"c": -0.0}]], "d": {"d": 1e3, "d": 4.0}, "e": true}')
    assert json.dumps(whole(value)) == json.dumps({"a": 3, "b": [1, [2.5, {"c": 0}]], "d": {"d": 4}, "e": True})


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("digits", [1, DIGITS_READ - 1, DIGITS_READ, DIGITS_READ + 1, 5_000])
def test_only_numbers_of_few_enough_digits_are_read(digits: int, sign: str) -> None:
    written = sign + "7" * digits
    small, found = parse(f"[1, {written}]")
    assert small == 1
    if len(written) <= DIGITS_READ:
        assert found == int(written)
    else:
        assert isinstance(found, OutOfRange) and found.written == written


def test_doubled_keys_and_infinities_are_kept_apart_and_marks_of_order_refused() -> None:
    value = parse('{"a": {"b": 1, "b": 2}, "c": 1e999}')
    assert isinstance(value["a"], Twice) and list(keys_twice(value)) == ["a.b"]
    assert isinstance(value["c"], OutOfRange)
    with pytest.raises(ValueError, match="BOM"):
        parse("\ufeff{}")
    with pytest.raises(ValueError, match="NaN"):
        parse("[NaN]")


@pytest.mark.parametrize("text", ["1.5", "[0e1]", '{"a":2E+3}', "-0.0"])
def test_no_float_goes_unseen(text: str) -> None:
    assert may_hold_floats(text)
    assert not may_hold_floats('{"seq":12,"type":"e.g."}')
