"""Beyond one machine, beside one: embedded and clustered on the same machine, with real servers.

Smaller than a league by default, so that it ends within minutes; the environment says more: AUDITOR_SCALE_LOGS (200; whole:
1000), AUDITOR_SCALE_STORED (20000 audits that are put into the store before the last part of these; whole: 1000000),
AUDITOR_SCALE_FINDINGS (1000000; whole: 10000000), AUDITOR_SCALE_KILLS (20; whole: 200), AUDITOR_SCALE_SECONDS (300; no kill
is begun later than so many seconds after the first), AUDITOR_SCALE_DOWN (5 seconds for which the archive is away, while other
parts are killed; whole: 60), AUDITOR_SCALE_SEED (47; other kills, for a whole in several parts), AUDITOR_SCALE_ROWS (some of
"workers queue findings kills"; all).
"""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import os
import random
import signal
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlmodel import select

from auditor import engine
from auditor.jobs.broker import Nudges, celery_app
from auditor.jobs.work import audit
from auditor.service import Incoming, Service
from auditor.service.cluster import Rows
from auditor.service.work import AuditQueue, AuditTask
from auditor.settings import Settings
from auditor.store import jobs, migrate
from auditor.store.postgres import Postgres
from auditor.store.tables import Log
from tests import servers
from tests.bench import scale_rows
from tests.bench.games import examples
from tests.bench.measure import share
from tests.bench.table import Row, at_least, at_most
from tests.cluster import Cluster, cluster

LOGS, STORED, FINDINGS, KILLS, DOWN_SECONDS = 200, 20_000, 1_000_000, 20, 5.0
KILLING_SECONDS = 300.0
PARTS = ("web", "worker", "broker", "database", "archive")
A_CORE_HOUR, A_GB_MONTH = 0.04, 0.10
"""Money on paper: what an hour of a rented core and a month of a rented gigabyte may cost."""
_LEASE = "5"
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def bench(*, quick: bool = False) -> list[Row]:
    if servers.missing():
        return [Row(f"NOT measured: there is no {' or '.join(servers.missing())} on this machine", "", "", "")]
    logs = 3 if quick else int(os.environ.get("AUDITOR_SCALE_LOGS", LOGS))
    stored = 100 if quick else int(os.environ.get("AUDITOR_SCALE_STORED", STORED))
    findings = 10_000 if quick else int(os.environ.get("AUDITOR_SCALE_FINDINGS", FINDINGS))
    kills = 1 if quick else int(os.environ.get("AUDITOR_SCALE_KILLS", KILLS))
    rows = os.environ.get("AUDITOR_SCALE_ROWS", "workers queue findings kills").split()
    found: list[Row] = []
    if "workers" in rows:
        found += bench_workers(logs, stored)
    if "queue" in rows:
        found += bench_queue(min(logs, 300))
    if "findings" in rows:
        found += bench_findings(findings, rounds=2 if quick else 40)
    if "kills" in rows:
        found += bench_kills(kills)
    return found


# -- logs ------------------------------------------------------------------------------------------------------------


def games(number: int) -> list[bytes]:
    """So many logs, each of its own: example games under titles that nobody had."""
    some = [path.read_bytes() for path in examples() if path.parent.parent.name == "calth"]
    made = []
    for n in range(number):
        header, rest = some[n % len(some)].split(b"\n", 1)
        made.append(json.dumps({**json.loads(header), "title": f"{n} {uuid.uuid4()}"}).encode() + b"\n" + rest)
    return made


