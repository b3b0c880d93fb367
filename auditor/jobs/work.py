"""What a child does: audits and drawings, values in and values out. The engine is a module, named by the caller."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import rfc8785

from auditor.jobs import drawings, opening
from auditor.jobs.identity import Made, check_audit, read_terms
from auditor.jobs.opening import LONGEST_ID, ArchivedLog
from auditor.jobs.packed import packed


def load(engine: str) -> None:
    """Load the engine, and no game: enough to open uploads."""
    importlib.import_module(engine)


@cache
def warm(engine: str, logs: tuple[bytes, ...] = ()) -> bool:
    """Load the engine and its games, and audit these logs, so that the first upload need not wait for any of it; once."""
    module = importlib.import_module(engine)
    games = list(module.GAMES.values())
    for data in logs:
        # What follows from findings costs many times the rest, and loads nothing more.
        module.audit_log(data, digest=False, causes=False)
    return bool(games)


Files = tuple[tuple[str, bytes], ...]
"""Data packs: the hash and the canonical JSON of each."""


@lru_cache(maxsize=4)
def _packs(files: Files) -> Any:
    """Packs made ready for the engine, and kept for the next audit that wants the same."""
    from auditor.ingest import check_packs, packs_with

    return packs_with(check_packs(files, together=False)) if files else None


def read_packs(
    _engine: str, files: Sequence[tuple[str, bytes]], beside: Files = ()
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The packs of some files, ready to be stored, and everything that is wrong with any of them; one of both is empty.

    `beside` are packs stored before, which those of the files may name.
    """
    from auditor.ingest import BadPacks, check_packs

    try:
        packs = check_packs(files, beside=check_packs(beside, together=False))
    except BadPacks as bad:
        return [], [error.as_json() for error in bad.errors]
    return [
        {
            "game": pack.game,
            "kind": pack.kind,
            "id": pack.id,
            "version": pack.version,
            "title": pack.title,
            "sha256": pack.sha256,
            "canonical": rfc8785.dumps(pack.written),
            "mentions": sorted(mentions(pack.written)),
        }
        for pack in packs
    ], []


def mentions(value: Any) -> set[str]:
    """All texts in a JSON value that could be the id of a pack, "@version" and all."""
    found: set[str] = set()
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            todo.extend(one.values())
        elif isinstance(one, list | tuple):
            todo.extend(one)
        elif isinstance(one, str) and 0 < len(one) <= LONGEST_ID:
            found.add(one)
    return found


MOST_ERRORS = 50
"""Errors of a file that pages about many files show of each; its audit lists more."""


@dataclass(frozen=True)
class Audited:
    """What is kept of an audit. The bytes are packed (`packed`), so that no other process need hold all of them.

    of         what it is of (`identity.read_terms`), by the bytes that were read
    canonical  the audit as canonical JSON
    timeline   the events for the replay, as JSON
    numbers    the number of each of them, in their order
    errors     the first of what could not be read in the log
    counts     the numbers that lists show
    version    of the rules that judged it; None where nothing was judged
    """

    of: str
    canonical: bytes
    timeline: bytes
    numbers: bytes
    errors: list[dict[str, Any]]
    counts: dict[str, Any]
    version: str | None = None


def audit(engine: str, log: ArchivedLog | bytes, rulings: dict[str, Any] | None, packs: Files) -> Audited:
    """The audit of a log, and what pages about it are made from."""
    module, data = importlib.import_module(engine), _bytes(log)
    of = read_terms(data, rulings, packs)
    value, written = module.audit_json(data, rulings=rulings, packs=_packs(packs))
    check_audit(value, data, rulings)
    found = counts(value, 0), list(value.get("errors", ())[:MOST_ERRORS])
    version = None if value["verdict"] == "unreadable" else value["ruleset_version"]
    del value
    canonical = packed(written)
    del written
    events = list(module.timeline(data, rulings=rulings, packs=_packs(packs), texts=True))
    return Audited(
        of,
        canonical,
        packed(json.dumps(events, separators=(",", ":")).encode()),
        packed(json.dumps([event["seq"] for event in events], separators=(",", ":")).encode()),
        found[1],
        {**found[0], "events": len(events)},
        version,
    )


