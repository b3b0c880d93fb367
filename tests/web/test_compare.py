"""Two audits side by side in the browser, as `auditor compare` says it."""

from __future__ import annotations

import html
import io
import re

from auditor.engine import compare
from tests.web.conftest import CLEAN, FAULTY, log_of, settled

MATCH = {"event": "Winter Muster", "round": 2, "table": 3}


def key_of(answer) -> str:
    return answer.location.split("/")[-1]


def test_two_audits_of_one_log_are_compared(browser, service):
    strict = key_of(browser.upload(("game.jsonl", FAULTY)))
    log = service.audits.line(strict).log_sha256
    assert "Compare two audits" not in browser.page(f"/logs/{log}")
    browser.post(f"/logs/{log}/audits", rulings="defaults")
    again = browser.post("/rulings", name="Kind", rulings_file=(io.BytesIO(b'{"R-FAKE": "no"}'), "k.json"))
    assert again.status_code == 303
    kind = key_of(browser.post(f"/logs/{log}/audits", rulings="set:Kind"))
    assert settled(service, kind).verdict == "clean"
    page = browser.page(f"/logs/{log}")
    assert "Compare two audits" in page
    assert page.count(f'<option value="{kind}"') == 2
    page = browser.page(f"/compare?old={strict}&new={kind}")
    said = browser.get(f"/api/v1/compare?old={strict}&new={kind}").json
    assert said == compare(service.audits.value(strict), service.audits.value(kind))
    assert (len(said["gone"]), len(said["new"])) == (1, 1)
    assert "1 finding no longer counts. 0 findings are the same in both." in page
    assert "It was too far." in page
    assert "Kind" in page


def test_two_logs_of_one_match_are_offered_and_compared(browser, service):
    first = key_of(browser.upload(("ann.jsonl", log_of({"bad": "Ann's view."}, title="Ann", match=MATCH))))
    second = key_of(browser.upload(("bob.jsonl", log_of({"bad": "Bob's view."}, {}, title="Bob", match=MATCH))))
    other = key_of(browser.upload(("x.jsonl", log_of({}, title="X", match={**MATCH, "table": 4}))))
    page = browser.page(f"/logs/{service.audits.line(first).log_sha256}")
    assert f'value="{second}"' in page
    assert f'value="{other}"' not in page
    page = html.unescape(browser.page(f"/compare?old={first}&new={second}"))
    assert "Ann's view." in page
    assert "Bob's view." in page
    for row in ("File ann.jsonl bob.jsonl", "Events 1 2", "To decide 1 in both"):
        assert row in " ".join(re.sub(r"<[^>]+>", " ", page).split()), row
    for link in re.findall(r'href="(/audits/[^"#]*)', page):
        browser.page(link)


def test_what_cannot_be_compared_is_not_there(browser):
    key = key_of(browser.upload(("game.jsonl", CLEAN)))
    for old, new in ((key, "0" * 20), ("", ""), (key, "x"), (key, "%00")):
        assert browser.get(f"/compare?old={old}&new={new}").status_code == 404
        assert browser.get(f"/api/v1/compare?old={old}&new={new}").status_code == 404
    assert "Nothing that counts differs. 0 findings are the same in both." in browser.page(
        f"/compare?old={key}&new={key}"
    )


def test_hostile_findings_are_only_ever_text(browser):
    text = "<img src=x onerror=alert(1)>"
    keys = [
        key_of(
            browser.upload(
                (f"{n}.jsonl", log_of({"bad": text, "claimed": n}, title=text, match={**MATCH, "event": text}))
            )
        )
        for n in (1, 2)
    ]
    page = browser.page(f"/compare?old={keys[0]}&new={keys[1]}")
    assert "<img src=x" not in page
    assert "&lt;img" in page
