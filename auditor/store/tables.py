"""The tables. `from __future__ import annotations` must stay out of this module: SQLModel reads the annotations.

What a person sends in one go is a *delivery*. Its files are *uploads*: bytes, known by their SHA-256 and stored once,
whoever sends them and however often. An upload holds one *log* (a file, gzip unpacked) or several (a zip), which are
its *members*. An *audit* belongs to a log, a ruleset version and rulings, and is never rewritten. A *job* is the work
that is still due; it is the truth about what is queued and running.
"""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from auditor.store.columns import Json, text

SHA256 = 64
KEY = 20
NAME = 255
LABEL = 120

JOB_STATES = ("queued", "running", "done", "failed")
CONTAINERS = ("plain", "gzip", "zip", "unknown")
SOURCES = ("upload", "api", "example")
VERDICTS = ("clean", "findings", "incomplete", "unreadable")

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def now() -> datetime:
    """This moment in UTC."""
    return datetime.now(UTC)


def one_of(column: str, values: tuple[str, ...]) -> sa.CheckConstraint:
    """A constraint: the column holds one of these words (or nothing)."""
    words = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{column} IN ({words})", name=column)


class Upload(SQLModel, table=True):
    """Bytes as they came."""

    __tablename__ = "upload"
    __table_args__ = (one_of("container", CONTAINERS), one_of("source", SOURCES))

    id: int | None = Field(default=None, primary_key=True)
    sha256: str = Field(sa_type=text(SHA256), unique=True)
    size: int = Field(sa_type=sa.BigInteger, ge=0)
    container: str = Field(sa_type=text(16))
    name: str = Field(sa_type=text(NAME))
    source: str = Field(sa_type=text(16))
    problems: list[dict[str, Any]] = Field(default_factory=list, sa_type=Json)
    received_at: datetime = Field(default_factory=now)


