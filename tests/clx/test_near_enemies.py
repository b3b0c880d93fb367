"""What floats sort out of a crowd that a model passes changes nothing of what is said of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from auditor.systems.clx.rules import moves


def crowded(seed: int) -> bytes:
    """Few models that cross a crowd, all on a grid of quarters of an inch, so that gaps of an inch and ties are many."""
    random = Random(seed)
    profile = {"M": 6, "WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 8, "AS": 4}

    def spot() -> list[float]:
        return [10 + random.randrange(20) / 4, 10 + random.randrange(20) / 4]

    units = []
    for name, size in (("a", 6), ("b", 12)):
        models = [
            {"id": f"{name}.{n}", "profile": profile, "base": {"shape": "circle", "r": random.choice([0.5, 0.75])}}
            for n in range(size)
        ]
        units.append({"id": name, "type": "infantry", "models": models})
    header = {
        "type": "header",
        "game": "clx",
        "format": 1,
        "table": {"W": 48, "D": 48},
        "rulings": {"OR-STOP": "HALT"},
        "units": units,
    }
    header["players"] = [{"id": name.upper(), "name": name, "units": [name]} for name in ("a", "b")]
    places = {model["id"]: spot() for unit in units for model in unit["models"]}
    now: dict[str, Any] = {"turn": 1, "phase": "movement", "player": "A"}
    events: list[dict[str, Any]] = [
        {
            "type": "deploy",
            "player": unit["id"].upper(),
            "turn": 0,
            "phase": "pre",
            "unit": unit["id"],
            "models": [{"id": model["id"], "pos": places[model["id"]]} for model in unit["models"]],
        }
        for unit in units
    ]
    events += [{"type": "turn_start", **now}, {"type": "phase_start", **now}]
    for _ in range(2):
        walked = []
        for model in units[0]["models"]:
            path = [places[model["id"]]]
            for _ in range(random.randrange(1, 4)):
                path.append([at + random.randrange(-4, 5) / 4 for at in path[-1]])
            places[model["id"]] = path[-1]
            walked.append({"id": model["id"], "path": path})
        events.append({"type": "move", "unit": "a", "models": walked, **now})
    return as_jsonl([header, *({"seq": n, **event} for n, event in enumerate(events, 1))]).encode()


@pytest.mark.parametrize("seed", [1, 3, 6, 9])
def test_a_crowd_is_told_of_as_if_every_gap_in_it_were_measured(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def told() -> list[tuple[str, str]]:
        audit = audit_log(crowded(seed), causes=False, digest=False)
        assert audit["verdict"] == "findings"
        return [(one["rule"], one["text"]) for one in audit["findings"] if one["rule"] == "CLX-MOVE-02"]

    sorted_out = told()
    measured: list[int] = []
    monkeypatch.setattr(moves, "_may_be_worst", lambda way, shapes, near: measured.append(len(near)) or near)
    assert told() == sorted_out
    assert sorted_out and max(measured) > 3
