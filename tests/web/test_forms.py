"""Large forms of an audit: made once by a child, kept, and served in parts; no page needs an audit whole."""

from __future__ import annotations

import io
import json
import os
import zlib
from pathlib import Path

import pytest
from flask import url_for

from auditor.jobs import forms, packed, work
from auditor.jobs.opening import MOST_SIGNS, mentioned
from auditor.report.links import links_of_audit
from auditor.service import Incoming, Service
from auditor.service import opening as service_opening
from auditor.store.archive import Archive
from auditor.web import create_app
from tests.web.conftest import CLEAN, FAULTY, log_of, settled


def key_of(answer) -> str:
    return answer.location.split("/")[-1]


def forms_of(key: str) -> list[str]:
    return [
        f"/audits/{key}",
        *(f"/audits/{key}.{ending}" for ending in ("json", "html", "csv", "sarif")),
        f"/audits/{key}/events",
        f"/audits/{key}/events/2",
        f"/compare?old={key}&new={key}",
        f"/api/v1/compare?old={key}&new={key}",
        f"/api/v1/audits/{key}",
        f"/api/v1/audits/{key}/events",
    ]


def test_no_page_has_an_audit_or_its_events_whole(browser, service, monkeypatch):
    key = key_of(browser.upload(("game.jsonl", FAULTY)))

    def whole(*_args):
        raise AssertionError("an audit was taken whole")

    monkeypatch.setattr(service.audits, "value", whole)
    monkeypatch.setattr(service.replays, "timeline", whole)
    for address in forms_of(key):
        answer = browser.get(address)
        assert answer.status_code in (200, 303), address
        assert (
            "It was too far." in answer.text
            or "/events" in address
            or answer.status_code == 303
            or "compare" in address
        )


def test_a_form_is_made_once_and_kept(browser, service, monkeypatch):
    key = key_of(browser.upload(("game.jsonl", FAULTY)))
    before = {address: browser.get(address).data for address in forms_of(key)}
    monkeypatch.setattr(work, "form", None)
    monkeypatch.setattr(work, "compared", None)
    for address, data in before.items():
        assert browser.get(address).data == data


def test_one_finding_is_given_alone(browser, service):
    key = key_of(browser.upload(("game.jsonl", FAULTY)))
    (finding,) = service.audits.value(key)["findings"]
    assert browser.get(f"/api/v1/audits/{key}/findings/{finding['id']}").json == finding
    assert browser.get(f"/api/v1/audits/{key}/findings/none").status_code == 404


def test_the_addresses_that_are_written_out_are_those_of_the_routes(settings, service):
    app = create_app(settings, service)
    key, log = "0" * 20, "a" * 64
    links = links_of_audit(key, game="calth", log_sha256=log, readable=True, prefix="/desk")
    with app.test_request_context("/", base_url="http://localhost/desk/"):
        there = {
            links.rule("CAL-X 1 ä"): url_for("rulebook.rule", game_or_id="CAL-X 1 ä"),
            links.reading("R-X"): url_for("rulebook.game_readings", game_or_id="calth", _anchor="reading-R-X"),
            links.finding("f1"): url_for("audits.report", key=key, _anchor="f-f1"),
            links.part("notes", 2): url_for("audits.report_list", key=key, name="notes", number=2),
            links.finding_json("f 1"): url_for("api.finding", key=key, ident="f 1"),
            links.drawn("f1"): url_for("audits.drawn_finding", key=key, ident="f1"),
            links.replay(7): url_for("audits.event", key=key, seq=7),
            links.log_line(3): url_for("uploads.log_lines", sha256=log, number=3, _anchor="here"),
            links.report: url_for("audits.report", key=key),
            links.replay_start: url_for("audits.replay", key=key),
            links.files[0][1]: url_for("audits.one_file", key=key),
            links.files[1][1]: url_for("audits.as_json", key=key),
            links.files[2][1]: url_for("audits.as_csv", key=key),
            links.files[3][1]: url_for("audits.as_sarif", key=key),
            links.files[4][1]: url_for("uploads.log_bytes", sha256=log),
            links.files[5][1]: url_for("uploads.log", sha256=log),
        }
    assert list(there) == list(there.values())
    assert links.replay(-1) is None


def test_pages_made_under_one_prefix_are_not_served_under_another(browser, service):
    key = key_of(browser.upload(("game.jsonl", FAULTY)))
    line = service.audits.line(key)
    assert b'href="/desk/audits/' in packed.whole(service.forms.report(line, "/desk"))
    assert b'href="/desk/audits/' not in packed.whole(service.forms.report(line))


