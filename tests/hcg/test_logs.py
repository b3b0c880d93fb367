"""The logs that the catalogue itself shows (5.5) and its costs in order (W5): clean, and nobody accused for less."""

from __future__ import annotations

import json

import pytest

from auditor.engine import audit_log
from tests.examples import Example
from tests.hcg.examples import audited, example, examples

LOGS = examples(file="logs")


@pytest.mark.parametrize("example", LOGS, ids=lambda example: example.name)
def test_a_log_of_the_catalogue_is_clean(example: Example) -> None:
    audit = audited(example.log)
    assert (audit["verdict"], audit["findings"], audit["coverage"]["unchecked"]) == ("clean", [], [])


@pytest.mark.parametrize("example", LOGS, ids=lambda example: example.name)
def test_less_of_it_accuses_nobody(example: Example) -> None:
    """Cut after any event, and with any field of any event left out."""
    log = example.log
    for number, event in enumerate(log["events"]):
        cut = audited({**log, "events": log["events"][: number + 1]})
        assert not [finding for finding in cut["findings"] if finding["stands"]], number
        for name in set(event) - {"seq", "type"}:
            bare = {key: value for key, value in event.items() if key != name}
            events = [*log["events"][:number], bare, *log["events"][number + 1 :]]
            audit = audited({**log, "events": events})
            assert not [finding["text"] for finding in audit["findings"] if finding["stands"]], (event["seq"], name)


def test_a_test_that_failed_leaves_what_was_paid_and_nothing_more() -> None:
    """W5: the lock stays, no card is discarded, nothing is destroyed."""
    log = example("logs/costs-test-failed").log
    discard = {"type": "cost", "by": "p1", "ba": 1, "op": "discard", "cards": ["p1-x"]}
    source = next(event["source"] for event in log["events"] if event["type"] == "cost")
    rolled = next(n for n, event in enumerate(log["events"]) if event["type"] == "roll")
    more = [*log["events"][: rolled + 1], {**discard, "source": source}, *log["events"][rolled + 1 :]]
    audit = audited({**log, "events": [{**event, "seq": n} for n, event in enumerate(more, start=1)]})
    assert [(f["rule"], f["seq"], f["stands"]) for f in audit["findings"]] == [("HCG-OPT-07", rolled + 2, True)]


@pytest.mark.parametrize(
    ("note", "verdict", "said"),
    [
        ('{"a": 1, "a": 2}', "incomplete", ["a key given twice"]),
        ("[" * 64 + "]" * 64, "incomplete", ["more than 64 levels"]),
        ("[" * 63 + "]" * 63, "clean", []),
        ('{"a": [":", null], "b": "\\u003a"}', "clean", []),
    ],
    ids=["twice", "too deep", "deep", "colons"],
)
def test_notes_of_any_form_are_read_alike_in_lines_and_in_one_object(note: str, verdict: str, said: list[str]) -> None:
    log = example("logs/assault").log
    header, lines = json.dumps(log["header"]), [json.dumps(event) for event in log["events"]]
    lines[1] = f'{lines[1][:-1]}, "note": {note}}}'
    broken = [line.replace(', "type"', ',\n"type"', 1) for line in lines]
    for text in (
        "\n".join([header, *lines]),
        f'{{"header": {header}, "events": [{", ".join(lines)}]}}',
        f'{{"header": {header}, "events": [{", ".join(broken)}]}}',
    ):
        audit = audit_log(text.encode())
        assert (audit["verdict"], [error["found"] for error in audit["errors"]]) == (verdict, said)
