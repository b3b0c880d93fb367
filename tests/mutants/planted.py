"""One planted fault of each kind in Calth must be found, and nothing beside it. Kept as files, since planting takes longer."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from auditor import engine
from auditor.conformance.calth.plant import PLANTABLE, findings_of
from auditor.conformance.calth.plant.booked import planted
from auditor.conformance.logs import as_jsonl
from auditor.trials.audited import held_against, record_notes
from tests.mutants.rooms import ROOT


@cache
def _folder() -> Path:
    sources = sorted((ROOT / "auditor/conformance/calth").rglob("*.py"))
    text = b"".join(path.read_bytes() for path in sources)
    folder = ROOT / "build" / "planted" / hashlib.sha256(text).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _game(name: str) -> dict[str, Any]:
    kept = _folder() / f"{name}.json"
    if not kept.exists():
        game = planted(name, 0)
        assert game is not None
        due = [[one["seq"], one["rule"], one["kind"], one["player"]] for one in findings_of(game.fault)]
        kept.write_text(json.dumps({"log": as_jsonl(game.lines), "due": due}), encoding="utf-8")
    found: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", PLANTABLE)
def test_a_planted_fault_is_found_and_nothing_beside_it(name: str) -> None:
    game = _game(name)
    audit, _ = engine.audit_counts(game["log"].encode())
    held = [*held_against(audit), *record_notes(audit)]
    assert sorted(([one[key] for key in ("seq", "rule", "kind", "player")] for one in held), key=str) == sorted(
        game["due"], key=str
    )
