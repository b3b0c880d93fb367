"""Labels: one that both sides use, one that a unit no longer bears, and what a missing fact keeps from being judged."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest

from auditor.conformance.calth.adoption import apply
from auditor.conformance.calth.check import check
from auditor.conformance.calth.generate import generate
from auditor.conformance.calth.position import opening
from tests.shares import WHOLE

NAMING = ("unit", "attacker", "target")


def renamed(event: dict[str, Any], name: Any) -> dict[str, Any]:
    """An event with every label of a unit given by `name`."""
    new = deepcopy(event)
    for holder in (new, *new.get("units", ())):
        for key in NAMING:
            if isinstance(holder.get(key), str):
                holder[key] = name(holder[key])
    return new


@pytest.mark.parametrize("seed", range(6))
def test_both_sides_may_use_the_same_labels(seed: int) -> None:
    header, *events = generate(seed, rounds=3)
    assert (
        check(
            [header, *(renamed(event, lambda label: label.replace("um-", "").replace("wb-", "")) for event in events)]
        )
        == []
    )


def test_a_label_means_the_unit_in_which_its_models_now_stand() -> None:
    tried = 0
    for seed in range(12):
        if tried > 20 and not WHOLE:
            break
        header, *events = generate(seed, rounds=3)
        position, borne = opening(header), dict[str, set[str]]()
        for n, event in enumerate(events):
            standing = {unit.id: set(unit.models) for unit in position.units.values()}
            borne |= standing
            for label, models in borne.items():
                living = models - position.removed
                units = {position.unit_of(model).id for model in living if position.unit_of(model)}
                if label in standing or len(units) != 1 or not living:
                    continue
                now = units.pop()
                if event["type"] in ("activate", "attack", "move_unit") and now in (event.get(key) for key in NAMING):
                    changed = renamed(event, lambda known, old=label, now=now: old if known == now else known)
                    assert check([header, *events[:n], changed, *events[n + 1 :]]) == []
                    tried += 1
            apply(position, event, {})
    assert tried > 20


def test_a_log_that_says_less_is_judged_and_never_stops_the_referee() -> None:
    rng = Random(1)
    for seed in range(6 if WHOLE else 2):
        header, *events = generate(seed, rounds=2)
        for _ in range(60 if WHOLE else 30):
            n = rng.randrange(len(events))
            fields = [key for key in events[n] if key not in ("seq", "type")]
            if not fields:
                continue
            left = {key: value for key, value in events[n].items() if key != rng.choice(fields)}
            assert all(one.kind != "illegal" for one in check([header, *events[:n], left])), left