@pytest.mark.parametrize("size", [0, 1, 1000, packed.CHUNK, 5 * packed.CHUNK + 7])
def test_what_was_packed_comes_out_in_parts(size: int):
    data = os.urandom(size // 2) + b"a" * (size - size // 2)
    parts = list(packed.unpacked(packed.packed(data)))
    assert b"".join(parts) == data == packed.whole(packed.packed(data))
    assert all(len(part) <= packed.CHUNK for part in parts)


def test_the_first_line_comes_apart_from_what_follows():
    head, rest = packed.head_and_rest(packed.packed(b'{"title": "x"}\n' + b"body\n" * 50_000))
    assert (head, b"".join(rest)) == (b'{"title": "x"}', b"body\n" * 50_000)
    long = b"y" * (3 * packed.CHUNK)
    head, rest = packed.head_and_rest(packed.packed(long + b"\nz"))
    assert (head, b"".join(rest)) == (long, b"z")


def test_a_comparison_lists_so_many_and_counts_all():
    found = [
        {"id": str(n), "seq": n, "rule": "R", "kind": "illegal", "stands": True, "text": "t", "evidence": {}}
        for n in range(forms.MOST_COMPARED + 5)
    ]
    changed = [{"id": one["id"], "differs": ["text"], "old": one, "new": one} for one in found]
    listed = forms.as_listed({"audits": {}, "gone": found, "new": [], "changed": changed, "unchanged": 3})
    assert listed["counts"] == {"gone": len(found), "new": 0, "changed": len(found)}
    assert len(listed["gone"]) == len(listed["changed"]) == forms.MOST_COMPARED
    assert "evidence" not in listed["gone"][0]


def test_a_comparison_lists_what_stands_first():
    found = [
        {"id": str(n), "seq": n, "rule": "R", "kind": "illegal", "stands": n > forms.MOST_COMPARED, "text": "t"}
        for n in range(forms.MOST_COMPARED + 3)
    ]
    changed = [{"id": one["id"], "differs": ["stands"], "old": {**one, "stands": False}, "new": one} for one in found]
    listed = forms.as_listed({"audits": {}, "gone": found, "new": [], "changed": changed, "unchanged": 0})
    assert listed["standing"] == {"gone": 2, "new": 0, "changed": 2}
    for part in ("gone", "changed"):
        assert [one["first"] for one in listed[part]] == [True] * 2 + [False] * (forms.MOST_COMPARED - 2)
        assert [one["id"] for one in listed[part][:3]] == ["201", "202", "0"]


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"one", b"one\n", b"one\ntwo\n\nfour", b"\n" * 40, b"long " * 99 + b"\nx"]
)
def test_lines_of_a_log_are_found_without_the_rest_of_it(tmp_path: Path, data: bytes, monkeypatch):
    monkeypatch.setattr("auditor.store.archive._CHUNK", 7)
    archive = Archive(tmp_path)
    sha256 = archive.put(io.BytesIO(data)).sha256
    lines = data.split(b"\n")
    for first in range(1, 6):
        for last in (first, first + 2, first + 50):
            found, count = archive.lines(sha256, first, last, 12)
            assert (found, count) == ([line[:12] for line in lines[first - 1 : last]], len(lines))
    assert b"".join(archive.parts(sha256)) == data


def test_of_a_header_the_outermost_names_are_kept():
    header = {"roster": {"models": [f"model-{n}" for n in range(10_000)]}, "board": "gate", "scenario": "first"}
    found = mentioned(header)
    assert found[:2] == ("gate", "first")
    assert sum(map(len, found)) <= MOST_SIGNS + 128
    assert mentioned({"a": ["x", "x", "y" * 129, ""]}) == ("x",)


def test_large_and_packed_files_are_opened_elsewhere(idle: Service, monkeypatch):
    asked: list[str] = []
    ask = service_opening.Opener._ask

    def noted(self, function, *args, **how):
        asked.append(function)
        return ask(self, function, *args, **how)

    monkeypatch.setattr(service_opening.Opener, "_ask", noted)
    monkeypatch.setattr(service_opening, "SMALL", 2000)
    large = log_of(*({} for _ in range(100)), title="A long game")
    choice = idle.rulings.own()
    idle.deliveries.receive([Incoming("a.jsonl", io.BytesIO(CLEAN))], choice)
    assert asked == []
    idle.deliveries.receive([Incoming("b.jsonl", io.BytesIO(large))], choice)
    idle.deliveries.receive([Incoming("c.jsonl.gz", io.BytesIO(_gzip(CLEAN)))], choice)
    assert asked == ["open_archived", "open_archived"]
    titles = {line.title for line in idle.audits.page().audits}
    assert titles == {"A calm game", "A long game"}


def _gzip(data: bytes) -> bytes:
    press = zlib.compressobj(wbits=31)
    return press.compress(data) + press.flush()


def test_an_upload_that_cannot_be_opened_says_why_and_is_kept(idle: Service, monkeypatch):
    from auditor.jobs.child import ChildFailed

    def too_much(*_args, **_how):
        raise ChildFailed("It needed more than 2048 MiB of memory and was stopped.")

    monkeypatch.setattr(idle._opening, "call", too_much)
    monkeypatch.setattr(service_opening, "SMALL", 0)
    key = idle.deliveries.receive([Incoming("a.jsonl", io.BytesIO(CLEAN))], idle.rulings.own())
    (fate,) = idle.deliveries.page(key).files
    assert (fate.fate, fate.problems[0]["found"][:27]) == ("refused", "It needed more than 2048 Mi")
    assert b"".join(idle.deliveries.upload_bytes(fate.upload_sha256)[1]) == CLEAN


def test_event_pages_of_a_long_part_list_those_around(service):
    data = log_of(*({} for _ in range(400)))
    delivery = service.deliveries.receive([Incoming("game.jsonl", io.BytesIO(data))], service.rulings.own())
    audit = service.deliveries.page(delivery).files[0].audit
    line = settled(service, audit.key)
    page = packed.whole(service.forms.event(line, 200)).decode()
    assert 'id="e-50"' in page and 'id="e-350"' in page
    assert 'id="e-49"' not in page and 'id="e-351"' not in page
    head = json.loads(page.split("\n", 1)[0])
    assert (head["prev"], head["next"]) == (f"/audits/{line.key}/events/199", f"/audits/{line.key}/events/201")
