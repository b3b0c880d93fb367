"""Findings that hold only under readings not in force: one line in the report, drawn on a page of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.engine import audit_log
from auditor.jobs import work
from auditor.service import Service
from auditor.web import create_app
from auditor.web.guard import CSP
from tests.web.conftest import Browser, Near

FAULTY = Path(__file__).parents[2] / "fixtures" / "calth" / "games" / "faulty-1.jsonl"


@pytest.fixture
def real(settings):
    service = Service(settings, "auditor.engine", Near.make)
    service.start()
    yield service
    service.close()


def slim(value):
    return [one for one in value["findings"] if one["evidence"] is None and not one["stands"]]


def test_a_finding_that_does_not_stand_is_drawn_on_its_own_page(real, settings, monkeypatch):
    site = Browser(create_app(settings, real).test_client())
    key = site.upload(("game.jsonl", FAULTY.read_bytes())).location.split("/")[-1]
    value = real.audits.value(key)
    finding = slim(value)[0]
    address = f"/audits/{key}/findings/{finding['id']}/drawn"
    assert site.page(f"/audits/{key}").count(f'href="{address}"') == 1
    assert site.get(address).headers["Content-Security-Policy"] == CSP
    page = site.page(address)
    assert "<svg" in page and finding["rule"] in page and finding["id"] in page
    assert f'href="{address}"' not in page
    monkeypatch.setattr(work, "draw_finding", None)
    assert site.page(address) == page, "made once and kept"


def test_what_stands_and_what_is_not_there_has_no_such_page(real, settings):
    site = Browser(create_app(settings, real).test_client())
    key = site.upload(("game.jsonl", FAULTY.read_bytes())).location.split("/")[-1]
    standing = next(one for one in real.audits.value(key)["findings"] if one["stands"])
    for ident in (standing["id"], "0" * 20, "none"):
        assert site.get(f"/audits/{key}/findings/{ident}/drawn").status_code == 404


def test_only_what_belongs_to_its_event_is_drawn():
    data = FAULTY.read_bytes()
    whole = audit_log(data, everything=True)
    seq = slim(whole)[-1]["seq"]
    there = {one["id"] for one in slim(whole) if one["seq"] == seq}
    asked = audit_log(data, everything=frozenset([seq]))
    assert asked["drawn"] == {ident: whole["drawn"][ident] for ident in there}
    assert asked["digest"] == whole["digest"]
