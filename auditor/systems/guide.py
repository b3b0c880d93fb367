"""What is suggested to be done about a fault: the auditor's own penalty guide, and which entry a game's rules come under.

`data/guide.json` is modelled on the guides of tournaments for other games; each game's `data/remedies.json` says under
which entry its faults come: by rule, by family of rules (the first two parts of an id), else by kind. A suggestion, and
no ruling: the judge decides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from auditor.core.findings import Fault


@lru_cache(None)
def _data(package: str, name: str) -> Mapping[str, Any]:
    return json.loads((files(package) / "data" / name).read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def remedy(package: str, fault: Fault) -> Mapping[str, str]:
    """What is suggested about a fault of a game: {"code", "text"}; `package`: the game's."""
    code = code_of(_data(package, "remedies.json"), fault)
    entry = _data("auditor.systems", "guide.json")[code]
    return {"code": code, "text": str(entry.get(_which(fault)) or entry["remedy"])}


def code_of(remedies: Mapping[str, Any], fault: Fault) -> str:
    """The entry of the guide that a fault comes under."""
    rules = remedies["rules"]
    for name in (fault.rule, "-".join(fault.rule.split("-")[:2])):
        found = rules.get(name)
        found = found.get(fault.kind) if isinstance(found, Mapping) else found
        if found is not None:
            return str(found)
    return str(remedies["kinds"][fault.kind])


def _which(fault: Fault) -> str:
    """Whether something was too many or too few, where a fault says so."""
    if fault.kind == "omitted":
        return "too_few"
    claimed, right = fault.claimed, fault.recomputed
    if isinstance(claimed, Mapping) and isinstance(right, Mapping):
        both = [(value, right[key]) for key, value in claimed.items() if key in right]
    else:
        both = [(claimed, right)]
    for a, b in both:
        if isinstance(a, int) and isinstance(b, int) and not isinstance(a, bool) and a != b:
            return "too_many" if a > b else "too_few"
    return "remedy"
