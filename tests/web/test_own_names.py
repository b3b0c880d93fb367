"""Nothing is stored or served under another's name, whatever a child gives back and whatever ends a call."""

from __future__ import annotations

import io
import logging
import time
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.exc import TimeoutError as NoConnection

from auditor.jobs import work
from auditor.jobs.identity import NotOfThis, terms_digest
from auditor.jobs.packed import whole
from auditor.service import DEFAULTS, Incoming, Service
from auditor.service.games import Games
from auditor.service.work import AuditQueue
from auditor.web import create_app
from tests.web.conftest import CLEAN, ENGINE, FAULTY, Browser, Near, log_of, settled


def send(service: Service, *logs: bytes, choice: str = "own") -> list[str]:
    """Send logs; gives back the keys of their audits, in the order of the logs."""
    keys: list[str] = []
    for n, data in enumerate(logs):
        chosen = service.rulings.choose(choice)
        delivery = service.deliveries.receive([Incoming(f"{n}.jsonl", io.BytesIO(data))], chosen)
        (fate,) = service.deliveries.page(delivery).files
        assert fate.audit is not None
        keys.append(fate.audit.key)
    return keys


def test_a_heartbeat_that_waits_too_long_for_the_database_stores_nothing_under_another_name(
    settings, monkeypatch, caplog
):
    caplog.set_level(logging.CRITICAL)
    beats: list[int] = []

    def extend(self: AuditQueue, _task: Any) -> bool:
        beats.append(1)
        if len(beats) > 4:
            return True
        raise NoConnection("QueuePool limit of size 1 reached, connection timed out, timeout 60.00")

    monkeypatch.setattr(AuditQueue, "extend", extend)
    service = Service(replace(settings, lease_seconds=1.0), ENGINE)
    logs = [log_of({"type": "slow", "seconds": 1.2}, title=f"slow {n}") for n in range(2)]
    logs += [log_of({"bad": f"fault {n}"}, title=f"quick {n}") for n in range(12)]
    keys = send(service, *logs)
    service.start()
    try:
        end = time.monotonic() + 200  # however busy the machine is
        for key in keys:
            while not (line := service.audits.line(key)).settled and time.monotonic() < end:
                time.sleep(0.05)
            assert line.state == "done"
            assert service.audits.value(key)["log_sha256"] == line.log_sha256
    finally:
        service.close()
    assert beats


@pytest.fixture
def confused(settings, caplog):
    """A service whose child gives back now and then what it made before."""
    caplog.set_level(logging.CRITICAL + 1)
    service = Service(settings, ENGINE, Near.make)
    service.start()
    yield service
    service.close()


@pytest.mark.parametrize("choices", [("own", "own"), ("own", DEFAULTS)], ids=["another log", "other rulings"])
def test_the_audit_of_another_job_is_never_stored(confused: Service, monkeypatch, choices):
    logs = (CLEAN, FAULTY) if choices[1] == "own" else (FAULTY, FAULTY)
    first = send(confused, logs[0], choice=choices[0])[0]
    assert settled(confused, first).state == "done"
    audits: list[Any] = []
    whole_audit = work.audit

    def late(*args: Any) -> Any:
        audits.append(whole_audit(*args))
        if len(audits) == 1:
            return whole_audit(ENGINE, logs[0], None, ())
        return audits[-1]

    monkeypatch.setattr(work, "audit", late)
    second = send(confused, logs[1], choice=choices[1])[0]
    line = settled(confused, second)
    assert line.state == "done"  # at the second try, which got its own
    assert len(audits) == 2
    assert confused.audits.value(second)["log_sha256"] == line.log_sha256
    assert confused.audits.value(second)["rulings"]["name"] == ("defaults" if choices[1] == "own" else DEFAULTS)


def test_an_audit_that_is_always_another_log_s_fails_and_is_not_stored(confused: Service, monkeypatch):
    other = work.audit(ENGINE, CLEAN, None, ())
    monkeypatch.setattr(work, "audit", lambda *_args: other)
    (key,) = send(confused, FAULTY)
    line = settled(confused, key)
    assert (line.state, line.verdict, line.digest) == ("failed", None, None)
    assert line.error == "Its result was of another log and was thrown away."


