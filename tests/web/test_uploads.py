"""Sending logs: what is kept, what is counted once, and what the page says of each file."""

from __future__ import annotations

import gzip
import hashlib
import io
import threading
import zipfile
from contextlib import closing
from dataclasses import replace

import pytest
from flask import Flask

from auditor.service import Incoming, Service
from auditor.service.deliveries import Deliveries
from auditor.settings import Settings
from auditor.web import create_app
from auditor.web.audits import known_names
from tests.web.conftest import CLEAN, ENGINE, FAULTY, Browser, Near, log_of, settled


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_a_small_log_is_audited_before_the_answer(browser):
    answer = browser.upload(("game.jsonl", FAULTY))
    assert answer.status_code == 303
    assert answer.location.startswith("/audits/")
    page = browser.page(answer.location)
    assert "It was too far." in page
    assert "CAL-FAKE-01" in page


def test_the_bytes_come_back_as_they_were_sent(browser):
    browser.upload(("game.jsonl", FAULTY))
    for address in (f"/logs/{sha(FAULTY)}/bytes", f"/uploads/by-hash/{sha(FAULTY)}"):
        answer = browser.get(address)
        assert answer.data == FAULTY
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert answer.mimetype == "application/octet-stream"


def test_several_files_are_listed_with_what_became_of_each_trouble_first(browser):
    answer = browser.upload(("clean.jsonl", CLEAN), ("odd.txt", b"not a log"), ("faulty.jsonl", FAULTY))
    page = browser.page(answer.location)
    assert answer.location.startswith("/uploads/")
    assert page.index("odd.txt") < page.index("clean.jsonl")
    assert "1 finding to decide." in page
    assert "Clean." in page


def test_every_error_of_a_bad_file_is_shown_with_its_place(browser):
    bad = FAULTY + b"{oops\n" + b'{"seq": 9, "type": "act"}\n' + b"[1, 2\n"
    answer = browser.upload(("bad.jsonl", bad), ("clean.jsonl", CLEAN))
    page = browser.page(answer.location)
    assert "in part" in page
    for place, found in (("5", "{oops"), ("7", "[1, 2")):
        assert f"{place}</td>" in page
        assert found in page


def test_the_same_bytes_twice_are_one_upload_and_one_audit(browser, service):
    first = browser.upload(("game.jsonl", CLEAN))
    second = browser.upload(("another name.jsonl", CLEAN))
    assert first.location == second.location
    assert service.audits.page().tally == {"clean": 1}
    both = browser.page(browser.upload(("a.jsonl", CLEAN), ("b.jsonl", CLEAN)).location)
    assert both.count("These bytes were here before") == 2


def test_the_same_log_under_other_rulings_is_another_audit_of_the_same_upload(browser, service):
    first = browser.upload(("game.jsonl", FAULTY))
    kind = (io.BytesIO(b'{"name": "Kind", "readings": {"R-FAKE": "no"}}'), "kind.json")
    second = browser.upload(("game.jsonl", FAULTY), rulings="file", rulings_file=kind)
    assert first.location != second.location
    assert service.audits.page().tally == {"findings": 1, "clean": 1}
    page = browser.page(f"/logs/{sha(FAULTY)}")
    assert page.count('class="fate') == 2
    assert "Kind" in page


def test_a_log_can_be_audited_again_under_other_rulings(browser, service):
    browser.upload(("game.jsonl", log_of({"bad": "x"}, rulings={"R-FAKE": "no"})))
    digest = service.audits.page().audits[0].log_sha256
    assert service.audits.page().audits[0].verdict == "clean"
    answer = browser.post(f"/logs/{digest}/audits", rulings="defaults")
    assert answer.status_code == 303
    assert settled(service, answer.location.split("/")[-1]).verdict == "findings"


def test_two_people_who_send_the_same_log_at_once_get_the_same_audit(app: Flask, service):
    locations: list[str] = []

    def send() -> None:
        locations.append(Browser(app.test_client()).upload(("game.jsonl", CLEAN)).location)

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(locations) == 4
    kinds = [
        location.strip("/").split("/") for location in locations
    ]  # some wait, the others follow the work on a page
    keys = {key for kind, key in kinds if kind == "audits"}
    pages = [service.deliveries.page(key) for kind, key in kinds if kind == "uploads"]
    keys |= {fate.audit.key for page in pages for fate in page.files if fate.audit is not None}
    assert len(keys) == 1
    assert len(pages) < 4
    assert service.audits.page().tally == {"clean": 1}


