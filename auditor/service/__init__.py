"""What the service does with uploads and audits, a room a subject. Only this package knows that there is a database
*and* an audit.

A page or a command asks a room and gets frozen values; no session, row or engine object leaves this package.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from auditor.core.rulings import BadRulings as BadRulings
from auditor.ingest import LIMITS, Limits
from auditor.jobs.child import Child, SharedChild, prepare
from auditor.jobs.queue import Runner
from auditor.jobs.worker import WorkDone, Workers
from auditor.service.audits import Audits
from auditor.service.deliveries import SHOWN as SHOWN
from auditor.service.deliveries import Deliveries
from auditor.service.examples import example_hashes as example_hashes
from auditor.service.examples import fixtures_dir as fixtures_dir
from auditor.service.examples import samples
from auditor.service.forms import Forms
from auditor.service.games import Games
from auditor.service.health import Health
from auditor.service.making import Making
from auditor.service.opening import Opener
from auditor.service.packs import Packs
from auditor.service.reaudits import Reaudits
from auditor.service.removing import Removing
from auditor.service.replays import Replays
from auditor.service.rulings import Rulings
from auditor.service.shared import Shared
from auditor.service.values import (
    DEFAULTS as DEFAULTS,
)
from auditor.service.values import (
    FAILED as FAILED,
)
from auditor.service.values import (
    FILE as FILE,
)
from auditor.service.values import (
    OWN as OWN,
)
from auditor.service.values import (
    SET as SET,
)
from auditor.service.values import (
    WAITING as WAITING,
)
from auditor.service.values import (
    AuditLine as AuditLine,
)
from auditor.service.values import (
    BadPack as BadPack,
)
from auditor.service.values import (
    BeingDrawn as BeingDrawn,
)
from auditor.service.values import (
    Choice as Choice,
)
from auditor.service.values import (
    DeliveryPage as DeliveryPage,
)
from auditor.service.values import (
    Fate as Fate,
)
from auditor.service.values import (
    Found as Found,
)
from auditor.service.values import (
    Incoming as Incoming,
)
from auditor.service.values import (
    LogPage as LogPage,
)
from auditor.service.values import (
    NamedRulings as NamedRulings,
)
from auditor.service.values import (
    NotDrawn as NotDrawn,
)
from auditor.service.values import (
    NotFound as NotFound,
)
from auditor.service.values import (
    NotYet as NotYet,
)
from auditor.service.values import (
    Outdated as Outdated,
)
from auditor.service.values import (
    Page as Page,
)
from auditor.service.values import (
    Ready as Ready,
)
from auditor.service.values import (
    Removal as Removal,
)
from auditor.service.values import (
    Source as Source,
)
from auditor.service.values import (
    StoredPack as StoredPack,
)
from auditor.service.work import AuditQueue
from auditor.settings import Settings
from auditor.store import fillings, jobs
from auditor.store.archive import Altered as Altered
from auditor.store.archive import Archive
from auditor.store.archive import Missing as Missing
from auditor.store.database import Busy as Busy
from auditor.store.database import CannotOpen as CannotOpen
from auditor.store.database import Replaced as Replaced
from auditor.store.database import Unreadable as Unreadable
from auditor.store.database import lock_folder
from auditor.store.kept import Kept
from auditor.store.keys import session_key
from auditor.store.opening import check_folder, open_database
from auditor.store.opening import keep_private as keep_private
from auditor.store.queries import MOST_COUNTED as MOST_COUNTED
from auditor.store.queries import SORTS as SORTS
from auditor.store.queries import Wanted as Wanted


class Service:
    """One data folder, one engine. `start()` starts the work; `close()` gives both up."""

    def __init__(
        self,
        settings: Settings,
        engine: str = "auditor.engine",
        make_child: Callable[[Settings, str], Child] | None = None,
    ) -> None:
        if make_child is None:
            prepare("auditor.service.ready")
        self.games = Games(engine)
        self._shared = shared = _opened(settings)
        child = partial(make_child or _child, settings, engine)
        self._child = SharedChild(child(), most=2)
        self._opening = SharedChild(child() if make_child else _opening_child(settings, engine))
        self._readying = threading.Thread(target=self._opening.start, name="auditor-readying", daemon=True)
        self._slow_opening = SharedChild(child() if make_child else _opening_child(settings, engine))
        opener = Opener(shared, self._opening, self._slow_opening, self.games)
        self.packs = Packs(shared, self.games, self._child)
        hands = Workers(
            AuditQueue(shared, self.packs),
            threads=0 if settings.broker_url else settings.workers,
            seconds=settings.audit_seconds,
            patience=settings.patience,
            lease=settings.lease_seconds,
            make_child=child,
            engine=engine,
            slow_threads=settings.slow_workers,
            first_seconds=settings.first_seconds,
        )
        self._hands, self._make_child = hands, child
        self._workers: Runner = hands
        if settings.broker_url:
            from auditor.service import cluster

            self._workers = cluster.nudges(settings, shared)
        self.rulings = Rulings(shared, self.games)
        self.audits = Audits(shared, self.games, self.rulings, self.packs, self._workers, opener)
        self.reaudits = Reaudits(shared, self.audits, opener, self._workers)
        kept = Kept(settings.kept, settings.max_kept_bytes)
        self._making = Making(
            kept,
            child,
            shared.waiters,
            look_seconds=settings.look_seconds,
            remember_seconds=settings.remember_seconds,
        )
        self.removing = Removing(shared, self._making.forget)
        self.deliveries = Deliveries(
            shared, self.games, self.rulings, self.audits, self._workers, opener, self.removing
        )
        self.replays = Replays(shared, self.games, self.audits, self.packs, self._making, kept)
        self.forms = Forms(self.audits, self.replays, self._making)
        self.health = Health(shared)

    @property
    def settings(self) -> Settings:
        """What the operator has set."""
        return self._shared.settings

    @property
    def limits(self) -> Limits:
        """How much a log may hold."""
        return self._shared.limits

    @property
    def work_done(self) -> WorkDone:
        """What this process did of the work."""
        return self._hands.done

    def start_work(self) -> None:
        """Start what does the audits, and nothing else: for commands that ask for some."""
        self._workers.start()

    def work(self, concurrency: int, module: str, function: str) -> int:
        """Be a worker until a signal says stop, instead of `start`; gives back the exit status.

        `module` and `function` name what does errands: logs that come with their order, and are no delivery's.
        """
        from auditor.service import cluster

        errand = cluster.Errand(module, function)
        return cluster.work(self.settings, self._shared, self._hands, self._make_child, errand, concurrency)

    def secret_key(self) -> bytes:
        """The key that signs sessions, the same in all processes over one database."""
        return session_key(self._shared.database)

    def start(self) -> None:
        """Start the workers, and load the example games where they are not here yet."""
        self._workers.start()
        self._making.start()
        self._readying.start()
        self.deliveries.start()
        if self.settings.load_examples:
            self.deliveries.load_examples()

    def close(self) -> None:
        """Stop the work and let go of the data folder; what was running is queued again at the next start."""
        self._workers.stop()
        self.deliveries.stop()
        self._making.stop()
        if self._readying.ident is not None:
            self._readying.join()
        self._child.stop()
        self._opening.stop()
        self._slow_opening.stop()
        self._shared.close()


def _opened(settings: Settings) -> Shared:
    """The data folder, brought up to date; what a process that died was doing is queued again.

    Raises CannotOpen or OSError. A folder that another process has open is refused before anything in it is touched.
    """
    check_folder(settings.data_dir)
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)  # logs name people
    folder = lock_folder(settings.data_dir) if settings.database_url else None
    database = open_database(settings.database, settings.database_url)
    try:
        archive = open_archive(settings)
        archive.spare = settings.min_free_bytes
        archive.sweep()
        if database.alone:  # elsewhere a lease says whether somebody is still at it
            with database.write() as session:
                jobs.release_all(session)
                fillings.release_all(session)
    except BaseException:
        database.close()
        raise
    limits = replace(LIMITS, members=settings.max_members, total=settings.max_unpacked_bytes)
    return Shared(settings, limits, database, archive, folder)


def open_archive(settings: Settings) -> Archive:
    """The folder, or the bucket with a folder before it. Raises CannotOpen or OSError."""
    if not settings.archive_url:
        return Archive(settings.archive)
    from auditor.store.objects import ObjectArchive

    return ObjectArchive(settings.archive, settings.archive_url, settings.max_fetched_bytes)


def _child(settings: Settings, engine: str) -> Child:
    return Child(
        "auditor.jobs.work",
        memory_bytes=settings.audit_memory_bytes,
        calls=settings.audits_a_child,
        first=("warm", (engine, samples())),
    )


def _opening_child(settings: Settings, engine: str) -> Child:
    """One that opens uploads, and audits nothing."""
    return Child(
        "auditor.jobs.work",
        memory_bytes=settings.audit_memory_bytes,
        calls=settings.audits_a_child,
        first=("load", (engine,)),
    )