def zipped(logs: list[bytes]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as out:
        for n, log in enumerate(logs):
            out.writestr(f"{n:05}.jsonl", log)
    return sink.getvalue()


def send(address: str, data: bytes, name: str = "game.jsonl") -> str | None:
    """Upload a file; the key of the delivery, or None where it was not acknowledged."""
    cookies = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    edge = uuid.uuid4().hex
    head = f'--{edge}\r\nContent-Disposition: form-data; name="logs"; filename="{name}"\r\n\r\n'.encode()
    try:
        with cookies.open(f"{address}/api/v1/token", timeout=60) as answer:
            token = json.load(answer)["token"]
        ask = urllib.request.Request(f"{address}/api/v1/uploads", head + data + f"\r\n--{edge}--\r\n".encode())
        ask.add_header("Content-Type", f"multipart/form-data; boundary={edge}")
        ask.add_header("X-CSRFToken", token)
        with cookies.open(ask, timeout=120) as answer:
            return str(json.load(answer)["id"])
    except (OSError, ValueError, http.client.HTTPException):
        return None


def files_of(address: str, key: str, seconds: float = 600) -> list[dict[str, Any]]:
    """What became of the files of a delivery, when all of it is taken in and settled. Raises AssertionError where it is not in
    time, and LookupError where nobody knows of it."""
    end = time.monotonic() + seconds
    states: Counter[str] = Counter()
    while time.monotonic() < end:
        asked = time.monotonic()
        try:
            with urllib.request.urlopen(f"{address}/api/v1/uploads/{key}", timeout=60) as answer:
                said = json.load(answer)
            files: list[dict[str, Any]] = said["files"]
            states = Counter(map(state_of, files))
            if said["settled"]:
                return files
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == 404:
                raise LookupError(f"there is no delivery {key}") from None
        except (OSError, ValueError, http.client.HTTPException):
            pass  # a part is down
        # Who asks about many is not to be what keeps the web process busy.
        time.sleep(min(2.0, max(0.2, 5 * (time.monotonic() - asked))))
    raise AssertionError(f"after {seconds} s not all is settled: {dict(states)}")


def state_of(file: dict[str, Any]) -> str:
    """How the audit of a file stands; what could not be read has none, and is told by what became of it."""
    audit = file["audit"]
    return str(file["fate"] if audit is None else audit["state"])


# -- workers, and what an audit costs --------------------------------------------------------------------------------


def processor_of(pids: list[int]) -> float:
    """Processor seconds of processes and all that they started, those that ended included where their parents noticed."""
    parents: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            words = place.read_text(errors="replace").rpartition(")")[2].split()
            pid = int(place.parent.name)
            parents.setdefault(int(words[1]), []).append(pid)
            used[pid] = sum(map(int, words[11:15])) / _TICKS
    total, todo = 0.0, list(pids)
    while todo:
        pid = todo.pop()
        total += used.get(pid, 0.0)
        todo += parents.get(pid, [])
    return total


def bench_workers(logs: int, stored: int) -> list[Row]:
    """The same number of logs by one worker and by two, in turn, and by two beside as many audits as are stored by then; then
    by one machine's own two; and a million on paper.

    All parts share this machine's cores, so beside the time stands the processor each part used, and what these let two workers
    be faster at most: with one of them a log takes at least what it does alone, or what all parts do on all cores.
    """
    half, cores = logs // 2, os.cpu_count() or 1
    with cluster(webs=1, workers=1, more={"AUDITOR_EXAMPLES": "0"}) as made:
        address = made.addresses[0]
        _settled(address, _sent(address, games(4)))  # so that all is warm
        made.add_worker()
        _settled(address, _sent(address, games(8)))
        second = made.workers[-1]
        times: dict[int, list[float]] = {1: [], 2: []}
        costs: dict[int, list[dict[str, float]]] = {1: [], 2: []}
        before = _bytes(made)
        for number in (2, 1, 1, 2):
            os.kill(second.pid, signal.SIGSTOP if number == 1 else signal.SIGCONT)
            took, cost = _audited(made, games(half))
            times[number].append(took / half)
            costs[number].append({part: used / half for part, used in cost.items()})
        size = (_bytes(made) - before) / (4 * half)
        _store(made, stored)
        _took, cost = _audited(made, games(half))
        beside = {part: used / half for part, used in cost.items()}
    alone, cost_alone = _embedded(games(logs))
    one, two = sum(times[1]) / 2 * logs, sum(times[2]) / 2 * logs
    by_part = {part: sum(cost[part] for cost in costs[2]) / 2 for part in costs[2][0]}
    each, worker = sum(by_part.values()), by_part["worker"]
    possible = max(worker, each / cores) / max(worker / 2, each / cores)
    first, last = each or 1 / _TICKS, sum(beside.values())
    hours, gigabytes = each * 1e6 / 3600, size * 1e6 / 1e9

    def in_parts(cost: dict[str, float]) -> str:
        return ", ".join(f"{part} {1000 * used:.1f}" for part, used in cost.items())

    return [
        Row(
            f"{logs:,} logs uploaded to all audited: 2 workers against 1 ({cores} cores), {half:,} at a time, in turn",
            f"{two:.1f} s",
            f"1 worker: {one:.1f} s",
            f"{one / two:.2f} x; by processor at most {possible:.2f} x where all parts share these cores",
            *at_least(1.85, one / two),
        ),
        Row(
            "the same, processor an audit: of each part, and with one worker",
            f"{1000 * each:.1f} ms: {in_parts(by_part)}",
            f"1 worker: {1000 * sum(sum(cost.values()) for cost in costs[1]) / 2:.1f} ms",
            "",
        ),
        Row(
            "the same, cluster against embedded with 2 threads, time",
            f"{two:.1f} s",
            f"embedded: {alone:.1f} s",
            f"{two / alone:.2f} x",
            *at_most(1.25, two / alone),
        ),
        Row(
            "the same, processor",
            f"{each * logs:.1f} s",
            f"embedded: {cost_alone:.1f} s",
            f"{each * logs / cost_alone:.2f} x",
        ),
        Row(
            f"a million audits, from {4 * half:,}, and {half:,} more beside {stored:,} that are stored: processor of all parts",
            f"{hours:,.0f} h of core, {gigabytes:,.0f} GB,"
            f" {hours * A_CORE_HOUR:,.0f} once and {gigabytes * A_GB_MONTH:,.0f} a month",
            f"{1000 * last:.1f} ms an audit beside those stored: {in_parts(beside)}; {1000 * first:.1f} before",
            f"{abs(last / first - 1):.0%} from linear",
            *at_most(10, 100 * abs(last / first - 1), "%"),
        ),
    ]


def _sent(address: str, logs: list[bytes]) -> list[str]:
    """The deliveries of some logs, as many in each as a page shows."""
    parts = [logs[n : n + 500] for n in range(0, len(logs), 500)]
    keys = [send(address, zipped(part), "logs.zip") for part in parts]
    assert all(keys), "an upload was refused"
    return [key for key in keys if key]


def _settled(address: str, keys: list[str]) -> list[dict[str, Any]]:
    return [file for key in keys for file in files_of(address, key)]


def _audited(made: Cluster, logs: list[bytes]) -> tuple[float, dict[str, float]]:
    """Seconds from the upload of some logs until all are audited, and the processor that each part used meanwhile."""
    parts = {"web": made.webs, "worker": made.workers, "database": [made.postgres], "broker": [made.broker]}
    parts["archive"] = [made.s3]
    pids = {part: [one.pid for one in ones] for part, ones in parts.items()}
    before, begin = {part: processor_of(of) for part, of in pids.items()}, time.monotonic()
    files = _settled(made.addresses[0], _sent(made.addresses[0], logs))
    took, used = time.monotonic() - begin, {part: processor_of(of) - before[part] for part, of in pids.items()}
    states = Counter(map(state_of, files))
    assert states == {"done": len(logs)}, f"of {len(logs)} logs: {dict(states)}"
    return took, used


def _store(made: Cluster, audits: int) -> None:
    """So many settled audits more, without their logs' bytes."""
    database = Postgres(made.env["AUDITOR_DATABASE"])
    try:
        scale_rows.fill(database, audits, first=100_000_000, settled=True)
    finally:
        database.close()


def _bytes(made: Cluster) -> float:
    """What the database and the bucket hold: of the bucket, what the web process's folder before it holds."""
    import psycopg

    with psycopg.connect(made.env["AUDITOR_DATABASE"].replace("+psycopg", ""), autocommit=True) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    folder = made.folder / "web-1" / "archive"
    return float(row[0]) + sum(one.stat().st_size for one in folder.glob("??/*")) if row else 0.0


def _embedded(logs: list[bytes]) -> tuple[float, float]:
    """The same on one machine without servers: seconds, and processor seconds of the process and its children."""
    data = zipped(logs)
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Settings(data_dir=Path(folder) / "data", workers=2, load_examples=False))
        service.start()
        try:
            _wait(service, zipped(games(8)))
            begin, before = time.monotonic(), processor_of([os.getpid()])
            _wait(service, data)
            return time.monotonic() - begin, processor_of([os.getpid()]) - before or 1 / _TICKS
        finally:
            service.close()