@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/passwd",
        "..\\..\\windows\\system32\\x.jsonl",
        "/etc/shadow",
        "C:\\x.jsonl",
        '<script>alert(1)</script>".jsonl',
        "a\u202etxt.exe",
        "x" * 5000 + ".jsonl",
        "tab\tand\x07bell.jsonl",
        "{{ 7 * 7 }}.jsonl",
    ],
)
def test_a_hostile_name_is_only_ever_text(browser, service, settings: Settings, name):
    before = {path for path in settings.data_dir.parent.rglob("*") if not path.is_relative_to(settings.data_dir)}
    answer = browser.upload((name, CLEAN), ("bad.jsonl", b"?"))
    page = browser.page(answer.location)
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "49.jsonl" not in page
    after = {path for path in settings.data_dir.parent.rglob("*") if not path.is_relative_to(settings.data_dir)}
    assert after == before
    kept = browser.get(f"/logs/{sha(CLEAN)}/bytes")
    assert kept.data == CLEAN
    assert "/" not in kept.headers["Content-Disposition"]


def test_a_name_cannot_break_a_header(browser, service):
    service.deliveries.receive([Incoming("a\r\nSet-Cookie: a=b", io.BytesIO(CLEAN))], service.rulings.own())
    answer = browser.get(f"/logs/{sha(CLEAN)}/bytes")
    assert "a=b" not in answer.headers.get("Set-Cookie", "")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="a__Set-Cookie__a_b"'


@pytest.mark.parametrize(
    "text",
    ["<img src=x onerror=alert(1)>", "\ud800", "a\0b", "n" * 20_000, "{{ config }}", "\u202eevil", "</title><script>"],
)
def test_hostile_text_in_a_log_is_shown_as_text_on_every_page(browser, service, text):
    players = [{"id": "UM", "name": text}, {"id": text, "name": "Bob"}]
    match = {"event": text, "round": text, "table": 4}
    data = log_of({"bad": text, "player": "UM"}, title=text, players=players, match=match)
    report = browser.upload(("game.jsonl", data)).location
    key = report.split("/")[-1]
    for address in (report, "/", f"/logs/{sha(data)}", f"{report}/events/1", f"/logs/{sha(data)}/lines/2"):
        page = browser.page(address)
        assert "<img src=x" not in page
        assert "</title><script>" not in page
        assert "\0" not in page
    assert browser.get(f"/audits/{key}.html").status_code == 200
    assert browser.get(f"/api/v1/audits/{key}/state").status_code == 200


def test_a_sheet_in_the_place_of_a_log_is_named_with_where_it_goes(browser):
    page = browser.page(browser.upload(("game.csv", b"Round;Player;Unit\n1;UM;um-1\n"), ("a.jsonl", CLEAN)).location)
    assert "a table (CSV)" in page and "a game has to be a log, as a recorder writes it" in page
    assert 'href="/guide/recorder"' in page and 'href="/packs">data packs' in page


def test_no_file_is_said_to_be_missing(browser):
    answer = browser.upload()
    assert answer.status_code == 400
    assert "Choose at least one file" in answer.text


def test_too_much_at_once_is_refused_as_a_page(browser, app):
    app.config["MAX_CONTENT_LENGTH"] = 4096
    token = browser.token()
    answer = browser.client.post(
        "/upload", data={"csrf_token": token, "logs": [(io.BytesIO(b"x" * 10_000), "big.jsonl")]}
    )
    assert answer.status_code == 413
    assert "too much at once" in answer.text
    assert "at most 64 MB and 60 files" in answer.text
    assert 'href="/limits"' in answer.text
    said = browser.client.post("/api/v1/uploads", data={"logs": (io.BytesIO(b"x" * 10_000), "big.jsonl")})
    assert said.status_code == 413
    assert said.json["error"]["limit"] == 64 * 1024 * 1024


def test_too_many_files_are_refused(browser, settings):
    answer = browser.upload(*[(f"{n}.jsonl", b"x%d" % n) for n in range(settings.max_files + 1)])
    assert answer.status_code == 413


