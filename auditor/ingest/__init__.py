"""Bytes to records: the readers of logs, of what they come in, and of data packs."""

from __future__ import annotations

from auditor.ingest.containers import Member, NotRead, open_container
from auditor.ingest.limits import LIMITS, Limits
from auditor.ingest.packfiles import BadPacks, Pack, Packs, check_packs, packs_with, read_packs
from auditor.ingest.reader import Reading, read
from auditor.ingest.schemas import pack_schema, schema, table

__all__ = [
    "LIMITS",
    "BadPacks",
    "Limits",
    "Member",
    "NotRead",
    "Pack",
    "Packs",
    "Reading",
    "check_packs",
    "open_container",
    "pack_schema",
    "packs_with",
    "read",
    "read_packs",
    "schema",
    "table",
]