def _wait(service: Service, data: bytes) -> None:
    key = service.deliveries.receive([Incoming("logs.zip", io.BytesIO(data))], service.rulings.own())
    while not service.deliveries.page(key).settled:
        time.sleep(0.2)


# -- the queue -------------------------------------------------------------------------------------------------------


def bench_queue(number: int) -> list[Row]:
    """Asking for audits, claiming them and settling them, without the audits; the database's processor too. What it costs to
    read the headers of the logs and to write what came out is told apart: that is no queue."""
    with (
        _folder() as folder,
        servers.postgres(folder / "p") as (url, server),
        servers.redis(folder / "r") as (broker, redis),
    ):
        settings = Settings(data_dir=folder / "data", database_url=url, load_examples=False)
        service = Service(settings)
        try:
            # Taken in and put by, and not audited: what follows asks for their audits anew.
            log = games(1)[0]
            many = [log + b" \n" * n for n in range(1, number + 1)]
            made = replace(audit("auditor.engine", log, None, ()), version=None)
            for one in many:
                service.deliveries.receive([Incoming("a.jsonl", io.BytesIO(one))], service.rulings.own())
            queue = AuditQueue(service._shared, service.packs)
            while queue.claim("nobody") is not None:
                pass
            bell = Nudges(celery_app(broker), Rows(service._shared))
            headers = {row.sha256: service.reaudits._opener.mentioned(row.sha256) for row in _logs(service)}
            service.reaudits._opener.mentioned = headers.__getitem__  # type: ignore[method-assign]
            write = jobs.store
            tasks: list[AuditTask] = []

            def settle() -> None:
                for task in tasks:
                    queue.finish(task, replace(made, of=task.of))

            def settle_only() -> None:
                jobs.store = lambda *_of, **_what: None  # type: ignore[assignment]
                settle()
                jobs.store = write

            steps = {
                "ask": lambda: service.reaudits.ask(None),
                "nudge": lambda: [bell.send(1) for _ in range(number)],
                "claim": lambda: tasks.extend(_claimed(queue, number)),
            }
            costs: dict[str, float] = {}
            for version, last in (("warm", settle), ("with results", settle), ("measured", settle_only)):
                service.games.version = lambda game, name=version: name  # type: ignore[method-assign,misc]
                tasks.clear()
                for name, step in {**steps, "settle": last}.items():
                    before = time.process_time(), processor_of([server.pid, redis.pid])
                    step()
                    ours, theirs = time.process_time() - before[0], processor_of([server.pid, redis.pid]) - before[1]
                    costs[f"{version}: {name}"] = (ours + theirs) / number * 1000
                    costs[f"{version}: of that servers"] = (
                        costs.get(f"{version}: of that servers", 0.0) + theirs / number * 1000
                    )
                assert len(tasks) == number
                states = Counter(row.state for row in service.audits.page().audits[:number])
                assert set(states) == {"done"}, states
        finally:
            service.close()
    told = ", ".join(f"{name} {costs[f'measured: {name}']:.1f}" for name in (*steps, "settle"))
    cost = sum(costs[f"measured: {name}"] for name in (*steps, "settle"))
    results = costs["with results: settle"] - costs["measured: settle"]
    return [
        Row(
            "cost of the queue per audit: ask, nudge, claim, settle; processor, that of PostgreSQL and Redis too",
            f"{cost:.1f} ms",
            f"{told}; of that servers {costs['measured: of that servers']:.1f} ({number} audits);"
            f" writing what came out: {results:.1f} more",
            "",
            *at_most(6, cost, "ms"),
        )
    ]


