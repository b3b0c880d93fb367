"""Examples stop where their rule has been seen; an audit of one is held to what it says of what is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.core.audit import verdict


def as_if_ended(audit: Mapping[str, Any]) -> dict[str, Any]:
    """The audit of an example with the verdict that it would have if the record had its end, and without the note that
    it breaks off; one of a record that has its end as it is.

    A record that breaks off is never clean, which is right for a game and says nothing of a rule.
    """
    if audit["coverage"]["ended"]:
        return dict(audit)
    first, *notes = audit["notes"]
    assert first["text"].startswith("The record breaks off "), first
    nothing = any(note["text"].startswith("Nothing was checked") for note in notes)
    open_ = bool(audit["coverage"]["unchecked"] or audit["errors"]) or nothing
    said = verdict(audit["findings"], open_)
    assert said == audit["verdict"] or (said, audit["verdict"]) == ("clean", "incomplete")
    return {**audit, "verdict": said, "notes": notes}
