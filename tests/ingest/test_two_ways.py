"""The fast and the slow way through a line take and refuse the same."""

from __future__ import annotations

import copy
import json
from collections import Counter
from functools import cache
from typing import Any

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from auditor import systems
from auditor.core.record import Unknown
from auditor.ingest import LIMITS, schema
from auditor.ingest.reader import Events
from auditor.systems.calth.records import EVENTS
from auditor.systems.shapes import REFUSALS, Shape, _misfits, whole
from tests.ingest.example import HEADER, events, line
from tests.shares import tries

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([2**53 - 1, 2**53, -(2**53), 10**30, 0.5, 2.0, -0.0, 1e300])
    | st.sampled_from(["UM", "WB", "sealed", "none", "clear", "draw", "", "x" * 64, "x" * 65, "x" * 2000, "x" * 2001])
    | st.text(max_size=5)
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)


def _spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place within a value."""
    found = [path] if path else []
    if isinstance(value, dict):
        for key, item in value.items():
            found += _spots(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            found += _spots(item, (*path, i))
    return found


@st.composite
def changed_events(draw: st.DrawFn) -> dict[str, Any]:
    """An event with a few places changed, added or taken away."""
    event = copy.deepcopy(draw(st.sampled_from(events())))
    for _ in range(draw(st.integers(0, 2))):
        spots = _spots(event)
        if not spots:
            break
        *path, last = draw(st.sampled_from(spots))
        inner = event
        for part in path:
            inner = inner[part]
        how = draw(st.sampled_from(["replace", "replace", "remove", "add"]))
        if how == "replace":
            inner[last] = draw(JSON)
        elif how == "remove":
            del inner[last]
        elif isinstance(inner, dict):
            inner[draw(st.text(max_size=4))] = draw(JSON)
        else:
            inner.append(draw(JSON))
    return event


def fast(text: bytes) -> Any:
    """The event as the fast way has it, None where it refuses."""
    try:
        return systems.game("calth").format.decoder.decode(text)
    except REFUSALS:
        return None


def slow(text: bytes) -> tuple[Any, list[Any]]:
    return Events(systems.game("calth").format, LIMITS).explain(text, 1)


@cache
def _shape(kind: str) -> Shape[Any]:
    return Shape(EVENTS[kind])


def as_read(event: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The event with its words and numbers as they are known, and the words of it that nobody knows and are left out."""
    kind = event.get("type")
    if not isinstance(kind, str) or kind not in EVENTS:
        return event, []
    fitted = _shape(kind).fitted(event)
    return fitted.value, fitted.left_out


@given(changed_events())
@settings(max_examples=tries(600))
@example({"seq": 1, "type": "attack", "los": {"aim": [1.0, 2]}})
@example({"seq": 1, "type": "tp_refresh", "tp": {"": 1, "x" * 65: 2}})
@example({"seq": 1, "type": "retreat", "casualties": {"UM": 1, "XX": 1}})
@example({"seq": 0, "type": "remark"})
@example({"seq": 1, "type": "game_start", "game": 10**30})
def test_both_ways_take_and_refuse_the_same_events(event):
    event_slow, errors = slow(line(event))
    event, left_out = as_read(event)
    text = line(event)
    quick = fast(text)
    assert bool(errors) == (event_slow is None or bool(left_out))
    if quick is not None:
        assert len(errors) == len(left_out)
        # Where any JSON may stand, a number too large to be read is rounded by the fast way and kept by the slow one.
        assert event_slow == quick or str(10**30).encode() in text
    elif event_slow is not None and not isinstance(event_slow, Unknown):
        # The one difference: the slow way takes 3.0 for 3.
        assert whole(event) != event or json.dumps(whole(event)) != json.dumps(event)
        assert fast(line(whole(event))) == event_slow


@cache
def _plain(kind: str) -> Draft202012Validator:
    return Draft202012Validator(_shape(kind).schema)


@given(changed_events())
@settings(max_examples=tries(200))
def test_what_goes_only_where_something_is_wrong_names_the_same_as_what_goes_everywhere(event):
    kind = event.get("type")
    if isinstance(kind, str) and kind in EVENTS:
        everywhere = [misfit for error in _plain(kind).iter_errors(event) for misfit in _misfits(error)]
        assert _shape(kind).misfits(event) == list(dict.fromkeys(everywhere))
        assert bool(_shape(kind).fitted(event, 1).misfits) == bool(_shape(kind).fitted(event).misfits)


@given(changed_events(), st.randoms(use_true_random=False))
@settings(max_examples=tries(200))
def test_what_is_read_of_other_words_is_the_same_in_one_look_as_misfit_by_misfit(event, random):
    kind = event.get("type")
    if isinstance(kind, str) and kind in EVENTS:
        for path in random.sample(_spots(event), min(3, len(_spots(event)))):
            inner = event
            for part in path[:-1]:
                inner = inner[part]
            if isinstance(inner[path[-1]], (int, str)):
                inner[path[-1]] = random.choice([str, lambda v: f" {v}", lambda v: str(v).upper()])(inner[path[-1]])
        one_by_one, at_once = _shape(kind).fitted(event), _shape(kind).mended(event)
        assert Counter(at_once.read) <= Counter(one_by_one.read)
        if not one_by_one.misfits and not one_by_one.left_out:
            assert at_once.value == one_by_one.value or len(at_once.read) < len(one_by_one.read)


@cache
def published_of_events() -> Draft202012Validator:
    return Draft202012Validator({**schema("calth"), "anyOf": [{"$ref": "#/$defs/event"}]})


@given(changed_events())
@settings(max_examples=tries(200))
def test_the_published_schema_says_the_same(event):
    published = published_of_events()
    event_slow, errors = slow(line(event))
    taken = event_slow is not None and not isinstance(event_slow, Unknown)
    assert published.is_valid(as_read(event)[0]) == taken, errors


@given(JSON)
@settings(max_examples=tries(200))
def test_any_json_at_all_is_an_event_or_an_error(value):
    event, errors = slow(line(value))
    assert (event is None) == bool(errors)
    assert all(error.line == 1 and error.found and error.expected for error in errors)


@given(st.binary(max_size=60))
@settings(max_examples=tries(300))
def test_any_bytes_at_all_are_an_event_or_an_error(text):
    event, errors = slow(text)
    assert (event is None) == bool(errors)
    if fast(text) is not None:
        assert event is not None


def test_the_examples_agree_with_the_published_schema_of_a_log():
    published = Draft202012Validator(schema("calth"))
    Draft202012Validator.check_schema(schema("calth"))
    for one in (HEADER, *events(), {"header": HEADER, "events": events()}):
        assert published.is_valid(one)
    for wrong in ({**HEADER, "format": 2}, {"seq": 1, "type": "x"}, {"header": HEADER}, [], {**HEADER, "rosters": {}}):
        assert not published.is_valid(wrong)


def test_the_published_schema_is_plain_json():
    assert msgspec.json.decode(msgspec.json.encode(schema("calth"))) == schema("calth")
