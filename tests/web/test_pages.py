"""Every page and every address: that it is there, that it is guarded, and that it says the same to programs."""

from __future__ import annotations

import hashlib
import html
import io
import json
import re
import threading
from dataclasses import replace

import pytest
from flask import Flask

from auditor.service import Incoming, Service
from auditor.web import create_app
from auditor.web.guard import CSP
from auditor.web.guide import GUIDES
from auditor.web.metrics import metrics_served
from auditor.web.shell import EXTENSION
from tests.drawn import drawn
from tests.web.conftest import CLEAN, FAULTY, Browser, log_of


@pytest.fixture
def report(browser: Browser) -> str:
    return browser.upload(("game.jsonl", FAULTY)).location


APART = (".finding", ".drawn_finding", ".incident_sheet", ".report_list")


def addresses(app: Flask, report: str) -> list[str]:
    """One real address for each GET route."""
    digest = hashlib.sha256(FAULTY).hexdigest()
    values = {"key": report.split("/")[-1], "sha256": digest, "seq": 2, "number": 2, "game_or_id": "calth"}
    values |= {"old": values["key"], "new": values["key"]}
    values |= {"ident": "", "filename": "progress.js", "name": "Kind"}
    # Pages of findings and further pages of lists have tests of their own (test_report_pages, test_drawn_when_asked, test_sheets).
    pack = app.extensions[EXTENSION].packs.all()[0].sha256
    out = []
    with app.test_request_context():
        adapter = app.url_map.bind("localhost")
        for rule in app.url_map.iter_rules():
            if "GET" in (rule.methods or ()) and "delivery" not in rule.endpoint and not rule.endpoint.endswith(APART):
                own = {**values, "sha256": pack} if "pack" in rule.endpoint else values
                own = {**own, "name": GUIDES[0]} if rule.endpoint == "guide.guide" else own
                query = {"name"} if rule.endpoint == "rulings.by_name" else set()
                query |= {"old", "new"} if rule.endpoint.endswith(".compare") else set()
                out.append(adapter.build(rule.endpoint, {name: own[name] for name in rule.arguments | query}))
    return [*out, "/rules/CAL-FAKE-01", "/readings/R-FAKE"]


def test_every_address_answers_and_carries_the_headers(browser, app, report):
    browser.post("/rulings", name="Kind", rulings_file=(io.BytesIO(b'{"R-FAKE": "no"}'), "k.json"))
    for address in addresses(app, report):
        answer = browser.get(address, follow_redirects=True)
        assert answer.status_code == 200, (address, answer.text[:300])
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        policy = answer.headers["Content-Security-Policy"]
        assert policy == CSP or (address.endswith(".html") and policy.startswith("default-src 'none'"))
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy


def test_every_route_that_changes_something_refuses_without_a_token(app, report):
    client = app.test_client()
    tried = 0
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}):
            values = dict.fromkeys(rule.arguments, "0" * 20)
            address = app.url_map.bind("localhost").build(rule.endpoint, values, method=method)
            answer = client.open(address, method=method)
            assert answer.status_code == 400, (method, address)
            tried += 1
    assert tried >= 5


def test_no_page_has_anything_inline_or_from_elsewhere(browser, app, report):
    for address in addresses(app, report):
        answer = browser.get(address, follow_redirects=True)
        if answer.mimetype != "text/html" or address.endswith(".html"):
            continue
        assert not re.search(r"<script(?![^>]*\bsrc=)", answer.text), address
        assert not re.search(r"\son[a-z]+=|\sstyle=|javascript:", answer.text), address
        assert not re.search(r'(?:src|href|action)="(?:https?:)?//', answer.text), address


def test_every_link_of_every_page_leads_somewhere(browser, app, report):
    todo, seen = ["/"], set[str]()
    while todo:
        address = todo.pop().split("#")[0]
        if address in seen or not address:
            continue
        seen.add(address)
        answer = browser.get(address, follow_redirects=True)
        assert answer.status_code == 200, address
        if answer.mimetype == "text/html" and not address.split("?")[0].endswith(".html"):
            links = re.findall(r'href="(/[^"]*)"', answer.text)
            todo += [link.replace("&amp;", "&") for link in links]
    assert any("/events/3" in address for address in seen)
    assert "/rules/CAL-FAKE-02" in seen


def test_the_json_of_an_audit_is_the_bytes_its_digest_stands_in(browser, report):
    key = report.split("/")[-1]
    page, api = browser.get(f"/audits/{key}.json"), browser.get(f"/api/v1/audits/{key}")
    assert page.data == api.data
    value = json.loads(page.data)
    assert value["verdict"] == "findings"
    assert value["log_sha256"] == hashlib.sha256(FAULTY).hexdigest()
    assert value["digest"] in browser.page(report)


