"""An upload can be removed, with everything that is here because of it and nothing else."""

from __future__ import annotations

import hashlib
import io
import zipfile

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from auditor.service import Busy, Incoming, NotFound, Service
from auditor.service import filling as service_filling
from auditor.service import opening as service_opening
from tests.web.conftest import CLEAN, FAULTY, log_of, settled

SHARED = log_of({}, {}, title="In both")


def zipped(*logs: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for n, data in enumerate(logs):
            packed.writestr(f"{n}.jsonl", data)
    return out.getvalue()


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def send(service: Service, data: bytes, name: str = "x.zip") -> str:
    return service.deliveries.receive([Incoming(name, io.BytesIO(data))], service.rulings.own())


def audited(service: Service, key: str) -> list[str]:
    keys = [fate.audit.key for fate in service.deliveries.page(key).files if fate.audit is not None]
    for each in keys:
        settled(service, each)
    return keys


def rows(service: Service) -> dict[str, int]:
    with service._shared.database.read() as session:
        return {
            table.name: session.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in SQLModel.metadata.sorted_tables
            if table.name not in ("note", "secret")
        }


def files(service: Service) -> set[str]:
    return {file.name for file in service.settings.archive.glob("??/*")}


def test_an_upload_goes_with_its_logs_and_audits_and_what_others_hold_stays(service: Service):
    first, second = zipped(CLEAN, SHARED), zipped(FAULTY, SHARED)
    of_second = audited(service, send(service, second))
    before = rows(service)
    gone_with = set(audited(service, send(service, first))) - set(of_second)
    service.forms.report(service.audits.line(next(iter(gone_with))))
    removed = service.removing.remove(sha(first))
    assert (removed.logs, removed.audits, removed.kept) == (1, 1, 1)
    assert rows(service) == before
    assert files(service) == {sha(second), sha(FAULTY), sha(SHARED)}
    for key in gone_with:
        with pytest.raises(NotFound):
            service.audits.line(key)
        assert not any(key in name for name in service._making._kept._sizes)
    for key in of_second:
        assert service.audits.packed(key)
    service.removing.remove(sha(second))
    assert set(rows(service).values()) == {0}
    assert files(service) == set()


def test_a_log_that_was_sent_alone_stays_when_a_zip_with_it_goes(service: Service):
    alone = audited(service, send(service, CLEAN, "clean.jsonl"))
    packed = zipped(CLEAN)
    audited(service, send(service, packed))
    service.removing.remove(sha(packed))
    assert service.audits.packed(alone[0])
    assert files(service) == {sha(CLEAN)}


@pytest.mark.parametrize("data", [b"", b"\xff\xfe nothing", b"PK\x03\x04 a zip that ends", b"\x1f\x8b gzip"])
def test_whatever_cannot_be_read_can_be_removed(service: Service, data: bytes):
    audited(service, send(service, data, "odd"))
    service.removing.remove(sha(data))
    assert set(rows(service).values()) == {0} and files(service) == set()
    (fate,) = service.deliveries.page(send(service, data, "odd")).files
    assert not fate.known


def test_an_upload_of_many_is_removed_some_at_a_time_and_gone_on_with(service: Service, monkeypatch):
    from auditor.service import removing

    data = zipped(*(log_of({}, title=f"Game {n}") for n in range(7)))
    audited(service, send(service, data))
    monkeypatch.setattr(removing, "_LOGS", 2)
    forget = service.removing._forget

    def cut_off(keys):
        raise OSError("pulled the plug")

    monkeypatch.setattr(service.removing, "_forget", cut_off)
    with pytest.raises(OSError):
        service.removing.remove(sha(data))
    assert rows(service)["log"] == 5
    monkeypatch.setattr(service.removing, "_forget", forget)
    assert service.removing.remove(sha(data)).logs == 5
    assert set(rows(service).values()) == {0}


def test_what_is_being_taken_in_is_not_removed(idle: Service, monkeypatch):
    monkeypatch.setattr(service_filling.Fillers, "start", lambda _self: None)
    monkeypatch.setattr(service_opening, "SMALL", 0)
    monkeypatch.setattr(idle.deliveries, "_wait_for", lambda *_args: False)
    key = send(idle, CLEAN, "a.jsonl")
    assert idle.deliveries.page(key).total == 0
    with pytest.raises(NotFound):  # it is no upload yet
        idle.removing.remove(sha(CLEAN))
    idle.removing.discard([sha(CLEAN)])
    assert files(idle) == {sha(CLEAN)}, "bytes that a delivery waits for stay"
    monkeypatch.undo()
    monkeypatch.setattr(service_opening, "SMALL", 0)
    send(idle, SHARED, "b.jsonl")
    monkeypatch.setattr(service_filling.Fillers, "start", lambda _self: None)
    monkeypatch.setattr(idle.deliveries, "_wait_for", lambda *_args: False)
    send(idle, SHARED, "again.jsonl")
    with pytest.raises(Busy):
        idle.removing.remove(sha(SHARED))


def test_bytes_that_were_removed_while_they_were_sent_again_are_asked_for_again(idle: Service, monkeypatch):
    put = idle._shared.archive.put

    def put_and_lose(stream, heap=""):
        stored = put(stream, heap)
        idle._shared.archive.remove(stored.sha256)
        return stored

    monkeypatch.setattr(idle.deliveries._opener, "open_small", lambda *_args: None)
    monkeypatch.setattr(idle._shared.archive, "put", put_and_lose)
    with pytest.raises(Busy):
        send(idle, CLEAN, "a.jsonl")
    assert set(rows(idle).values()) == {0}


def test_the_page_asks_first_and_then_removes(service: Service, browser):
    key = send(service, b"\xff\xfe nothing", "odd.jsonl")
    audited(service, key)
    (fate,) = service.deliveries.page(key).files
    assert f"/uploads/by-hash/{fate.upload_sha256}/remove" in browser.get(f"/uploads/{key}").text
    address = f"/uploads/by-hash/{fate.upload_sha256}/remove"
    assert "cannot be undone" in browser.get(address).text
    assert rows(service)["upload"] == 1
    assert "Removed" in browser.post(address).text
    assert rows(service)["upload"] == 0
    assert browser.client.get(address).status_code == 404
    assert browser.client.get(f"/uploads/{key}").status_code == 404


def test_a_program_removes_an_upload_with_a_token(service: Service, browser):
    audited(service, send(service, CLEAN, "a.jsonl"))
    address = f"/api/v1/uploads/by-hash/{sha(CLEAN)}"
    assert browser.client.delete(address).status_code == 400
    token = browser.client.get("/api/v1/token").json["token"]
    answer = browser.client.delete(address, headers={"X-CSRFToken": token})
    assert answer.json == {"sha256": sha(CLEAN), "logs": 1, "audits": 1, "kept": 0}
    assert browser.client.delete(address, headers={"X-CSRFToken": token}).status_code == 404