def _logs(service: Service) -> list[Log]:
    with service._shared.database.read() as session:
        return list(session.exec(select(Log)))


def _claimed(queue: AuditQueue, number: int) -> list[AuditTask]:
    tasks = [queue.claim("a worker") for _ in range(number)]
    return [task for task in tasks if task is not None]


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="auditor-scale-") as name:
        Path(name).chmod(0o711)  # PostgreSQL runs as somebody else
        yield Path(name)


# -- many findings ---------------------------------------------------------------------------------------------------


def bench_findings(findings: int, rounds: int) -> list[Row]:
    """Lists over as many findings; what is asked, asked again and again, and how the server goes about it."""
    with _folder() as folder, servers.postgres(folder / "p") as (url, server):
        database = Postgres(url)
        try:
            migrate.upgrade(database.writer)
            scale_rows.fill(database, findings // scale_rows.FINDINGS_AN_AUDIT)
            found = []
            for name, ask in scale_rows.ASKED.items():
                times, before = [], processor_of([server.pid]) + time.process_time()
                for _ in range(rounds):
                    begin = time.perf_counter()
                    with database.read() as session:
                        ask(session)
                    times.append((time.perf_counter() - begin) * 1000)
                cost = (processor_of([server.pid]) + time.process_time() - before) / rounds * 1000
                walks = [line for plan in scale_rows.plans(database, ask) for line in scale_rows.whole_walks(plan)]
                p95 = share(times, 0.95)
                goal, met = at_most(200, p95, "ms, no sequential scan")
                how = "; ".join(walks) or "no sequential scan"
                what = f"{findings:,} findings of {findings // scale_rows.FINDINGS_AN_AUDIT:,} audits: {name}, p95"
                found.append(
                    Row(
                        what,
                        f"{p95:.0f} ms",
                        f"median {share(times, 0.5):.0f} ms; processor, the server's too: {cost:.0f} ms",
                        how,
                        goal,
                        met and not walks,
                    )
                )
            return found
        finally:
            database.close()


# -- kills -----------------------------------------------------------------------------------------------------------


def bench_kills(kills: int) -> list[Row]:
    """Parts of a cluster killed at random while logs come in: what was acknowledged, and what became of it. Of each five kills
    every part has one; while the archive is away, the others are killed all the same."""
    down = float(os.environ.get("AUDITOR_SCALE_DOWN", DOWN_SECONDS))
    longest = float(os.environ.get("AUDITOR_SCALE_SECONDS", KILLING_SECONDS))
    chance = random.Random(int(os.environ.get("AUDITOR_SCALE_SEED", "47")))
    sent: dict[str, bytes] = {}
    happened: dict[str, int] = {}
    stop = threading.Event()
    with cluster(webs=2, workers=2, more={"AUDITOR_EXAMPLES": "0", "AUDITOR_LEASE": _LEASE}) as made:

        def keep_sending() -> None:
            number = 0
            while not stop.is_set():
                number += 1
                log = games(1)[0]
                key = send(made.addresses[number % 2], log)
                if key is not None:
                    sent[key] = log
                stop.wait(0.5)

        sender = threading.Thread(target=keep_sending, daemon=True)
        sender.start()
        end = time.monotonic() + longest
        order: list[str] = []
        away = threading.Timer(0, lambda: None)
        for number in range(kills):
            time.sleep(chance.random() * 2)
            if time.monotonic() > end:
                break
            if number % len(PARTS) == 0:
                order = chance.sample(PARTS, len(PARTS))
            what = order[number % len(PARTS)]
            happened[what] = happened.get(what, 0) + 1
            if what in ("web", "worker"):
                one = chance.choice(made.webs if what == "web" else made.workers)
                one.kill()
                one.start()
            elif what == "broker":  # with all that it knew
                made.broker.kill()
                made.broker.start()
            elif what == "database":
                made.postgres.stop()
                made.postgres.start()
            else:  # this server keeps all in memory, so it is not ended: it does not answer
                while away.is_alive():
                    time.sleep(0.1)
                time.sleep(chance.random() * 10)  # so that something is taken in between
                os.kill(made.s3.pid, signal.SIGSTOP)
                away = threading.Timer(down, os.kill, (made.s3.pid, signal.SIGCONT))
                away.start()
        while away.is_alive():
            time.sleep(0.1)
        stop.set()
        sender.join(180)
        lost, failed, differ = 0, 0, 0
        for key, log in sent.items():
            try:
                (file,) = files_of(made.addresses[0], key)
            except LookupError:
                lost += 1
                continue
            if state_of(file) != "done":
                failed += 1
            elif file["audit"]["digest"] != engine.audit_log(log)["digest"]:
                differ += 1
        assert sent, "nothing was acknowledged at all"
    told = ", ".join(f"{what} {number}" for what, number in sorted(happened.items()))
    return [
        Row(
            f"{sum(happened.values())} random kills ({told}) while logs came in",
            f"{len(sent)} acknowledged: {lost} lost, {failed} failed for good, {differ} with another digest",
            "",
            "",
            "none of these",
            not (lost or failed or differ),
        )
    ]