def test_the_replay_goes_to_the_event_asked_for_or_the_next_one(browser, report):
    assert browser.get(f"{report}/events").location.endswith("/events/1")
    assert browser.get(f"{report}/events?seq=2").location.endswith("/events/2")
    assert browser.get(f"{report}/events?seq=99").location.endswith("/events/3")
    assert "event 2" in browser.page(f"{report}/events/2").lower()
    assert browser.get(f"{report}/events/99").status_code == 404


def test_unknown_addresses_are_404_as_a_page_and_as_json(browser):
    for address in ("/nothing", "/audits/ffffffffffffffffffff", "/rules/CAL-X", "/rules?game=go", "/audits?verdict=x"):
        answer = browser.get(address)
        assert answer.status_code == 404, address
        assert "There is nothing here" in answer.text
    for address in ("/api/v1/nothing", "/api/v1/audits/zz", "/audits/zz.json", "/api/v1/rules?game=go"):
        answer = browser.get(address)
        assert answer.status_code == 404, address
        assert answer.json["error"]["code"] == 404


@pytest.mark.parametrize("name", ["%00", "%ED%A0%80", "..%2f..%2fetc%2fpasswd", "é", "x" * 3000])
def test_odd_addresses_are_404_and_never_a_fault(browser, name):
    for start in ("/audits/", "/uploads/", "/uploads/by-hash/", "/logs/", "/rules/", "/api/v1/audits/"):
        assert browser.get(start + name).status_code in (301, 308, 404), start


def test_the_menu_leads_to_every_part_and_says_where_one_is(browser):
    parts = {"Games": "/", "Upload": "/upload", "Rules": "/rules", "Open questions": "/readings", "Answers": "/rulings",
             "Packs": "/packs", "Limits": "/limits"}  # fmt: skip
    for here, address in parts.items():
        menu = re.search(r"<nav aria-label=\"Main\">.*?</nav>", browser.page(address), re.S)
        assert menu is not None
        assert re.findall(r">([\w ]+)</a>", menu[0]) == list(parts), address
        assert re.findall(r'aria-current="page">([\w ]+)<', menu[0]) == [here]


def test_the_pages_of_a_log_belong_to_the_games(browser, service):
    browser.upload(("game.jsonl", FAULTY))
    digest = service.audits.page().audits[0].log_sha256
    for address in (f"/logs/{digest}", f"/logs/{digest}/lines/2"):
        assert 'aria-current="page">Games<' in browser.page(address)


def test_a_wrong_method_says_which_are_right(browser):
    answer = browser.client.put("/rules", headers={"X-CSRFToken": "x"})
    assert answer.status_code in (400, 405)
    answer = browser.get("/api/v1/audits", headers={"Host": "evil.example"})
    assert answer.status_code == 400


def test_another_name_for_this_machine_gets_nothing(browser):
    assert browser.get("/", headers={"Host": "evil.example"}).status_code == 400
    assert browser.get("/", headers={"Host": "127.0.0.1:8000"}).status_code == 200


def test_the_api_takes_logs_with_a_token(app, service):
    client = app.test_client()
    token = client.get("/api/v1/token").json["token"]
    answer = client.post(
        "/api/v1/uploads", data={"logs": [(io.BytesIO(CLEAN), "a.jsonl")]}, headers={"X-CSRFToken": token}
    )
    assert answer.status_code == 201
    service.deliveries.wait(answer.json["id"], 20)
    files = client.get(answer.headers["Location"]).json
    assert files["settled"] is True
    assert client.get(files["files"][0]["audit"]["audit"]).json["verdict"] == "clean"
    assert client.get("/api/v1/audits").json["audits"][0]["verdict"] == "clean"
    assert client.get("/api/v1/audits?verdict=findings").json["audits"] == []


def test_the_example_of_a_rulings_file_can_be_stored(browser):
    example = html.unescape(re.findall(r"For example <code>(.*?)</code>", browser.page("/rulings"))[0])
    stored = browser.post("/rulings", name="Example", rulings_file=(io.BytesIO(example.encode()), "r.json"))
    assert stored.status_code == 303
    assert browser.get("/rulings/Example.json").json["readings"] == json.loads(example)["readings"] != {}


