"""What something was made of: worked out by the child that made it from the bytes it really read, and compared with what
was asked for before the thing is stored or served. Nothing ever stands under another's name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import rfc8785

from auditor.engine.headers import log_sha256
from auditor.jobs.packed import unpacked


class NotOfThis(RuntimeError):
    """What was made is of another log, of other rulings, or of other packs than what was asked for."""


@dataclass(frozen=True)
class Made:
    """What a child made; `of` is what it was made of: a log under terms (`of_terms`), or finished audits (their digests)."""

    of: str
    value: Any

    def checked(self, of: str) -> Any:
        """The value, if it was made of this. Raises NotOfThis."""
        if self.of != of:
            raise NotOfThis(f"made of {self.of}, asked for of {of}")
        return self.value


_DIGEST = re.compile(rb',"digest":"([0-9a-f]{64})"')


def digest_in(canonical: bytes) -> str | None:
    """The digest that stands in an audit's canonical JSON, packed. It is found near the beginning, because keys are sorted
    and a quotation mark in a text is escaped; the rest is not unpacked."""
    begin = b""
    for part in unpacked(canonical):
        begin += part
        found = _DIGEST.search(begin)
        if found is not None:
            return found[1].decode()
        begin = begin[-80:]
    return None


def terms_digest(rulings: Mapping[str, Any] | None, packs: Sequence[str] = ()) -> str:
    """The SHA-256 over the canonical JSON of rulings and of the hashes of packs; the same answers have the same."""
    value = {"rulings": rulings, "packs": list(packs)} if packs else rulings
    return hashlib.sha256(rfc8785.dumps(value)).hexdigest()


def of_terms(log_sha256: str, terms: str) -> str:
    """What is made of a log under rulings and packs (`terms_digest`)."""
    return f"{log_sha256} {terms}"


def read_terms(data: bytes, rulings: Mapping[str, Any] | None, packs: Sequence[tuple[str, bytes]]) -> str:
    """`of_terms` of the bytes of a log and of packs. Raises NotOfThis where a pack is not what its hash says."""
    for sha256, content in packs:
        if hashlib.sha256(content).hexdigest() != sha256:
            raise NotOfThis("a pack is not what its hash says")
    names = [sha256 for sha256, _content in packs]
    return of_terms(hashlib.sha256(data).hexdigest(), terms_digest(rulings, names))


def check_audit(audit: Mapping[str, Any], data: bytes, rulings: Mapping[str, Any] | None) -> None:
    """Raise NotOfThis where an audit says of itself that it is of another log or under other rulings."""
    if audit["log_sha256"] not in (hashlib.sha256(data).hexdigest(), log_sha256(data)):
        raise NotOfThis("the audit is of another log")
    if audit["verdict"] == "unreadable":
        return  # nothing was judged, by whatever rulings
    in_force = audit["rulings"]
    for part in ("readings", "settings", "not_audited"):
        asked, there = (rulings or {}).get(part) or {}, in_force.get(part) or {}
        if any(there.get(key) != answer for key, answer in asked.items()):
            raise NotOfThis("the audit goes by other rulings")
