"""What is not followed of a battle is a hole: nothing that rests on it is held against anybody."""

from __future__ import annotations

from tests.hcg.examples import audited, example


def test_what_became_of_a_sector_whose_end_is_not_recorded_is_held_against_nobody() -> None:
    log = example("HCG-VIC-08/illegal-not-recorded").log
    *events, end = log["events"][:-2] + log["events"][-1:]
    turn = [
        {"type": "phase.start", "phase": "end"},
        {"type": "turn.start", "turn": 3},
        {"type": "deploy.first", "by": "p2", "card": "p2-7", "sector": 1, "face": "up"},
        {"type": "deploy.first", "by": "p1", "card": "p1-7", "sector": 1, "face": "up"},
        {"type": "deploy.first", "by": "p2", "card": "p2-8", "sector": 3, "face": "up"},
        {"type": "deploy.first", "by": "p1", "card": "p1-8", "sector": 3, "face": "up"},
        {"type": "deploy.first", "by": "p2", "card": "p2-9", "sector": 1, "face": "up"},
    ]  # whether one had to go to sector 2 first nobody can tell
    more = [{**event, "seq": end["seq"] - 1 + n} for n, event in enumerate([*turn, end])]
    audit = audited({**log, "events": [*events, *more]})
    found = [(finding["rule"], finding["kind"]) for finding in audit["findings"]]
    assert ("HCG-FW-04", "ambiguous") in found
    assert {rule for rule, kind in found if kind != "ambiguous"} == {"HCG-VIC-08", "HCG-BPH-04"}


def test_a_number_that_a_set_up_instruction_gave_accuses_nobody() -> None:
    """How long it lasts is a reading that no rule asks yet."""
    log = example("HCG-BSET-04/legal").log
    *events, end = log["events"]
    source = {"zone": "sector", "card": "p1-2", "ability": 0}
    given = {"type": "effect", "source": source, "op": "modify", "targets": ["p1-2"], "stat": "firepower", "amount": 4}
    drawn = next(place for place, event in enumerate(events) if event.get("cause") == "effect")
    shot = [
        {"type": "ba.end", "ba": 1},
        {"type": "ba.pass", "by": "p2", "ba": 2},
        {"type": "ba.shoot", "by": "p1", "ba": 3, "unit": "p1-2", "target": "p2-1"},
        {"type": "tactic.pass", "by": "p1", "ba": 3},
        {"type": "tactic.pass", "by": "p2", "ba": 3},
        {"type": "damage", "ba": 3, "from": "p1-2", "to": "p2-1", "amount": 2, "armor": 4, "destroyed": False},
        end,
    ]
    everything = [*events[: drawn + 1], given, *events[drawn + 1 :], *shot]
    numbered = [{**event, "seq": place} for place, event in enumerate(everything, start=1)]
    audit = audited({**log, "events": numbered})
    assert [finding["kind"] for finding in audit["findings"]] == ["ambiguous"]
    assert audit["findings"][0]["game_fields"]["tainted_by"]