def test_stored_rulings_keep_their_meaning(browser, service):
    def store(name: str, rulings: str):
        return browser.post("/rulings", name=name, rulings_file=(io.BytesIO(rulings.encode()), "r.json"))

    assert store("Cup 1", '{"R-FAKE": "no"}').status_code == 303
    assert store("Cup 1", '{"readings": {"R-FAKE": "no"}}').status_code == 303
    refused = store("Cup 1", '{"R-FAKE": "yes"}')
    assert refused.status_code == 400
    assert "choose another name" in refused.text
    assert 'value="Cup 1" required' in refused.text
    assert 'value="" required' in browser.page("/rulings")
    assert browser.get("/rulings/Cup 1.json").json == {
        "game": "calth",
        "name": "Cup 1",
        "readings": {"R-FAKE": "no"},
        "settings": {},
        "not_audited": {},
    }
    assert "Cup 1" in browser.page("/upload")
    browser.upload(("game.jsonl", FAULTY), rulings="set:Cup 1")
    assert service.audits.page().audits[0].verdict == "clean"
    assert "in force" in browser.page("/readings?rulings=Cup 1")
    assert browser.get("/readings?rulings=nobody").status_code == 404
    assert browser.get("/readings/calth?rulings=nobody").status_code == 404


def test_of_two_judges_who_store_other_answers_under_one_name_at_once_one_is_told(app, service):
    answers: list[tuple[int, str]] = []
    judges = [Browser(app.test_client()) for _ in range(4)]
    start = threading.Barrier(len(judges))

    def store(browser: Browser, option: str) -> None:
        token = browser.token()
        start.wait()
        while True:
            file = (io.BytesIO(json.dumps({"R-FAKE": option}).encode()), "r.json")
            sent = browser.client.post("/rulings", data={"csrf_token": token, "name": "Cup", "rulings_file": file})
            if sent.status_code != 503:  # a busy machine: to be tried again in a moment
                break
        answers.append((sent.status_code, sent.text))

    threads = [threading.Thread(target=store, args=(one, ("no", "yes")[n % 2])) for n, one in enumerate(judges)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(status for status, _ in answers) == [303, 303, 400, 400]
    assert all("is stored with other answers already" in text for status, text in answers if status == 400)
    assert [each.name for each in service.rulings.all_named()] == ["Cup"]


@pytest.mark.parametrize("name", ["a/b", "/a", "a//b", "..", ".", "set", "a?b#c", "a%2Fb", "é ö", "{{ x }}", "<b>"])
def test_rulings_of_any_name_have_links_that_work(browser, name):
    stored = browser.post("/rulings", name=name, rulings_file=(io.BytesIO(b'{"R-FAKE": "no"}'), "r.json"))
    assert stored.status_code == 303
    page = browser.page("/rulings")
    links = re.findall(r'href="(/(?:rulings|readings)[^"]*\?[^"]*)"', page)
    assert len(links) == 2
    for link in links:
        answer = browser.get(link.replace("&amp;", "&"), follow_redirects=True)
        assert answer.status_code == 200, link
        if "json" in link:
            assert answer.json["name"] == name


def test_a_name_of_rulings_that_is_too_long_is_refused_and_not_cut(browser, service):
    def store(length: int):
        return browser.post("/rulings", name="n" * length, rulings_file=(io.BytesIO(b'{"R-FAKE": "no"}'), "r.json"))

    assert store(120).status_code == 303
    refused = store(121)
    assert refused.status_code == 400
    assert "at most 120 characters; this one has 121" in refused.text
    assert [each.name for each in service.rulings.all_named()] == ["n" * 120]


def test_a_rulings_file_may_be_so_large_and_no_larger(browser, settings):
    def sent(length):
        file = (io.BytesIO(b'{"R-FAKE": "no"}'.ljust(length)), "k.json")
        return browser.post("/rulings", name=f"Of {length}", rulings_file=file)

    assert sent(settings.max_rulings_bytes).status_code == 303
    refused = sent(settings.max_rulings_bytes + 1)
    assert refused.status_code == 400
    assert f"a rulings file has at most {settings.max_rulings_bytes:,} bytes" in refused.text


@pytest.mark.parametrize("before", ["9" * 19, "9" * 30, "-1", "x", "1e3", "0x1", ""])
def test_a_place_in_the_list_that_cannot_be_is_a_wrong_request(browser, before):
    for start in ("/audits", "/", "/api/v1/audits"):
        answer = browser.get(f"{start}?before={before}")
        assert answer.status_code == 400, start
    assert browser.get(f"/audits?before={2**63 - 1}").status_code == 200


def test_an_unknown_verdict_is_a_wrong_request_to_the_api_and_the_known_ones_are_named(browser):
    answer = browser.get("/api/v1/audits?verdict=fine")
    assert answer.status_code == 400
    assert "clean" in answer.json["error"]["message"]


def test_a_page_about_work_follows_it_and_one_about_done_work_does_not(idle: Service, settings):
    key = idle.deliveries.receive([Incoming("g.jsonl", io.BytesIO(CLEAN))], idle.rulings.own())
    browser = Browser(create_app(settings, idle).test_client())
    audit = idle.audits.page().audits[0].key
    for address in (f"/uploads/{key}", f"/audits/{audit}", "/"):
        page = browser.page(address)
        assert 'data-follow="working"' in page
        assert '<noscript><meta http-equiv="refresh"' in page
    answer = browser.get(f"/api/v1/audits/{audit}")
    assert answer.status_code == 409
    assert answer.json["error"]["state"] == "queued"
    assert browser.get(f"/audits/{audit}.html").status_code == 409
    idle.start()
    assert idle.deliveries.wait(key, 20)
    for address in (f"/uploads/{key}", f"/audits/{audit}", "/"):
        assert "http-equiv" not in browser.page(address)


def test_a_long_list_says_that_there_are_more_than_it_counts(browser, service, monkeypatch):
    for place in ("auditor.store.queries", "auditor.service.audits", "auditor.web.words", "auditor.web.audits"):
        monkeypatch.setattr(f"{place}.MOST_COUNTED", 2)
    monkeypatch.setattr(service._shared, "settings", replace(service.settings, page_size=1))
    browser.upload(("a.jsonl", CLEAN), ("b.jsonl", FAULTY))
    page = browser.page("/")
    assert "2 audits." in page
    assert "more than" not in page
    browser.upload(("c.jsonl", log_of({}, title="C")), ("d.jsonl", log_of({}, title="D")))
    page = browser.page("/")
    assert "more than 3 audits. The first 2 pages of these can be shown; look for fewer to see others." in page
    assert ">all more than 3</a>" in page
    assert ">clean more than 2</a>" in page
    assert ">findings 1</a>" in page
    assert "page=3" not in page
    assert browser.page("/audits?page=3") == browser.page("/audits?page=2")
    assert "more than" not in browser.page("/audits?search=lively")
    assert 'auditor_audits{verdict="clean"} 3.0' in browser.get("/metrics").text


def test_metrics_count_answers_and_the_queue(browser):
    browser.upload(("a.jsonl", CLEAN))
    browser.get("/nothing/here")
    said = browser.get("/metrics").text
    assert 'auditor_http_answers_total{status="404"} 1.0' in said
    assert 'auditor_jobs{state="done"} 1.0' in said
    assert 'auditor_audits{verdict="clean"} 1.0' in said
    assert "auditor_queue_oldest_seconds 0.0" in said


def test_a_worker_tells_what_it_did_at_a_port_of_its_own(idle):
    idle.deliveries.receive([Incoming("a.jsonl", io.BytesIO(CLEAN))], idle.rulings.own())
    with metrics_served(idle, "127.0.0.1", 0) as address:
        before = drawn(address).decode()
        idle._hands.work(idle._make_child(), "a worker", 60.0, lambda: False, slow=False)
        after = drawn(address).decode()
        port = int(address.split(":")[2].partition("/")[0])
        with pytest.raises(OSError), metrics_served(idle, "127.0.0.1", port):
            pass
    assert 'auditor_work_seconds_count{how="done"} 0.0' in before
    assert 'auditor_work_seconds_count{how="done"} 1.0' in after
    assert 'auditor_work_seconds_count{how="failed"} 0.0' in after
    assert "auditor_work_running 0.0" in after
    assert "auditor_jobs" not in after  # those of the database, which any web process tells
    with pytest.raises(OSError):
        drawn(address)


def test_readyz_says_what_is_wrong(browser):
    answer = browser.get("/readyz")
    assert answer.status_code == 200
    assert set(answer.json["checks"]) == {"writer", "migrations", "queue", "disk", "archive"}
    assert browser.get("/healthz").text == "ok\n"


def test_long_lists_come_in_pages(settings, idle):
    from dataclasses import replace

    idle._shared.settings = replace(settings, page_size=2)
    files = [Incoming(f"{n}", io.BytesIO(CLEAN + b" " * n + b"\n")) for n in range(5)]
    idle.deliveries.receive(files, idle.rulings.own())
    seen, before = [], None
    while True:
        page = idle.audits.page(before=before)
        seen += [line.name for line in page.audits]
        before = page.next
        if before is None:
            break
    assert seen == ["4", "3", "2", "1", "0"]
