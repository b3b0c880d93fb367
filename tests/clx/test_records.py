"""Events are read as the catalogue writes them; readings are those of the catalogue."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from auditor.systems.clx import records
from auditor.systems.clx.readings import HELD, READINGS, STRICTER
from auditor.systems.shapes import Shape, schema_of
from tests.clx.examples import audited

ATTACK = Path(__file__).with_name("one-attack.jsonl")
decoder = msgspec.json.Decoder(records.AnyEvent)


def test_the_catalogues_examples_are_read_field_by_field() -> None:
    for line in ATTACK.read_text().splitlines():
        written = json.loads(line)
        event = decoder.decode(line)
        kept = json.loads(msgspec.json.encode(event))
        assert kept == written, line


def test_every_event_type_has_a_schema() -> None:
    assert len(records.EVENTS) == 53
    assert schema_of(*records.EVENTS.values())["$defs"]
    for name, kind in records.EVENTS.items():
        misfits = Shape(kind).misfits({"type": name, "seq": 0})
        assert [misfit.path for misfit in misfits] == ["seq"], name


@pytest.mark.parametrize(
    ("event", "path"),
    [
        ({"type": "move", "seq": 1, "phase": "lunch"}, "phase"),
        ({"type": "move", "seq": 1, "models": [{"id": "m", "path": [[1]]}]}, "models[0].path[0]"),
        ({"type": "seize", "seq": 1, "die": "six"}, "die"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(event: object, path: str) -> None:
    kind = records.EVENTS[event["type"]]  # type: ignore[index]
    assert path in [misfit.path for misfit in Shape(kind).misfits(event)]


def test_the_readings_are_those_of_the_catalogue() -> None:
    ids = [reading.id for reading in READINGS]
    assert len(ids) == len(set(ids)) == 77
    assert set(ids) >= HELD | STRICTER
    for reading in READINGS:
        assert reading.default == reading.options[0].id
        assert all(option.means for option in reading.options)
        assert reading.question.endswith("?")


def test_an_event_of_an_unknown_type_is_a_hole_and_a_torn_line_accuses_nobody() -> None:
    header = {
        "type": "header",
        "game": "clx",
        "players": [{"id": "A", "units": ["hw"]}, {"id": "B", "units": ["sv"]}],
        "table": {"W": 72, "D": 48},
        "units": "example-armies",
        "weapons": "example-weapons",
        "powers": "example-powers",
    }
    placed = [{"unit": "hw", "models": [{"id": "hw.m1", "pos": [10, 10]}]}]
    events = [
        {"seq": 1, "type": "position", "turn": 1, "phase": "movement", "active": "A", "units": placed},
        {"seq": 2, "type": "weather", "text": "rain"},
        {"seq": 3, "type": "move", "unit": "hw", "models": [{"id": "hw.m1", "path": [[12, 10], [13, 10]]}]},
    ]
    audit = audited({"header": header, "events": events})
    assert audit["verdict"] == "incomplete"
    assert [(f["rule"], f["kind"], f["would_be"]) for f in audit["findings"]] == [
        ("CLX-LOG-01", "ambiguous", "illegal")
    ]
    assert "unknown_event" in {note["kind"] for note in audit["notes"]}


def test_where_a_position_does_not_say_where_a_model_is_nobody_is_accused_for_it() -> None:
    header = {
        "type": "header",
        "game": "clx",
        "players": [{"id": "A", "units": ["hw"]}, {"id": "B", "units": ["sv"]}],
        "table": {"W": 72, "D": 48},
        "units": "example-armies",
        "weapons": "example-weapons",
        "powers": "example-powers",
    }
    placed = [{"unit": "hw", "models": [{"id": f"hw.m{i}", "pos": [10 * i, 10]} for i in (1, 2)]}]
    paths = {1: [[10, 10], [11, 10]], 2: [[20, 10], [21, 10]], 3: [[15, 10], [16, 10]]}
    events = [
        {"seq": 1, "type": "position", "turn": 1, "phase": "movement", "active": "A", "units": placed},
        {
            "seq": 2,
            "type": "move",
            "unit": "hw",
            "models": [{"id": f"hw.m{i}", "path": path} for i, path in paths.items()],
        },
    ]
    audit = audited({"header": header, "events": events})
    assert {(f["rule"], f["kind"]) for f in audit["findings"]} == {
        ("CLX-LOG-02", "ambiguous"),
        ("CLX-MOVE-03", "ambiguous"),
    }
    assert audit["verdict"] == "incomplete"


def test_a_hull_of_unknown_heading_accuses_nobody() -> None:
    header = {
        "type": "header",
        "game": "clx",
        "players": [{"id": "A", "units": ["tr", "hw"]}, {"id": "B", "units": ["sk"]}],
        "table": {"W": 72, "D": 48},
        "units": "example-armies",
        "weapons": "example-weapons",
        "powers": "example-powers",
    }
    stated = {
        "seq": 1,
        "type": "position",
        "turn": 1,
        "phase": "movement",
        "active": "A",
        "removed": [f"hw.m{i}" for i in range(2, 7)],
        "units": [
            {"unit": "tr", "models": [{"id": "tr.m1", "pos": [20, 20]}]},
            {"unit": "hw", "models": [{"id": "hw.m1", "pos": [10, 40]}]},
            {"unit": "sk", "models": [{"id": "sk.m1", "pos": [13, 40]}]},
        ],
    }
    row = {"id": "tr.m1", "path": [[20, 20], [20, 32]], "headings": [90, 90]}
    moves = [
        {"seq": 2, "type": "move", "unit": "tr", "models": [row]},
        {"seq": 3, "type": "move", "unit": "hw", "models": [{"id": "hw.m1", "path": [[10, 40], [10, 39.5]]}]},
    ]
    found = audited({"header": header, "events": [stated, *moves]})["findings"]
    assert [(f["rule"], f["kind"]) for f in found] == [("CLX-MOVE-02", "ambiguous")]
    stated["units"][0]["models"][0]["heading"] = 0
    stated["units"][2]["models"][0]["heading"] = 0
    found = audited({"header": header, "events": [stated, *moves]})["findings"]
    assert [(f["rule"], f["kind"]) for f in found] == [("CLX-VEH-05", "illegal"), ("CLX-MOVE-02", "illegal")]