class Log(SQLModel, table=True):
    """One game's log: its own bytes, after gunzip, out of the zip; and what its header says of it."""

    __tablename__ = "log"
    __table_args__ = (sa.Index("ix_log_game", "game", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    sha256: str = Field(sa_type=text(SHA256), unique=True)
    size: int = Field(sa_type=sa.BigInteger, ge=0)
    name: str = Field(sa_type=text(NAME))
    game: str | None = Field(default=None, sa_type=text(32))
    title: str | None = Field(default=None, sa_type=text(200))
    header: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    created_at: datetime = Field(default_factory=now)


class LogWord(SQLModel, table=True):
    """A word that a log is found by (store/words.py)."""

    __tablename__ = "log_word"

    word: str = Field(sa_type=text(400), primary_key=True)
    log_id: int = Field(foreign_key="log.id", primary_key=True)


class Note(SQLModel, table=True):
    """What the program notes for itself (store/notes.py)."""

    __tablename__ = "note"

    name: str = Field(sa_type=text(32), primary_key=True)
    value: str = Field(sa_type=text(255))


class Secret(SQLModel, table=True):
    """What the processes of an installation share and nobody else knows, such as the key that signs sessions."""

    __tablename__ = "secret"

    name: str = Field(sa_type=text(32), primary_key=True)
    value: bytes


class Member(SQLModel, table=True):
    """That an upload holds a log, or tried to: a member that could not be read has problems and no log."""

    __tablename__ = "member"
    __table_args__ = (sa.UniqueConstraint("upload_id", "position"),)

    id: int | None = Field(default=None, primary_key=True)
    upload_id: int = Field(foreign_key="upload.id")
    position: int = Field(ge=0)
    name: str = Field(sa_type=text(NAME))
    log_id: int | None = Field(default=None, foreign_key="log.id", index=True)
    problems: list[dict[str, Any]] = Field(default_factory=list, sa_type=Json)


class RulingsSet(SQLModel, table=True):
    """Rulings stored under a name. The name never comes to mean anything else: there is no update."""

    __tablename__ = "rulings_set"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=text(LABEL), unique=True)
    digest: str = Field(sa_type=text(SHA256))
    value: dict[str, Any] = Field(sa_type=Json)
    created_at: datetime = Field(default_factory=now)


class Pack(SQLModel, table=True):
    """A data pack that was uploaded. Its canonical JSON lies in the archive under the hash that audits name it by.

    There is no update: another content is another version. `mentions` are the texts in it that may be ids of others.
    """

    __tablename__ = "pack"
    __table_args__ = (sa.UniqueConstraint("game", "kind", "name", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    sha256: str = Field(sa_type=text(SHA256), unique=True)
    game: str = Field(sa_type=text(32))
    kind: str = Field(sa_type=text(32))
    name: str = Field(sa_type=text(NAME))
    version: str = Field(sa_type=text(32))
    title: str = Field(sa_type=text(200))
    size: int = Field(sa_type=sa.BigInteger, ge=0)
    mentions: list[str] = Field(default_factory=list, sa_type=Json)
    received_at: datetime = Field(default_factory=now)


class Audit(SQLModel, table=True):
    """An audit asked for; verdict, digest and counts are empty until its job is done.

    `rulings` is what was chosen (null: the log's own over the defaults), `packs` are the hashes of the uploaded packs
    that the log may mean, and `rulings_digest` is over both. `key` names the audit in addresses and is made from log,
    version and that digest, so the same audit has the same address everywhere.
    """

    __tablename__ = "audit"
    __table_args__ = (
        sa.UniqueConstraint("log_id", "ruleset_version", "rulings_digest"),
        sa.Index("ix_audit_verdict", "verdict", "id"),
        sa.Index("ix_audit_rulings_label", "rulings_label", "id"),
        sa.Index("ix_audit_standing", "standing", "id"),
        sa.Index("ix_audit_log_verdict", "log_id", "verdict"),
        one_of("verdict", VERDICTS),
    )

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(sa_type=text(KEY), unique=True)
    log_id: int = Field(foreign_key="log.id")
    ruleset_version: str = Field(sa_type=text(64))
    rulings_digest: str = Field(sa_type=text(SHA256))
    rulings_label: str = Field(sa_type=text(LABEL))
    rulings: dict[str, Any] | None = Field(default=None, sa_type=Json)
    packs: list[str] = Field(default_factory=list, sa_type=Json, sa_column_kwargs={"server_default": "[]"})
    verdict: str | None = Field(default=None, sa_type=text(16))
    digest: str | None = Field(default=None, sa_type=text(SHA256))
    counts: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    standing: int = Field(default=0, ge=0, sa_column_kwargs={"server_default": "0"})
    created_at: datetime = Field(default_factory=now)
    finished_at: datetime | None = None


class AuditValue(SQLModel, table=True):
    """The audit itself and the log's events for the replay, apart, so that lists stay light.

    `canonical` (canonical JSON), `timeline` (JSON) and `numbers` (those of the events, as JSON) are packed by zlib.
    `errors` are the first of what could not be read in the log.
    """

    __tablename__ = "audit_value"

    audit_id: int = Field(primary_key=True, foreign_key="audit.id", sa_column_kwargs={"autoincrement": False})
    canonical: bytes
    timeline: bytes
    numbers: bytes
    errors: list[dict[str, Any]] = Field(default_factory=list, sa_type=Json)


class Delivery(SQLModel, table=True):
    """What was sent in one go."""

    __tablename__ = "delivery"
    __table_args__ = (one_of("source", SOURCES),)

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(sa_type=text(KEY), unique=True)
    source: str = Field(sa_type=text(16))
    rulings_label: str = Field(sa_type=text(LABEL))
    received_at: datetime = Field(default_factory=now)


class DeliveryFile(SQLModel, table=True):
    """What became of one file of a delivery, or of one member of a zip in it; `size` is that of a member without a log."""

    __tablename__ = "delivery_file"
    __table_args__ = (sa.UniqueConstraint("delivery_id", "position"),)

    id: int | None = Field(default=None, primary_key=True)
    delivery_id: int = Field(foreign_key="delivery.id")
    position: int = Field(ge=0)
    name: str = Field(sa_type=text(2 * NAME + 3))
    upload_id: int = Field(foreign_key="upload.id", index=True)
    log_id: int | None = Field(default=None, foreign_key="log.id", index=True)
    audit_id: int | None = Field(default=None, foreign_key="audit.id", index=True)
    known: bool = False
    skipped: bool = False
    size: int | None = Field(default=None, sa_type=sa.BigInteger, ge=0)
    problems: list[dict[str, Any]] = Field(default_factory=list, sa_type=Json)


class Filling(SQLModel, table=True):
    """A delivery of which not everything is taken in yet; the row goes with the last of it.

    `files` are those that were sent, each with its name, hash and size, and `choice` is that of the rulings. `total` is how
    many files of the delivery there will be, once they have been counted. `slow`: opening them takes long.
    """

    __tablename__ = "filling"

    delivery_id: int = Field(primary_key=True, foreign_key="delivery.id", sa_column_kwargs={"autoincrement": False})
    files: list[dict[str, Any]] = Field(sa_type=Json)
    choice: dict[str, Any] = Field(sa_type=Json)
    total: int | None = Field(default=None, ge=0)
    slow: bool = Field(default=False, sa_column_kwargs={"server_default": sa.false()})
    owner: str | None = Field(default=None, sa_type=text(64))
    lease_until: datetime | None = None


class Job(SQLModel, table=True):
    """Work that is due, done in the order of `turn` and id.

    `attempts` is the fencing token: a result counts only for the attempt that made it. `tries` are the attempts that
    are held against the job: those that ended its child while the parent lived. `slow`: it was not done in the time
    that every job gets first, and waits for those who do the long ones.
    """

    __tablename__ = "job"
    __table_args__ = (
        sa.UniqueConstraint("kind", "audit_id"),
        sa.Index("ix_job_due", "state", "slow", "turn", "id"),
        one_of("state", JOB_STATES),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(default="audit", sa_type=text(16))
    audit_id: int = Field(foreign_key="audit.id", index=True)
    state: str = Field(default="queued", sa_type=text(16))
    turn: int = Field(default=0, sa_type=sa.BigInteger, ge=0, sa_column_kwargs={"server_default": "0"})
    attempts: int = Field(default=0, ge=0)
    tries: int = Field(default=0, ge=0, sa_column_kwargs={"server_default": "0"})
    slow: bool = Field(default=False, sa_column_kwargs={"server_default": sa.false()})
    owner: str | None = Field(default=None, sa_type=text(64))
    lease_until: datetime | None = None
    error: str | None = Field(default=None, sa_type=text(500))
    created_at: datetime = Field(default_factory=now)
    updated_at: datetime = Field(default_factory=now)
