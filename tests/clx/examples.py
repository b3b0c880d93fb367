"""The examples of the rules and readings, and what an audit of one says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from auditor import systems
from auditor.core.audit import audit
from auditor.core.record import Record, Unknown
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import Rulings, rulings
from auditor.systems.clx import records
from auditor.systems.clx.packs import setup_of
from auditor.systems.clx.ruleset import RULESET
from tests import examples as files
from tests.ended import as_if_ended
from tests.examples import FIXTURES as OF_ALL
from tests.examples import Example

FIXTURES = OF_ALL / "clx"


_decoder = msgspec.json.Decoder(records.AnyEvent)


@cache
def _setup_of(header: bytes) -> Any:
    """What a header says, made once: six examples of seven have that of another."""
    return setup_of(header, systems.game("clx").built_in_packs)


def record_of(log: Mapping[str, Any]) -> Record:
    """A record from a log as one object. Raises where the header or an event cannot be read."""
    header = log["header"]
    setup, wrong, used = _setup_of(json.dumps(header).encode())
    assert setup is not None and not wrong, wrong
    events = [
        _decoder.decode(json.dumps(event))
        if event["type"] in records.EVENTS
        else Unknown(event["seq"], event["type"], event, event.get("player"))
        for event in log["events"]
    ]
    return Record(
        game="clx",
        header=header,
        events=events,
        lines=list(range(2, len(events) + 2)),
        setup=setup,
        packs=used,
    )


def replayed(
    log: Mapping[str, Any], readings: Mapping[str, str] | None = None, **settings: str
) -> tuple[Record, Ruleset, Rulings]:
    """What a log is replayed by: as a record, the ruleset, and the rulings of its header with those that are given."""
    given = log["header"].get("rulings") or {}
    answers = {**given.get("readings", {}), **(readings or {})}
    ruled = rulings(
        {"name": "test", "readings": answers, "settings": {**given.get("settings", {}), **settings}},
        RULESET.readings,
        [rule.id for rule in RULESET.rules],
        settings=RULESET.settings,
    )
    return record_of(log), RULESET, ruled


def audited(log: Mapping[str, Any], readings: Mapping[str, str] | None = None, **settings: str) -> dict[str, Any]:
    """The audit of a log as if it had its end; a fault of ours raises."""
    return as_if_ended(audit(*replayed(log, readings, **settings), engine="test", strict=True))


def judged(log: Mapping[str, Any], readings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The audit of a log without what its lines may have meant, which costs most: what the rules say."""
    return as_if_ended(audit(*replayed(log, readings), engine="test", strict=True, meant=False))


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


PLAYERS = ("Ada", "Ben")


def with_players(log: Any) -> Any:
    """The log of an example with players who have names, as what is said of it names them."""
    called = [{"name": name, **player} for name, player in zip(PLAYERS, log["header"]["players"], strict=True)]
    return {**log, "header": {**log["header"], "players": called}}


def examples(name: str = "", file: str | None = "CLX-*") -> list[Example]:
    """Examples whose names begin so, of all rules or of other files (None: of all)."""
    return files.examples("clx", name, file)


def example(name: str) -> Example:
    """An example by its file and its name."""
    return files.example("clx", name)


def matches(expected: Mapping[str, Any], finding: Mapping[str, Any]) -> bool:
    """Whether a finding is what was expected, in all that was written down; of objects, in the keys written down."""
    for key, value in expected.items():
        found = finding[key]
        if isinstance(value, dict) and isinstance(found, dict):
            if any(found.get(name) != wanted for name, wanted in value.items()):
                return False
        elif found != value:
            return False
    return True


def differences(expected: list[Any], found: list[Any]) -> list[str]:
    """Expected findings that are not there, and findings that nobody expected."""
    left = list(found)
    told: list[str] = []
    for entry in expected:
        match = next((f for f in left if matches(entry, f)), None)
        if match is None:
            told.append(f"missing: {json.dumps(entry)}")
        else:
            left.remove(match)
    for f in left:
        told.append(
            f"unexpected: {f['rule']} {f['kind']} at {f['seq']} of {f['player']} on {f['subject']} stands={f['stands']}"
            f" {f['claimed']} -> {f['recomputed']} {json.dumps(f['scope'])}: {f['text']}"
        )
    return told