def test_bad_rulings_are_refused_with_everything_that_is_wrong_and_nothing_is_taken_in(browser, service):
    rulings = (io.BytesIO(b'{"readings": {"R-FAKY": "no", "R-FAKE": "maybe"}}'), "r.json")
    answer = browser.upload(("game.jsonl", CLEAN), rulings="file", rulings_file=rulings)
    assert answer.status_code == 400
    assert "R-FAKY" in answer.text
    assert "R-FAKE" in answer.text
    assert "maybe" in answer.text
    assert service.audits.page().tally == {}


def test_rulings_that_lie_too_deep_are_refused(browser):
    deep = b'{"readings":' + b'{"a":' * 1010 + b"1" + b"}" * 1011
    answer = browser.upload(("game.jsonl", CLEAN), rulings="file", rulings_file=(io.BytesIO(deep), "r.json"))
    assert answer.status_code == 400
    assert "These rulings cannot be used" in answer.text


@pytest.mark.parametrize("chosen", ["own", "defaults"])
def test_a_rulings_file_beside_other_rulings_is_refused_and_never_left_out_in_silence(browser, service, chosen):
    def file():
        return (io.BytesIO(b'{"R-FAKE": "no"}'), "cup.json")

    answer = browser.upload(("game.jsonl", FAULTY), rulings=chosen, rulings_file=file())
    assert answer.status_code == 400
    assert "a rulings file was sent, but other rulings were chosen" in answer.text
    assert service.audits.page().tally == {}
    browser.upload(("game.jsonl", FAULTY), rulings=chosen)
    assert browser.post(f"/logs/{sha(FAULTY)}/audits", rulings=chosen, rulings_file=file()).status_code == 400
    assert sum(service.audits.page().tally.values()) == 1


@pytest.mark.parametrize(
    ("rulings", "said"),
    [
        (b'{"R-FAKE": "no", "R-FAKE": "yes"}', "R-FAKE is given twice"),
        (b'{"name": "a", "readings": {"R-FAKE": "no", "R-FAKE": "no"}}', "readings.R-FAKE is given twice"),
        (b'{"name": "%s", "readings": {}}' % (b"n" * 121), "at most 120 characters; this one has 121"),
    ],
)
def test_what_could_be_meant_in_two_ways_or_would_be_cut_is_named_and_refused(browser, service, rulings, said):
    answer = browser.upload(("game.jsonl", CLEAN), rulings="file", rulings_file=(io.BytesIO(rulings), "r.json"))
    assert answer.status_code == 400
    assert said in answer.text
    assert service.audits.page().tally == {}


def test_an_unreadable_log_is_told_which_games_and_packs_there_are(browser, service):
    lost = browser.page(browser.upload(("a.jsonl", log_of({}, game="calht"))).location)
    assert "<code>calth</code>" in lost
    assert "None None" not in lost
    nothing = browser.page(browser.upload(("b.jsonl", b"no log at all")).location)
    assert "<code>calth</code>" in nothing
    assert "None None" not in nothing
    page = create_app(service.settings, service)
    with page.test_request_context():
        kinds = dict(known_names("calth"))
    assert "ossuary-gate" in kinds["board packs"]


@pytest.mark.parametrize("data", [b"", b"[1]", b"{" * 100_000, b'{"R-FAKE": 1e999}', b"\xff\xfe", b"x" * 70_000])
def test_rulings_may_be_any_bytes(browser, data):
    answer = browser.upload(("game.jsonl", CLEAN), rulings="file", rulings_file=(io.BytesIO(data), "r.json"))
    assert answer.status_code == 400
    assert "These rulings cannot be used" in answer.text


def test_nothing_is_half_taken_in_when_the_work_is_cut_off_before_the_rows(settings: Settings, monkeypatch):
    service = Service(settings, ENGINE)
    try:
        monkeypatch.setattr(Deliveries, "_take_in", lambda *_args: (_ for _ in ()).throw(OSError("pulled the plug")))
        with pytest.raises(OSError):
            service.deliveries.receive([Incoming("game.jsonl", io.BytesIO(CLEAN))], service.rulings.own())
        assert service.audits.page().audits == ()
        assert not list((settings.archive / "incoming").iterdir())
        monkeypatch.undo()
        key = service.deliveries.receive([Incoming("game.jsonl", io.BytesIO(CLEAN))], service.rulings.own())
        assert [fate.known for fate in service.deliveries.page(key).files] == [False]
    finally:
        service.close()