def _bytes(log: ArchivedLog | bytes) -> bytes:
    """A log's bytes, handed over or read from where they lie."""
    return log if isinstance(log, bytes) else log.read()


def form(engine: str, *args: Any) -> Made:
    """A form of an audit (`forms.form`); those who only audit need none of what makes it."""
    from auditor.jobs import forms

    return forms.form(importlib.import_module(engine), *args)


def draw_finding(
    engine: str, log: ArchivedLog | bytes, rulings: dict[str, Any] | None, packs: Files, *audited: Any
) -> Made:
    """The page of a finding that its audit does not draw (`forms.drawn`); `audited`: whose it is, the audit and its
    events, packed, and the finding's id."""
    from auditor.jobs import forms

    module, *of, ident = importlib.import_module(engine), *audited
    data = _bytes(log)
    made = forms.form(module, *of, "drawn", module, data, ident, rulings=rulings, packs=_packs(packs))
    return Made(f"{read_terms(data, rulings, packs)} {made.of}", made.value)


def compared(engine: str, *args: Any) -> Made:
    """What differs between two audits (`forms.compared`)."""
    from auditor.jobs import forms

    return forms.compared(importlib.import_module(engine), *args)


def open_archived(engine: str, *args: Any) -> opening.OpenedUpload:
    """The logs of an upload that is in the archive (`opening.open_archived`)."""
    return opening.open_archived(importlib.import_module(engine), *args)


def mentioned_in(engine: str, archived: ArchivedLog) -> tuple[str, ...]:
    """The texts in the header of a log that may name data packs."""
    return opening.mentioned_in(importlib.import_module(engine), archived)


def draw_blocks(
    engine: str, log: ArchivedLog | bytes, rulings: dict[str, Any] | None, packs: Files, blocks: Sequence[Sequence[int]]
) -> Made:
    """The drawings of events, packed block by block, after one replay of the log."""
    module, data = importlib.import_module(engine), _bytes(log)
    wanted = {seq for block in blocks for seq in block}
    frames = {
        frame["seq"]: frame for frame in module.replay_frames(data, rulings=rulings, packs=_packs(packs), seqs=wanted)
    }
    packed_blocks = [drawings.pack([frames[seq] for seq in block if seq in frames]) for block in blocks]
    return Made(read_terms(data, rulings, packs), packed_blocks)


def draw_rounds(engine: str, log: ArchivedLog | bytes, rulings: dict[str, Any] | None, packs: Files) -> Made:
    """The drawings of each round's start, packed."""
    module, data = importlib.import_module(engine), _bytes(log)
    made = drawings.pack(module.replay_frames(data, rulings=rulings, packs=_packs(packs), seqs=None))
    return Made(read_terms(data, rulings, packs), made)


def counts(value: dict[str, Any], events: int) -> dict[str, Any]:
    """The numbers of an audit that lists and summaries show; what follows from another finding is counted apart."""
    findings = value.get("findings", [])
    standing = [finding for finding in findings if finding["stands"]]
    ids = {finding["id"] for finding in standing}
    roots = [finding for finding in standing if ids.isdisjoint(finding["depends_on"])]
    return {
        "verdict": value["verdict"],
        "digest": value["digest"],
        "events": events,
        "standing": len(roots),
        "following": len(standing) - len(roots),
        "kinds": {kind: sum(f["kind"] == kind for f in roots) for kind in ("illegal", "miscalculated", "omitted")},
        "ambiguous": sum(finding["kind"] == "ambiguous" for finding in findings),
        "only_under": sum(not f["stands"] and f["kind"] != "ambiguous" for f in findings),
        "notes": len(value.get("notes", [])),
        "errors": len(value.get("errors", [])),
        "unchecked": len(value.get("coverage", {}).get("unchecked", [])),
    }
