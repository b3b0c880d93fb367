"""What the program notes for itself: the newest version that wrote here, and a sign that what is written can be read."""

from __future__ import annotations

import re
import secrets

from sqlmodel import Session

from auditor.store.database import CannotOpen, Database
from auditor.store.tables import Note

_ENGINE = "engine"
_PULSE = "pulse"


def engine_that_wrote(session: Session) -> str | None:
    """The newest version of the program that wrote here."""
    row = session.get(Note, _ENGINE)
    return None if row is None else row.value


def sign(database: Database, name: str, version: str) -> None:
    """Note that this version writes here. Raises CannotOpen where a newer one has, and then nothing was changed."""
    with database.read() as session:
        wrote = engine_that_wrote(session)
    if wrote is not None and order(wrote) > order(version):
        raise CannotOpen(
            f"{name} was written by a newer version of this program ({wrote}; this is {version}); "
            "start that version, or choose another data folder"
        )
    if wrote != version:
        _put(database, _ENGINE, version)


def pulse(database: Database) -> bool:
    """Write something, and read it back; whether it was the same. Raises what writing raises."""
    sent = secrets.token_hex(8)
    _put(database, _PULSE, sent)
    with database.read() as session:
        row = session.get(Note, _PULSE)
        return row is not None and row.value == sent


def _put(database: Database, name: str, value: str) -> None:
    with database.one_at_a_time() as session:
        row = session.get(Note, name) or Note(name=name, value=value)
        row.value = value
        session.add(row)


def order(version: str) -> tuple[int, ...]:
    """A version, to be held against others."""
    return tuple(int(number) for number in re.findall(r"\d+", version))
