"""The audit of a log."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from auditor import __version__
from auditor.core import bounds
from auditor.core.audit import audit, audit_value, beyond, sealed, sealed_json
from auditor.core.evidence import Everything
from auditor.core.findings import Note
from auditor.core.following import follow
from auditor.core.meant import explain
from auditor.core.plain import plain
from auditor.core.record import InputError, Record, UnreadableLog
from auditor.core.replay import Replay
from auditor.core.work import Purse
from auditor.engine import conventions
from auditor.engine.games import GAMES, Json, PacksOfGames
from auditor.engine.headers import header_line, log_header, log_sha256
from auditor.engine.rulings import complete_rulings, in_force_of
from auditor.ingest import Reading, read

ENGINE = f"tabletop-auditor {__version__}"

NOTHING_CHECKED: Json = {
    "events": 0,
    "ended": False,
    "resolved": 0,
    "not_claimed": 0,
    "unchecked": [],
    "rules_run": [],
    "rules_idle": [],
    "rules_not_auditable": [],
}


def audit_log(
    data: bytes,
    *,
    rulings: Mapping[str, Any] | None = None,
    packs: PacksOfGames | None = None,
    container_sha256: str | None = None,
    digest: bool = True,
    causes: bool = True,
    meant: bool = True,
    strict: bool = False,
    everything: Everything = False,
) -> Json:
    """The audit of a log as a JSON value (design 5.3), with its digest unless that is not wanted.

    `rulings` given here are in force over the header's, the header's over the defaults; their `read_as` names another way
    of writing in which the record is to be read (`engine.conventions`). A log without a usable header
    gives the verdict "unreadable", with everything that is wrong with it in `errors`. Nothing in the log raises;
    BadRulings is raised for rulings given here that name what does not exist. With `everything` (of all
    events, or of those of some numbers), the evidence and the effect of findings that hold only under readings not in force stand under `drawn`, beside what the digest is of.
    """
    rulings, convention = conventions.chosen(rulings)
    try:
        reading = Reading(data, packs=packs, container_sha256=container_sha256)
        record = reading.record(convention)
    except UnreadableLog as refusal:
        value = _unreadable(data, rulings, refusal.errors)
        return sealed(value) if digest else value
    ruleset = GAMES[record.game]
    in_force, notes, errors = in_force_of(record.header, ruleset, rulings)
    if convention is not None:
        notes = [Note("input", f"The record was read as it was asked for: {convention.words}."), *notes]
    if errors:
        line = header_line(data)
        errors = [replace(error, line=line) for error in errors]
        record = replace(record, errors=sorted([*record.errors, *errors], key=lambda error: error.line or 0))
    notes = [*(Note("input", remark) for remark in record.remarks), *notes]
    used = [{"id": pack.id, "sha256": pack.sha256} for pack in record.packs]

    def audited(record: Record, notes: Sequence[Note], *, meant: bool = False, **more: Any) -> Json:
        with_it: Json = {"packs": used, "notes": notes, "strict": strict, "meant": meant}
        return audit(record, ruleset, in_force, engine=ENGINE, **with_it, **more)

    def replay(record: Record, purse: Purse) -> Replay:
        return Replay(ruleset, record, in_force, strict=strict, purse=purse, draws=False)

    with seldom_collected():
        value = audited(record, notes, causes=causes, meant=meant, everything=everything)
        if convention is not None:
            value["read_as"] = convention.name
        elif (doubt := conventions.doubt(value, reading, record, ruleset.events, replay)) is not None:
            told = [Note("input", doubt.text), *notes]
            if not doubt.convention.offered:
                record = replace(record, unsure=dict.fromkeys(range(len(record.events)), doubt.why))
            value = audited(record, told, causes=causes, meant=meant, everything=everything)
            value["perhaps"] = doubt.as_json()
    return sealed(value) if digest else value


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let garbage be collected seldom: an audit keeps most of what it makes and leaves hardly a cycle behind."""
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(max(before[0], 100_000), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def audit_json(
    data: bytes, *, rulings: Mapping[str, Any] | None = None, packs: PacksOfGames | None = None
) -> tuple[Json, bytes]:
    """The audit of a log with its digest (`audit_log`), and its canonical JSON; encoded once."""
    return sealed_json(audit_log(data, rulings=rulings, packs=packs, digest=False))


def audit_counts(data: bytes, *, packs: PacksOfGames | None = None) -> tuple[Json, dict[str, int]]:
    """The audit of a log without a digest, and how many of its events asked each open reading, whatever the answer.

    For tests of ourselves: a fault of ours raises. Raises UnreadableLog.
    """
    record = read(data, packs=packs)
    ruleset = GAMES[record.game]
    in_force, notes, _ = in_force_of(record.header, ruleset, None)
    replay = Replay(ruleset, record, in_force, strict=True)
    outcome = replay.run()
    follow(replay, to_the_end=False)
    explain(replay)
    value = audit_value(record, ruleset, in_force, outcome, engine=ENGINE, packs=(), notes=notes)
    return value, outcome.asked


def not_read(why: str) -> Json:
    """The audit of a log whose bytes could not be had, with the reason: unreadable, and the hash of nothing."""
    return sealed(_unreadable(b"", None, [InputError(None, "", why, "a log that can be opened")]))


def _unreadable(data: bytes, given: Mapping[str, Any] | None, errors: Sequence[InputError]) -> Json:
    """The audit of a log that cannot be replayed: what is wrong with it, and nothing else."""
    more = beyond(errors=len(errors))
    game = log_header(data).get("game")
    ruleset = GAMES[game] if isinstance(game, str) and game in GAMES else None
    if ruleset is not None:
        in_force = complete_rulings(given, ruleset, "defaults" if given is None else "unnamed").as_json()
    else:
        in_force = {"name": "none", "readings": {}, "settings": {}, "not_audited": {}}
    return {
        "audit": 1,
        "engine": ENGINE,
        "game": ruleset.key if ruleset else None,
        "ruleset_version": ruleset.version if ruleset else None,
        "log_sha256": log_sha256(data),
        "packs": [],
        "rulings": plain(in_force),
        "verdict": "unreadable",
        "errors": [plain(error.as_json()) for error in errors[: bounds.MOST_ERRORS]],
        "findings": [],
        "notes": [],
        "coverage": NOTHING_CHECKED,
        **({"more": more} if more else {}),
    }