def test_nothing_is_half_taken_in_when_the_second_of_two_files_fails(idle: Service, monkeypatch):
    taken = []
    whole = Deliveries._take_in

    def fail_second(self, session, name, *rest):
        if taken:
            raise OSError("pulled the plug")
        taken.append(name)
        return whole(self, session, name, *rest)

    monkeypatch.setattr(Deliveries, "_take_in", fail_second)
    with pytest.raises(OSError):
        idle.deliveries.receive(
            [Incoming(n, io.BytesIO(d)) for n, d in (("a", CLEAN), ("b", FAULTY))], idle.rulings.own()
        )
    assert idle.audits.page().audits == ()
    assert idle.audits.page().tally == {}


def zipped(*members: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def test_each_member_of_a_zip_is_a_game_of_its_own(idle: Service):
    data = zipped(("t1.jsonl", CLEAN), ("t2.jsonl.gz", gzip.compress(FAULTY)), ("in.zip", b"?"), ("note.txt", b"hi"))
    key = idle.deliveries.receive([Incoming("round.zip", io.BytesIO(data))], idle.rulings.own())
    page = idle.deliveries.page(key)
    assert {fate.name.removeprefix("round.zip › "): fate.fate for fate in page.files} == {
        "t1.jsonl": "queued",
        "t2.jsonl.gz": "queued",
        "in.zip": "refused",
        "note.txt": "skipped",
    }
    assert {fate.upload_sha256 for fate in page.files} == {sha(data)}
    sizes = {fate.name.removeprefix("round.zip › "): fate.size for fate in page.files}
    assert sizes == {"t1.jsonl": len(CLEAN), "t2.jsonl.gz": len(FAULTY), "in.zip": 1, "note.txt": 2}
    log = idle.audits.log_page(sha(CLEAN))
    assert [(source.container, source.member, source.sha256) for source in log.sources] == [
        ("zip", "t1.jsonl", sha(data))
    ]
    assert b"".join(idle.audits.log_bytes(sha(FAULTY))[1]) == FAULTY
    assert b"".join(idle.deliveries.upload_bytes(sha(data))[1]) == data
    # The same zip again adds nothing.
    idle.deliveries.receive([Incoming("again.zip", io.BytesIO(data))], idle.rulings.own())
    assert idle.audits.page().tally == {"waiting": 2}
    assert len(idle.audits.log_page(sha(CLEAN)).sources) == 1


def test_a_log_is_the_same_log_however_it_was_packed(idle: Service):
    for name, data in (("a", CLEAN), ("b.gz", gzip.compress(CLEAN)), ("c.zip", zipped(("d.jsonl", CLEAN)))):
        idle.deliveries.receive([Incoming(name, io.BytesIO(data))], idle.rulings.own())
    assert idle.audits.page().tally == {"waiting": 1}
    assert [source.container for source in idle.audits.log_page(sha(CLEAN)).sources] == ["plain", "gzip", "zip"]


@pytest.mark.parametrize("data", [zipped(), zipped(("a.jsonl", CLEAN))[:-1], zipped(("../a.jsonl", CLEAN)), b"PK\3\4"])
def test_a_zip_that_cannot_be_trusted_is_kept_and_refused_with_its_reason(idle: Service, data):
    key = idle.deliveries.receive([Incoming("round.zip", io.BytesIO(data))], idle.rulings.own())
    (fate,) = idle.deliveries.page(key).files
    assert fate.fate == "refused"
    assert fate.problems[0]["found"]
    assert b"".join(idle.deliveries.upload_bytes(sha(data))[1]) == data


def test_a_zip_may_hold_so_many_files_and_one_more_is_refused_by_name(settings):
    with closing(Service(replace(settings, max_members=2), ENGINE, Near.make)) as service:
        files = []
        for count in (2, 3):
            data = zipped(*((f"{n}.jsonl", CLEAN + b" " * n) for n in range(count)))
            key = service.deliveries.receive([Incoming("round.zip", io.BytesIO(data))], service.rulings.own())
            files.append(service.deliveries.page(key).files)
    taken, (refused,) = files
    assert [file.fate for file in taken] == ["queued", "queued"]
    assert refused.fate == "refused" and "names 3 members; at most 2 are read" in refused.problems[0]["found"]


def test_a_gzip_file_that_ends_early_is_kept_and_is_never_said_to_be_whole(browser):
    data = gzip.compress(CLEAN * 50)[:-20]
    answer = browser.upload(("a.jsonl.gz", data))
    assert browser.get(f"/logs/{sha(data)}/bytes").data == data
    assert "Clean" not in browser.page(answer.location)


def raw(browser: Browser, data: bytes, name: str = "", kind: str = "application/octet-stream"):
    token = browser.client.get("/api/v1/token").get_json()["token"]
    address = f"/api/v1/uploads?name={name}" if name else "/api/v1/uploads"
    return browser.client.post(address, data=data, content_type=kind, headers={"X-CSRFToken": token})


@pytest.mark.parametrize("field", ["logs", "file", "files", "log", "upload[]", "f\xfcr"])
def test_a_file_is_taken_whatever_its_field_is_called(browser, field):
    assert browser.post("/upload", **{field: (io.BytesIO(CLEAN), "game.jsonl")}).status_code == 303


@pytest.mark.parametrize("kind", ["application/octet-stream", "application/json", "text/plain", "application/gzip"])
def test_a_body_that_is_the_log_itself_is_one_file(browser, kind):
    answer = raw(browser, CLEAN, "Zo%C3%AB.jsonl", kind)
    assert answer.status_code == 201
    (file,) = answer.get_json()["files"]
    assert (file["name"], file["upload_sha256"]) == ("Zoë.jsonl", sha(CLEAN))


def test_a_body_that_is_said_to_be_a_form_is_refused_by_name(browser):
    answer = raw(browser, CLEAN, kind="application/x-www-form-urlencoded")
    assert answer.status_code == 400 and "curl -F logs=@game.jsonl" in answer.text
    assert raw(browser, b"").status_code == 400


def test_a_form_in_another_code_page_is_refused_by_name(browser):
    token = browser.client.get("/api/v1/token").get_json()["token"]
    body = (
        b'--x\r\nContent-Disposition: form-data; name="logs"; filename="Zo\xeb M\xfcller.jsonl"\r\n'
        b"Content-Type: application/octet-stream\r\n\r\n" + CLEAN + b"\r\n--x--\r\n"
    )
    kind = "multipart/form-data; boundary=x"
    answer = browser.client.post("/api/v1/uploads", data=body, content_type=kind, headers={"X-CSRFToken": token})
    assert answer.status_code == 400 and "another code page" in answer.get_json()["error"]["message"]
    plain = body.replace(b"Zo\xeb M\xfcller", b"game")
    answer = browser.client.post("/api/v1/uploads", data=plain, content_type=kind, headers={"X-CSRFToken": token})
    assert answer.status_code == 201


def test_a_download_keeps_the_letters_of_its_name(browser):
    browser.upload(("Zoë – 山.jsonl", CLEAN))
    said = browser.get(f"/logs/{sha(CLEAN)}/bytes").headers["Content-Disposition"]
    assert said.startswith('attachment; filename="Zo_') and said.isascii()
    assert said.endswith("; filename*=UTF-8''Zo%C3%AB%20%E2%80%93%20%E5%B1%B1.jsonl")


FOREIGN = {
    "deck.o8d": b'<?xml version="1.0"?><deck game="x"/>',
    "save.json": b'{"SaveName":"x","ObjectStates":[]}',
    "game.7z": b"7z\xbc\xaf\x27\x1c",
    "photo.jsonl": b"\x89PNG\r\n\x1a\n",
}


@pytest.mark.parametrize(("name", "data"), FOREIGN.items(), ids=FOREIGN)
def test_a_file_of_another_program_is_named_and_no_game_of_the_list(idle: Service, name, data):
    key = idle.deliveries.receive([Incoming(name, io.BytesIO(data))], idle.rulings.own())
    (fate,) = idle.deliveries.page(key).files
    assert fate.fate == "refused" and fate.audit is None
    assert "it is " in fate.problems[0]["found"] and ";" in fate.problems[0]["found"]
    assert idle.audits.page().tally == {}


def test_what_a_mac_puts_into_a_zip_is_no_file_of_a_delivery(idle: Service):
    data = zipped(("r1/t1.jsonl", CLEAN), ("__MACOSX/r1/._t1.jsonl", b"\0\5\x16\7"), (".DS_Store", b"Bud1"))
    key = idle.deliveries.receive([Incoming("round.zip", io.BytesIO(data))], idle.rulings.own())
    assert [fate.name for fate in idle.deliveries.page(key).files] == ["round.zip › r1/t1.jsonl"]
