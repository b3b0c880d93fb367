"""Whole records: the catalogue's own log, play that is taken back, a judge's word, and what a record may lack."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from auditor import systems
from auditor.conformance.calth.generate import generate
from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from tests.ended import as_if_ended

APPENDIX = Path(__file__).parents[1] / "conformance" / "appendix-a.jsonl"


def audited(lines: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return audit_log(as_jsonl(lines).encode(), strict=True, **more)


def standing(audit: dict[str, Any]) -> list[str]:
    return [f["text"] for f in audit["findings"] if f["stands"] or f["kind"] == "ambiguous"]


def test_the_catalogues_own_log_is_clean_and_turns_on_one_reading_only() -> None:
    audit = as_if_ended(audit_log(APPENDIX.read_bytes(), strict=True))
    assert audit["verdict"] == "clean"
    (finding,) = audit["findings"]
    assert (finding["rule"], finding["seq"], finding["stands"]) == ("CAL-CON-05", 5, False)
    assert finding["scope"]["holds"] == [{"R-CON-TP": "before_activation"}]


def renumbered(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**event, "seq": n} for n, event in enumerate(events, 1)]


@pytest.mark.parametrize("seed", range(40, 46))
def test_play_that_is_taken_back_and_made_again_is_no_fault(seed: int) -> None:
    header, *events = generate(seed, rounds=3)
    here = len(events) * 2 // 3
    back = here - 1 - seed % 7
    undo = {"type": "undo", "to": back}
    audit = audited([header, *renumbered([*events[:here], undo, *events[back:]])])
    assert standing(audit) == []
    assert audit["verdict"] == "clean"


def test_a_fault_that_was_taken_back_does_not_stand() -> None:
    header, *events = generate(40, rounds=3)
    place = next(n for n, event in enumerate(events) if event["type"] == "activate" and event["tp_before"] == 2)
    wrong = {**events[place], "tp_after": 0}
    taken_back = renumbered([*events[:place], wrong, {"type": "undo", "to": place}, *events[place:]])
    audit = audited([header, *taken_back])
    (finding,) = [f for f in audit["findings"] if f["rule"] == "CAL-ACT-02"]
    assert (finding["stands"], finding["undone"]) == (False, True)
    assert audit["verdict"] == "clean"


def test_what_a_judge_settled_without_saying_how_accuses_nobody() -> None:
    header, *events = generate(41, rounds=3)
    place = len(events) // 2
    ruled = [*events[:place], {"type": "judge", "text": "We moved a unit back."}, *events[place + 3 :]]
    audit = audited([header, *renumbered(ruled)])
    assert [f["text"] for f in audit["findings"] if f["stands"]] == []
    assert "by_judge" in {note["kind"] for note in audit["notes"]}


def test_a_record_may_end_anywhere_without_a_fault() -> None:
    header, *events = generate(42, rounds=2)
    for stop in range(1, len(events), 7):
        audit = audited([header, *events[:stop]])
        assert standing(audit) == [], stop


def test_the_same_log_in_one_object_or_gzipped_gives_the_same_findings() -> None:
    lines = generate(43, rounds=2)
    jsonl = as_jsonl(lines).encode()
    one = json.dumps({"header": lines[0], "events": lines[1:]}).encode()
    told = [audit_log(data, strict=True) for data in (jsonl, gzip.compress(jsonl), one)]
    assert [a["verdict"] for a in told] == ["clean"] * 3
    assert told[0]["log_sha256"] == told[1]["log_sha256"]
    assert told[0]["digest"] == told[1]["digest"]


def without_tps(event: dict[str, Any]) -> dict[str, Any]:
    """An event that claims no TPs."""
    made = {key: value for key, value in event.items() if key not in ("tp", "tp_before", "tp_after", "tp_left")}
    return {**made, "units": [{"unit": one["unit"]} for one in made["units"]]} if made["type"] == "tp_refresh" else made


@pytest.mark.parametrize("of", ["all", "UM", "WB", "no claims"])
def test_tps_that_are_recorded_late_are_told_once_and_of_no_player(of: str) -> None:
    header, *events = generate(44, rounds=2)
    here = [n for n, event in enumerate(events) if event["type"] == "tp_refresh"][-1]
    end = next(n for n in range(here, len(events)) if events[n]["type"] in ("round_end", "scenario_end", "end"))
    units = events[here]["units"]
    late = [one for one in units if of not in ("UM", "WB") or one["unit"].startswith(of.lower())]
    in_time = [{**events[here], "units": [one for one in units if one not in late]}] if late != units else []
    for there in (here + 2, (here + end) // 2, end):
        made = [*events[:here], *in_time, *events[here + 1 : there], {**events[here], "units": late}, *events[there:]]
        if of == "no claims":
            made = [without_tps(event) for event in made]
        audit = audited([header, *renumbered(made)], causes=False)
        (told,) = [one for one in audit["findings"] if one["stands"] or one["kind"] == "ambiguous"]
        assert (told["rule"], told["kind"], told["player"]) == ("CAL-RDY-03", "illegal", None), there
        assert told["seq"] == there + len(in_time)


def test_what_an_early_end_leaves_out_is_not_held_against_anybody_where_play_goes_on() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(3)
    here = next(n for n, line in enumerate(lines) if line["type"] == "retreat" and line.get("made") is not False)
    end = {"type": "end", "reason": "finished"}
    gone_on, broken_off = [*lines[:here], end, *lines[here:-1]], [*lines[:here], end]
    for made, accused in ((gone_on, []), (broken_off, ["CAL-RET-01"])):
        made[1:] = [{**line, "seq": n} for n, line in enumerate(made[1:], 1)]
        audit = audit_log(as_jsonl(made).encode(), digest=False, causes=False)
        assert [one["rule"] for one in audit["findings"] if one["stands"]] == accused
