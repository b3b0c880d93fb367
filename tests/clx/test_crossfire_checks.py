"""Wounds by shots at front and rear that come after the check for crossfire."""

from __future__ import annotations

from tests.clx.examples import audited, example


def test_wounds_after_the_crossfire_check_go_to_the_ordinary_check() -> None:
    record = example("CLX-MOR-01/illegal-wounds-beside-a-crossfire").log
    events = record["events"]
    events[0]["units"][3]["models"][0]["pos"] = [55, 24]  # The third attack comes from the front as well.
    events[16]["list"][0]["model"] = "sv.m4"
    check = {"unit": "sv", "cause": "shooting", "attacks": ["k3"], "dice": [1, 1], "claimed_modifier": -1}
    events.insert(17, {"turn": 2, "phase": "shooting", "player": "B", "type": "morale", **check})
    for number, event in enumerate(events, 1):
        event["seq"] = number
    audit = audited(record)
    assert [one["rule"] for one in audit["findings"] if one["stands"]] == []
    assert audit["verdict"] == "clean"
