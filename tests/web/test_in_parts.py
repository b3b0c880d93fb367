"""A large delivery is taken in part by part: a stop in the middle loses nothing, and nobody waits for what is opened."""

from __future__ import annotations

import io
import threading
import time
import zipfile
from collections.abc import Iterator

import pytest

from auditor.jobs.child import ChildFailed, GivenUp, OutOfTime
from auditor.service import Busy, Incoming, Service
from auditor.service import filling as service_filling
from auditor.service import opening as service_opening
from auditor.service.deliveries import Deliveries
from auditor.settings import Settings
from auditor.store.archive import Archive
from tests.web.conftest import CLEAN, ENGINE, Near, log_of, settled

NUMBER = 11


def many(number: int = NUMBER) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for n in range(number):
            packed.writestr(f"game-{n:04}.jsonl", log_of({}, {"player": "WB"}, title=f"Game {n}"))
    return out.getvalue()


def send(service: Service, data: bytes, name: str = "all.zip") -> str:
    return service.deliveries.receive([Incoming(name, io.BytesIO(data))], service.rulings.own())


def until(there, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "it did not come to be in time"
        time.sleep(0.05)


@pytest.fixture
def parts(monkeypatch) -> None:
    """Three files to a part, however long the machine takes for them."""
    monkeypatch.setattr(service_filling, "PART", 3)
    monkeypatch.setattr(service_filling, "PART_SECONDS", 60.0)


@pytest.fixture
def quick(settings: Settings) -> Settings:
    """Nobody waits for what is opened."""
    return Settings(**{**vars(settings), "wait_seconds": 0.0})


@pytest.fixture
def stopped(quick: Settings, parts, monkeypatch) -> Iterator[tuple[Settings, str]]:
    """An installation that was stopped when two parts of a delivery were written."""
    whole, written = Deliveries._write_part, []

    def two(self, *args):
        if len(written) == 2:
            raise GivenUp("The service stops.", again=True)
        written.append(whole(self, *args))
        return written[-1]

    monkeypatch.setattr(Deliveries, "_write_part", two)
    service = Service(quick, ENGINE, Near.make)
    key = send(service, many())
    until(lambda: len(written) == 2)
    page = service.deliveries.page(key)
    assert (page.count, page.total, page.settled) == (6, NUMBER, False)
    service.close()
    monkeypatch.undo()
    monkeypatch.setattr(service_filling, "PART", 3)
    yield quick, key


def test_a_delivery_that_was_stopped_in_the_middle_is_gone_on_with(stopped):
    settings, key = stopped
    service = Service(settings, ENGINE, Near.make)
    try:
        service.start()
        until(lambda: service.deliveries.page(key).settled)
        page = service.deliveries.page(key)
        assert page.tally == {"audited": NUMBER}
        assert sorted(fate.name[-9:-6] for fate in page.files) == [f"{n:03}" for n in range(NUMBER)]
        assert page.known == 0 and page.total is None
        assert {fate.audit.title for fate in page.files if fate.audit} == {f"Game {n}" for n in range(NUMBER)}
    finally:
        service.close()


def test_the_page_of_a_delivery_says_how_much_is_taken_in(stopped, monkeypatch):
    from auditor.web import create_app
    from tests.web.conftest import Browser

    settings, key = stopped
    service = Service(settings, ENGINE, Near.make)
    try:
        browser = Browser(create_app(settings, service).test_client())
        page = browser.get(f"/uploads/{key}").text
        assert f"Taken in: 6 of {NUMBER} files." in page and 'value="6"' in page and 'data-follow="working"' in page
        assert browser.client.get(f"/api/v1/uploads/{key}").json["taken_in"] == {"files": 6, "of": NUMBER}
    finally:
        service.close()


def test_each_log_of_a_large_delivery_is_written_once_and_in_order(service: Service, parts):
    key = send(service, many())
    until(lambda: service.deliveries.page(key).settled)
    assert [fate.name for fate in service.deliveries.page(key).files] == [
        f"all.zip › game-{n:04}.jsonl" for n in range(NUMBER)
    ]
    again = service.deliveries.page(send(service, many()))
    assert again.known == again.count == NUMBER


def test_a_delivery_is_shown_page_by_page_with_trouble_first(service: Service, parts):
    out = io.BytesIO(many(5))
    with zipfile.ZipFile(out, "a") as packed:
        packed.writestr("zzz.jsonl", b"\xff\xfe no log")
    key = send(service, out.getvalue())
    until(lambda: service.deliveries.page(key).settled)
    shown = [service.deliveries.page(key, number, 2) for number in (1, 2, 3)]
    assert [page.pages for page in shown] == [3, 3, 3]
    assert shown[0].files[0].fate == "refused"
    assert len({fate.name for page in shown for fate in page.files}) == 6
    assert shown[0].tally == {"audited": 5, "refused": 1}


def test_nobody_waits_for_what_is_opened_and_too_much_at_once_is_refused(quick: Settings, monkeypatch):
    go = threading.Event()
    ask = service_opening.Opener._ask

    def slowly(self, *args, **how):
        go.wait(30)
        return ask(self, *args, **how)

    monkeypatch.setattr(service_opening.Opener, "_ask", slowly)
    monkeypatch.setattr(service_filling, "MOST_WAITING", 2)
    service = Service(quick, ENGINE, Near.make)
    try:
        service.start()
        begun = time.monotonic()
        keys = [send(service, many(n)) for n in (2, 3)]
        with pytest.raises(Busy):
            send(service, many(4))
        assert time.monotonic() - begun < 10
        assert len(list(quick.archive.glob("??/*"))) == 2, "what was refused is not kept"
        small = send(service, CLEAN, "small.jsonl")
        (fate,) = service.deliveries.page(small).files
        assert fate.audit is not None and settled(service, fate.audit.key).state == "done"
        go.set()
        until(lambda: all(service.deliveries.page(key).settled for key in keys))
        assert [service.deliveries.page(key).count for key in keys] == [2, 3]
    finally:
        go.set()
        service.close()


def test_what_opens_slowly_leaves_its_place_to_others(service: Service, monkeypatch):
    asked: list[bool] = []
    ask = service_opening.Opener._ask

    def once(self, *args, slow=False, **how):
        asked.append(slow)
        if not slow:
            raise OutOfTime("It needed more than 5 s of processor time and was stopped.")
        return ask(self, *args, slow=slow, **how)

    monkeypatch.setattr(service_opening.Opener, "_ask", once)
    key = send(service, many(2))
    until(lambda: service.deliveries.page(key).settled)
    assert asked == [False, True]
    assert service.deliveries.page(key).tally == {"audited": 2}


def test_a_child_that_is_killed_while_it_opens_costs_nothing(service: Service, monkeypatch):
    asked: list[int] = []
    ask = service_opening.Opener._ask

    def killed(self, *args, **how):
        asked.append(1)
        if len(asked) < 3:
            raise ChildFailed("The process that did the work ended (exit status -9).", again=True)
        return ask(self, *args, **how)

    monkeypatch.setattr(service_opening.Opener, "_ask", killed)
    key = send(service, many(2))
    until(lambda: service.deliveries.page(key).settled)
    assert service.deliveries.page(key).tally == {"audited": 2}


def test_what_a_stopped_opening_wrote_is_removed(service: Service, monkeypatch):
    written: list[int] = []

    def stopped(self, function, _engine, root, stored, name, limits, spare, heap):
        archive = Archive(root)
        for n in range(5):
            archive.put(io.BytesIO(b"a log %d" % n), heap)
        written.append(len(list((root / "incoming" / heap).iterdir())))
        raise ChildFailed("It needed more than 2048 MiB of memory and was stopped.")

    monkeypatch.setattr(service_opening.Opener, "_ask", lambda self, f, *a, **_how: stopped(self, f, "", *a))
    key = send(service, many(2))
    until(lambda: service.deliveries.page(key).total is None)
    (fate,) = service.deliveries.page(key).files
    assert fate.fate == "refused" and "2048 MiB" in fate.problems[0]["found"]
    assert written == [5]
    assert not list((service.settings.archive / "incoming").iterdir())
    assert [file.name for file in service.settings.archive.glob("??/*")] == [fate.upload_sha256]


def test_at_the_start_heaps_are_removed_and_nothing_else(settings: Settings):
    Service(settings, ENGINE, Near.make).close()
    incoming = settings.archive / "incoming"
    for name in ("0" * 32, "a folder of somebody"):
        (incoming / name).mkdir()
        (incoming / name / "file").write_bytes(b"x")
    Service(settings, ENGINE, Near.make).close()
    assert [one.name for one in incoming.iterdir()] == ["a folder of somebody"]
    assert (incoming / "a folder of somebody" / "file").read_bytes() == b"x"
