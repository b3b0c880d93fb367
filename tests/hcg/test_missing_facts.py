"""What a log leaves out is nobody's fault: fields of events of each legal example are left out, one at a time.

A fixed share of them is tried in each run; all of them, which takes minutes, with AUDITOR_WHOLE=1 in the environment.
"""

from __future__ import annotations

import msgspec
import pytest

from auditor.systems.hcg import records
from tests.examples import Example
from tests.hcg.examples import audited, example, examples
from tests.shares import is_tried

PATHS = [*examples("legal"), *examples(file="fights")]


ALWAYS = {
    "HCG-BPH-02/legal-terse-choice-not-recorded": (1, "phase"),
    "HCG-DMG-02/legal": (5, "to"),
    "HCG-MOD-03/legal-passes-that-name-no-roll": (9, "by"),
    "HCG-SHOOT-01/legal-the-position-names-two-sectors": (1, "sectors"),
    "HCG-X-01/legal-the-number-of-flag-units": (1, "zones"),
}
"""Example -> the event and field of it that is left out in each run: the other player was accused once, or what was not
checked was not said."""


def tried(example: Example, seq: int, name: str) -> bool:
    return ALWAYS.get(str(example)) == (seq, name) or is_tried(32, example, seq, name)


@pytest.mark.parametrize("example", PATHS, ids=str)
def test_a_missing_field_accuses_nobody_and_a_missing_fact_is_said(example: Example) -> None:
    log = example.log
    for number, event in enumerate(log["events"]):
        for name in (*event, *(["source.card"] if isinstance(event.get("source"), dict) else [])):
            if name in ("seq", "type") or not tried(example, event["seq"], name):
                continue
            bare = {key: value for key, value in event.items() if key != name}
            if name == "source.card":
                bare["source"] = {key: value for key, value in event["source"].items() if key != "card"}
            events = [*log["events"][:number], bare, *log["events"][number + 1 :]]
            audit = audited({**log, "events": events})
            where = (event["seq"], event["type"], name)
            assert not [f["text"] for f in audit["findings"] if f["stands"]], where
            kind = records.EVENTS[event["type"]]
            if records.lacking(msgspec.convert(bare, kind)) and name != "choices":
                assert audit["verdict"] == "incomplete", where


LEFT_OUT = {
    # card -> the example in which play turns on what is printed on it
    "sec-2": ("HCG-CARD-05/legal", "HCG-STAT-01/legal-a-sector-card-that-says-other"),
    "l": (
        "HCG-DMG-04/legal-for-the-battle-at-a-cost-not-read-nor-written",
        "HCG-VIC-02/legal-flags-given-to-a-unit-not-written",
    ),
    "l-ar": ("HCG-TAC-06/legal-until-the-end-of-the-battle",),
    "l-x3": ("HCG-MOD-04/legal-a-test-of-a-modifier-fails-and-comes-after",),
    "dr": ("HCG-TAC-05/legal-card-drawn-after-it-by-a-source-without-a-card",),
    "di": ("HCG-TAC-05/legal-card-drawn-after-it-by-a-source-without-a-card",),
    "ra": ("HCG-TAC-05/legal-none-chosen-and-no-source-is-named",),
    "q": ("HCG-TAC-05/legal-two-tactics-and-no-source-is-named",),
}


@pytest.mark.parametrize("example", PATHS, ids=str)
def test_a_card_that_no_pack_has_accuses_nobody(example: Example) -> None:
    log, name = example.log, str(example)
    cards = log["header"]["cards"]
    for place, card in enumerate(cards if isinstance(cards, list) else ()):
        if name in LEFT_OUT.get(card["id"], ()) or tried(example, place, "cards"):
            known = [one for one in cards if one is not card]
            audit = audited({**log, "header": {**log["header"], "cards": known}})
            assert [f["text"] for f in audit["findings"] if f["stands"]] == [], card["id"]


@pytest.mark.parametrize("name", ["HCG-DMG-02/legal-survives", "HCG-ROLL-03/legal-damage", "HCG-DMG-04/legal"])
def test_a_sector_card_that_cannot_be_read_may_change_who_is_damaged_by_an_ability(name: str) -> None:
    log = example(name).log
    assert audited(log)["verdict"] == "clean"
    for card in log["header"]["cards"]:
        if card["kind"] == "sector":
            card["abilities"] = ["Armor here waxes and wanes."]
    (damage,) = (event for event in log["events"] if event["type"] == "damage")
    damage["armor"] += 1
    audit = audited(log)
    assert [f["text"] for f in audit["findings"] if f["stands"]] == []
