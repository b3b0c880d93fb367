"""What must not change a verdict does not: claims left out, a log cut short, the table mirrored, other ids. And the
scopes are those of whole replays under every combination of the readings that matter. A share of the cuts and of the
whole replays is tried in each run (`tests/shares.py`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.core.replay import Replay
from auditor.core.rulings import rulings
from auditor.systems.clx import records
from auditor.systems.clx.readings import READINGS
from auditor.systems.clx.ruleset import RULESET
from tests.clx.examples import audited, examples, judged, record_of
from tests.core.whole import expected_findings, is_the_scope, readings_that_matter
from tests.examples import Example
from tests.shares import is_tried

LEGAL, ILLEGAL = examples("legal"), examples("illegal")
EVERY = examples(file=None)


ONLY_THE_CLAIM_SAYS_SO = {
    "CLX-PSY-11/legal-claimed": ["CLX-PSY-11"],
    "CLX-PSY-11/legal-claimed-dispeller-not-named": ["CLX-PSY-11"],
}
"""Examples in which a claim alone says that a compulsory step was taken. The catalogue calls the step omitted where it
is "neither claimed nor" an event of its own (CLX-PSY-09): these, and no others, are omitted without their claims."""


def without_claims(value: Any) -> Any:
    if isinstance(value, list):
        return [without_claims(one) for one in value]
    if isinstance(value, dict):
        return {key: without_claims(one) for key, one in value.items() if not key.startswith("claimed_")}
    return value


@pytest.mark.parametrize("example", LEGAL, ids=str)
def test_claims_left_out_accuse_nobody(example: Example) -> None:
    log = example.log
    audit = audited({"header": log["header"], "events": without_claims(log["events"])})
    found = [(finding["rule"], finding["kind"]) for finding in audit["findings"] if finding["stands"]]
    assert found == [(rule, "omitted") for rule in ONLY_THE_CLAIM_SAYS_SO.get(str(example), [])]


@pytest.mark.parametrize("example", LEGAL, ids=str)
def test_a_log_cut_short_accuses_nobody(example: Example) -> None:
    log = example.log
    for length in range(len(log["events"])):
        if not is_tried(6, example, "cut", length):
            continue
        audit = audited({"header": log["header"], "events": log["events"][:length]})
        assert [finding["text"] for finding in audit["findings"] if finding["stands"]] == []


def mirrored(value: Any, key: str = "") -> Any:
    """The table seen from its other long side: every x becomes 72 less x."""
    if key in ("pos", "aim", "claimed_final") and isinstance(value, list):
        return [f"{72 - value[0]:.10g}", *value[1:]]
    if key == "path" and isinstance(value, list):
        return [mirrored(one, "pos") for one in value]
    if key == "poly" and isinstance(value, list):
        return [[72 - x, y] for x, y in value]
    if isinstance(value, list):
        return [mirrored(one, "heading" if key == "headings" else "") for one in value]
    if key in ("facing", "heading", "scatter_angle") and isinstance(value, int):
        return (180 - value) % 360
    if isinstance(value, dict):
        return {name: mirrored(one, name) for name, one in value.items()}
    return value


PACKS = Path(records.__file__).parent / "data" / "packs"


@pytest.mark.parametrize("example", [one for one in ILLEGAL if is_tried(3, one, "mirrored")], ids=str)
def test_a_mirrored_table_gets_the_same_findings(example: Example) -> None:
    log = example.log
    header = json.loads(json.dumps(log["header"]))
    if header.get("terrain") == "quarry":
        header["terrain"] = mirrored(json.loads((PACKS / "quarry.json").read_text())["terrain"])
    elif header.get("terrain"):
        header["terrain"] = mirrored(header["terrain"])
    turned = {"header": header, "events": mirrored(log["events"])}

    def told(one: Any) -> list[Any]:
        return [
            (f["rule"], f["kind"], f["seq"], f["subject"], f["scope"], f.get("game_fields"))
            for f in judged(one)["findings"]
        ]

    assert told(turned) == told(log)


def without_a_judge(example: Example) -> bool:
    """Whether no judge changes anything in an example: the second method of finding scopes knows none."""
    return not any(event["type"] == "judge" for event in example.log["events"])


SCOPES = [one for one in EVERY if is_tried(8, one, "scopes") and without_a_judge(one)]


@pytest.mark.parametrize("example", SCOPES, ids=str)
def test_scopes_are_those_of_whole_replays(example: Example) -> None:
    record = record_of(example.log)
    in_force = rulings(None, READINGS, [rule.id for rule in RULESET.rules])
    readings = readings_that_matter(RULESET, record, in_force, 200)
    assert readings is not None
    wanted = expected_findings(RULESET, record, in_force, readings)
    seen = {
        (one.index, key[0], key[2], key[3]): one
        for one in Replay(RULESET, record, in_force, strict=True).run().seen
        for key in one.keys
    }
    assert set(seen) == set(wanted)
    for key, want in wanted.items():
        said = seen[key]
        assert is_the_scope(said.scope.as_json(), want["scope"]), key
        assert said.stands == want["stands"], key
        assert want["kind"] in (None, said.fault.kind), key