def test_an_engine_that_audits_another_log_or_by_other_rulings_is_found_out(monkeypatch):
    from tests.web import fake_engine

    audit_json = fake_engine.audit_json
    monkeypatch.setattr(fake_engine, "audit_json", lambda data, **how: audit_json(CLEAN, **how))
    with pytest.raises(NotOfThis, match="another log"):
        work.audit(ENGINE, FAULTY, None, ())
    monkeypatch.setattr(fake_engine, "audit_json", lambda data, **how: audit_json(data))
    with pytest.raises(NotOfThis, match="other rulings"):
        work.audit(ENGINE, FAULTY, {"name": "mine", "readings": {"R-FAKE": "no"}}, ())
    with pytest.raises(NotOfThis, match="pack"):
        work.audit(ENGINE, FAULTY, None, (("0" * 64, b"{}"),))


@pytest.mark.parametrize(
    ("function", "addresses"),
    [
        ("form", ["/audits/{}", "/audits/{}.html", "/audits/{}.csv", "/audits/{}.sarif", "/audits/{}/events/2"]),
        ("draw_blocks", ["/api/v1/audits/{}/events/2"]),
        ("draw_rounds", ["/audits/{}.html"]),
        ("compared", ["/compare?old={0}&new={0}", "/api/v1/compare?old={0}&new={0}"]),
    ],
)
def test_a_form_of_another_audit_is_never_served(
    confused: Service, settings, monkeypatch, function: str, addresses: list[str]
):
    mine, theirs = send(confused, CLEAN, FAULTY)
    for key in (mine, theirs):
        assert settled(confused, key).state == "done"
    browser = Browser(create_app(settings, confused).test_client())
    given: list[Any] = []
    make = getattr(work, function)
    monkeypatch.setattr(work, function, lambda *args: given.append(make(*args)) or given[-1])
    for address in addresses:
        given.clear()
        assert browser.get(address.format(theirs)).status_code == 200
        late = given[0]
        monkeypatch.setattr(work, function, lambda *_args, late=late: late)
        assert browser.get(address.format(mine)).status_code == 503, address
        monkeypatch.setattr(work, function, lambda *args: given.append(make(*args)) or given[-1])
        assert browser.get(address.format(mine)).status_code == 200, address


def test_an_audit_that_was_stored_under_another_log_is_not_shown(confused: Service, settings):
    import sqlalchemy as sa

    mine, theirs = send(confused, CLEAN, FAULTY)
    for key in (mine, theirs):
        assert settled(confused, key).state == "done"
    with confused._shared.database.write() as session:
        session.execute(
            sa.text(
                "UPDATE audit_value SET canonical = (SELECT v.canonical FROM audit_value v JOIN audit a"
                " ON a.id = v.audit_id WHERE a.key = :theirs) WHERE audit_id = (SELECT id FROM audit WHERE key = :mine)"
            ),
            {"mine": mine, "theirs": theirs},
        )
    browser = Browser(create_app(settings, confused).test_client())
    for address in ("/audits/{}", "/audits/{}.json", "/api/v1/audits/{}", "/audits/{}.csv"):
        assert browser.get(address.format(mine)).status_code == 503, address
        assert browser.get(address.format(theirs)).status_code == 200, address
    assert browser.get(f"/audits/{theirs}").status_code == 200


def test_terms_have_the_digest_that_stored_audits_have():
    assert terms_digest(None) == "74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b"
    assert terms_digest({"b": 1, "a": 2}) == terms_digest({"a": 2, "b": 1})
    assert terms_digest(None, ["x"]) != terms_digest(None)


def test_pages_that_are_made_name_their_own_audit(confused: Service):
    for key in send(confused, CLEAN, FAULTY):
        line = settled(confused, key)
        assert key.encode() in whole(confused.forms.report(line))


def test_what_waits_while_the_rules_change_is_stored_under_those_that_judged_it(settings, monkeypatch):
    service = Service(settings, ENGINE, Near.make)
    with monkeypatch.context() as before:
        before.setattr(Games, "version", lambda _self, _game: "fake-0")
        alone, again = send(service, FAULTY, CLEAN)
    assert service.audits.line(alone).ruleset_version == "fake-0"
    (today,) = send(service, CLEAN)
    assert today != again
    service.start()
    try:
        line = settled(service, alone)
        assert (line.state, line.ruleset_version, line.outdated) == ("done", "fake-1", False)
        assert settled(service, today).state == "done"
        line = settled(service, again)
        assert (line.state, line.ruleset_version) == ("failed", "fake-0")
        assert today in line.error
    finally:
        service.close()
