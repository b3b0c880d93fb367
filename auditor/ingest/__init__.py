"""Bytes to records: the readers of logs, of what they come in, and of data packs."""

from __future__ import annotations

from auditor.ingest.containers import Member, NotRead, open_container
from auditor.ingest.formats import FORMATS, schema
from auditor.ingest.limits import LIMITS, Limits
from auditor.ingest.packfiles import read_packs
from auditor.ingest.reader import read

__all__ = ["FORMATS", "LIMITS", "Limits", "Member", "NotRead", "open_container", "read", "read_packs", "schema"]
