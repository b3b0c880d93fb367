"""What findings say that they changed, held against the log written anew by hand with the act done rightly.

Nothing here asks how consequences are worked out: both logs are replayed from the start, and where they end is compared.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from auditor.core.effects import NOTHING
from auditor.core.replay import Replay
from auditor.engine import audit_log
from auditor.engine.games import GAMES
from auditor.engine.rulings import in_force_of
from auditor.ingest import read
from tests.examples import example

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


def claims(**values: Any) -> Callable[[Line, list[Line]], None]:
    """The line with these values in place of those that it claims."""
    return lambda line, after: line.update(values)


def left_out(line: Line, after: list[Line]) -> None:
    """In place of the line a remark, so that the numbers of the others stay."""
    seq = line["seq"]
    line.clear()
    line.update(seq=seq, type="remark", text="left out")


def without_the_ship(line: Line, after: list[Line]) -> None:
    line["destroyed"].remove("p1-9")


def end_of(log: Any) -> tuple[dict[str, Any], Replay]:
    """The facts of the position that a log ends in."""
    record = read(json.dumps(log).encode())
    ruleset = GAMES[record.game]
    replay = Replay(ruleset, record, in_force_of(record.header, ruleset, None)[0], draws=False)
    replay.run()
    return dict(ruleset.facts(replay.lanes.selected().position)), replay


def fact(of: dict[str, Any], beside: dict[str, Any], what: str) -> Any:
    """A fact as it is told: what is not there is none, or no where it is yes in the other game."""
    value = of.get(what)
    return value if value is not None else False if beside.get(what) is True else "none"


@pytest.mark.parametrize(
    ("name", "rule", "rightly"),
    [
        ("calth/CAL-RDY-02/illegal-twice", "CAL-RDY-02", given_once),
        ("calth/CAL-CRT-08/illegal-another-model-removed", "CAL-CRT-08", the_one_that_overheated),
        ("clx/CLX-GEAR-03/illegal-armour", "CLX-GEAR-03", without_saves),
        ("clx/CLX-GEAR-03/illegal-failed-armour-save", "CLX-GEAR-03", without_saves),
        ("clx/CLX-MISC-03/illegal-ap-1", "CLX-MISC-03", without_saves),
        ("hcg/HCG-SHOOT-07/illegal", "HCG-SHOOT-07", survived),
        ("calth/CAL-SET-03/illegal", "CAL-SET-03", left_out),
        ("calth/CAL-SET-03/illegal-by-hand", "CAL-SET-03", left_out),
        ("clx/CLX-SUPP-01/illegal", "CLX-SUPP-01", left_out),
        ("clx/CLX-PSY-04/illegal", "CLX-PSY-04", claims(claimed_charges=2)),
        ("clx/CLX-PSY-05/illegal", "CLX-PSY-05", claims(claimed_charges=2)),
        ("clx/CLX-MOVE-01/illegal-allowance", "CLX-MOVE-01", claims(claimed_allowance=6)),
        ("hcg/HCG-UNIQ-01/illegal-returned-to-discard", "HCG-UNIQ-01", claims(to="command_hand")),
        ("hcg/HCG-UNIQ-06/illegal", "HCG-UNIQ-06", claims(to="command_hand")),
        ("hcg/HCG-INF-02/illegal", "HCG-INF-02", claims(to="fleet")),
        ("hcg/HCG-WDR-02/illegal-ship", "HCG-WDR-02", without_the_ship),
    ],
)
def test_a_finding_says_what_the_log_comes_to_with_its_act_done_rightly(
    name: str, rule: str, rightly: Callable[[Line, list[Line]], None]
) -> None:
    log = example(*name.split("/", 1)).log
    found = audit_log(json.dumps(log).encode(), meant=False)["findings"]
    finding = next(one for one in found if one["rule"] == rule and one["stands"])
    logged, replay = end_of(log)
    place = next(n for n, one in enumerate(log["events"]) if one["seq"] == finding["seq"])
    rightly(log["events"][place], log["events"][place + 1 :])
    right, _ = end_of(log)
    undone = any(one["as_if_not_done"] is not None for one in finding["effect"]["changed"])
    other = "as_if_not_done" if undone else "as_it_should_be"
    differing = {
        replay.names(what): [replay.names.of(fact(logged, right, what)), replay.names.of(fact(right, logged, what))]
        for what in logged.keys() | right.keys()
        if logged.get(what) != right.get(what)
    }
    effect = finding["effect"]
    said = {one["what"]: [one["as_logged"], one[other]] for one in effect["changed"]}
    assert said == differing, effect["text"]
    assert effect["text"].startswith(NOTHING) == (not differing)
