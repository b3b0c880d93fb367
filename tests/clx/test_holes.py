"""What a fault rests on: where the record has a hole there, nobody is accused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clx.examples import audited, example

BETWEEN = example("CLX-SHOOT-07c/illegal-between")


def with_a_hole_before_the_shots(log: Any) -> Any:
    """The same log with a line lost after the position; then the target alone is said to stand where it stood."""
    first, *others = log["events"]
    again = {**first, "seq": 3, "units": first["units"][1:]}
    return {**log, "events": [first, again, *({**event, "seq": event["seq"] + 2} for event in others)]}


@pytest.mark.parametrize("left_out", [False, True], ids=["a wrong number", "cover left out"])
def test_cover_that_lies_between_hangs_on_where_the_firers_stand(left_out: bool) -> None:
    log = BETWEEN.log
    if left_out:
        log["events"] = [event for event in log["events"] if event["type"] != "cover_rolls"]
        log["events"][-2]["rolls"] *= 2
        log["events"] = [{**event, "seq": n} for n, event in enumerate(log["events"], start=1)]
    rule = "CLX-SHOOT-07b" if left_out else "CLX-SHOOT-07c"

    def found(one: Any) -> list[tuple[str, str, bool]]:
        return [(f["rule"], f["kind"], f["stands"]) for f in audited(one)["findings"]]

    assert found(log) == [(rule, "omitted" if left_out else "miscalculated", True)]
    assert found(with_a_hole_before_the_shots(log)) == [(rule, "ambiguous", False)]


@pytest.mark.parametrize("name", ["illegal-side-left-out", "illegal-side-left-out-hit-from-behind"])
def test_what_a_hit_does_hangs_on_how_the_hull_stood_where_its_side_is_left_out(name: str) -> None:
    log = example(f"CLX-VEH-07/{name}").log
    *before, hit = log["events"]
    unknown = {"seq": hit["seq"], "type": "something_else"}
    perhaps_turned = {**log, "events": [*before, unknown, {**hit, "seq": hit["seq"] + 1}]}

    def found(one: Any) -> list[tuple[str, str, bool]]:
        return [(f["rule"], f["kind"], f["stands"]) for f in audited(one)["findings"]]

    assert found(log) == [("CLX-VEH-07", "miscalculated", True)]
    assert found(perhaps_turned) == [("CLX-VEH-07", "ambiguous", False)]
