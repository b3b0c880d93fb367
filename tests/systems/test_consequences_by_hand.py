"""What findings say that they changed, held against the log written anew by hand with the act done rightly.

Nothing here asks how consequences are worked out: both logs are replayed from the start, and where they end is compared.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditor.core.effects import NOTHING
from auditor.core.replay import Replay
from auditor.engine import audit_log
from auditor.engine.games import GAMES
from auditor.engine.rulings import in_force_of
from auditor.ingest import read

FIXTURES = Path(__file__).parents[2] / "fixtures"
Line = dict[str, Any]


def given_once(line: Line, after: list[Line]) -> None:
    for entry in line["units"]:
        if entry["unit"] == "um-1":
            entry["tp_after"] = 2
    after[0].update(tp_before=2, tp_after=1)


def without_saves(line: Line, after: list[Line]) -> None:
    for wound in line["list"]:
        del wound["save"]
        wound["claimed_saved"] = False
        wound.pop("claimed_removed", None)


def the_one_that_overheated(line: Line, after: list[Line]) -> None:
    line["crit"]["self_casualty"] = "a1"


def survived(line: Line, after: list[Line]) -> None:
    line["destroyed"] = False


def end_of(log: Any) -> tuple[dict[str, Any], Replay]:
    """The facts of the position that a log ends in."""
    record = read(json.dumps(log).encode())
    ruleset = GAMES[record.game]
    replay = Replay(ruleset, record, in_force_of(record.header, ruleset, None)[0], draws=False)
    replay.run()
    return dict(ruleset.facts(replay.lanes.selected().position)), replay


@pytest.mark.parametrize(
    ("example", "rule", "rightly"),
    [
        ("calth/CAL-RDY-02/illegal-twice", "CAL-RDY-02", given_once),
        ("calth/CAL-CRT-08/illegal-another-model-removed", "CAL-CRT-08", the_one_that_overheated),
        ("clx/CLX-GEAR-03/illegal-armour", "CLX-GEAR-03", without_saves),
        ("clx/CLX-GEAR-03/illegal-failed-armour-save", "CLX-GEAR-03", without_saves),
        ("clx/CLX-MISC-03/illegal-ap-1", "CLX-MISC-03", without_saves),
        ("hcg/HCG-SHOOT-07/illegal", "HCG-SHOOT-07", survived),
    ],
)
def test_a_finding_says_what_the_log_comes_to_with_its_act_done_rightly(
    example: str, rule: str, rightly: Callable[[Line, list[Line]], None]
) -> None:
    log = json.loads((FIXTURES / f"{example}.json").read_text(encoding="utf-8"))
    found = audit_log(json.dumps(log).encode(), meant=False)["findings"]
    finding = next(one for one in found if one["rule"] == rule and one["stands"])
    logged, replay = end_of(log)
    place = next(n for n, one in enumerate(log["events"]) if one["seq"] == finding["seq"])
    rightly(log["events"][place], log["events"][place + 1 :])
    right, _ = end_of(log)
    differing = {
        replay.names(what): [replay.names.of(facts.get(what)) for facts in (logged, right)]
        for what in logged.keys() | right.keys()
        if logged.get(what) != right.get(what)
    }
    effect = finding["effect"]
    said = {one["what"]: [one["as_logged"], one["as_it_should_be"]] for one in effect["changed"]}
    assert said == differing, effect["text"]
    assert effect["text"].startswith(NOTHING) == (not differing)
