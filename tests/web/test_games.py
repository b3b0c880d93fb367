"""The list of games: searched, narrowed, sorted, and turned page by page."""

from __future__ import annotations

import io
import re
import shutil
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from auditor.service import Service
from auditor.web import create_app
from tests.web.conftest import ENGINE, FAULTY, Browser, Near, log_of, settings_over

NAMES = {
    "one": ("Marit Solheim", "Jonas Okafor", {"event": "Winter Muster", "round": 1, "table": 3}, {}),
    "two": ("Ann Marie", "Bob", {"event": "Winter Muster", "round": 2, "table": 3}, {"bad": "It was too far."}),
    "three": ("Zoë", "Marit Berg", {"event": "Summer Cup", "round": 1, "table": "A 1"}, {}),
}


@pytest.fixture
def games(browser):
    return sent(browser)


@pytest.fixture(scope="module")
def kept_games(tmp_path_factory, empty):
    """The same for all tests that only read them."""
    settings = settings_over(tmp_path_factory.mktemp("games") / "data")
    shutil.copytree(empty, settings.data_dir)
    service = Service(settings, ENGINE, Near.make)
    service.start()
    yield sent(Browser(create_app(settings, service).test_client()))
    service.close()


def sent(browser: Browser) -> Browser:
    for title, (first, second, match, event) in NAMES.items():
        players = [{"id": "UM", "name": first}, {"id": "WB", "name": second}]
        browser.upload((f"{title}.jsonl", log_of({}, event, title=f"Game {title}", players=players, match=match)))
    return browser


def listed(page: str) -> list[str]:
    """The games on a page, by the number in their title."""
    return re.findall(r"Game (one|two|three)\b", page)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", ["three", "two", "one"]),
        ("sort=oldest", ["one", "two", "three"]),
        ("sort=findings", ["two", "three", "one"]),
        ("player=marit", ["three", "one"]),
        ("player=Marit+Sol", ["one"]),
        ("player=mari&event=winter++muster", ["two", "one"]),
        ("event=Winter+Muster", ["two", "one"]),
        ("event=Winter", []),
        ("event=winter+muster&round=2", ["two"]),
        ("table=a+1", ["three"]),
        ("search=zoë", ["three"]),
        ("search=Zoe", ["three"]),
        ("player=ZOE\u0308", ["three"]),
        ("search=two.jsonl", ["two"]),
        ("search=muster+okafor", ["one"]),
        ("verdict=findings", ["two"]),
        ("verdict=clean&player=marit&sort=oldest", ["one", "three"]),
        ("rulings=the+log's+own,+else+the+defaults", ["three", "two", "one"]),
        ("rulings=Cup", []),
        ("search=nobody", []),
    ],
)
def test_games_are_found_by_what_their_headers_say(kept_games, asked, found):
    page = kept_games.page(f"/audits?{asked}")
    assert listed(page) == found
    if not found:
        assert "Nothing fits what was looked for." in page
        assert "No game has been audited yet" not in page


def test_the_list_has_pages_with_numbers_that_keep_what_was_asked(games, service, settings):
    service._shared.settings = replace(settings, page_size=1)
    page = games.page("/audits?sort=oldest")
    assert listed(page) == ["one"]
    links = {text: link.replace("&amp;", "&") for link, text in re.findall(r'href="([^"]*page=[^"]*)"[^>]*><span class="vh">Page </span>(\d)', page)}  # fmt: skip
    assert sorted(links) == ["1", "2", "3"]
    assert listed(games.page(links["3"])) == ["three"]
    assert listed(games.page("/audits?sort=oldest&page=99")) == ["three"]
    for wrong in ("0", "-1", "x", "9" * 30):
        assert games.get(f"/audits?page={wrong}").status_code == 400


def test_the_search_form_says_what_was_asked_and_is_open_only_then(games):
    asked = {
        "search": "muster",
        "player": "Ann",
        "event": "Winter Muster",
        "round": "2",
        "table": "3",
        "sort": "oldest",
    }
    page = games.page("/audits?" + urlencode({**asked, "verdict": "findings"}))
    form = re.search(r'<details class="more" open>.*?</form>', page, re.S)
    assert form is not None
    fields = re.findall(r'<label for="(f-\w+)">[^<]+</label> <(?:input|select) id="(f-\w+)" name="(\w+)"', form[0])
    assert [name for _, _, name in fields] == ["search", "player", "event", "round", "table", "rulings", "sort"]
    assert all(label == ident == f"f-{name}" for label, ident, name in fields)
    shown = dict(re.findall(r'name="(\w+)" type="text" maxlength="120" value="([^"]*)"', form[0]))
    assert shown == {name: asked.get(name, "") for name in shown} and len(shown) == 6
    assert re.findall(r'value="(\w+)" selected', form[0]) == ["oldest"]
    assert '<input type="hidden" name="verdict" value="findings">' in form[0]
    assert '<details class="more" open>' not in games.page("/audits")


def test_a_row_names_the_rulings_only_where_somebody_chose_them(browser):
    browser.upload(("game.jsonl", FAULTY))
    page = browser.page("/audits")
    assert "rulings: " not in page
    kind = (io.BytesIO(b'{"name": "Kind", "readings": {"R-FAKE": "no"}}'), "kind.json")
    browser.upload(("game.jsonl", FAULTY), rulings="file", rulings_file=kind)
    assert browser.page("/audits").count("answers: <bdi>Kind</bdi>") == 1


@pytest.mark.parametrize(
    "text", ['"><script>alert(1)</script>', "%00", "%ED%A0%80", "n" * 5000, "{{ 7*7 }}", "%_%", "'", "a\0b"]
)
def test_whatever_is_looked_for_is_only_ever_text(browser, text):
    browser.upload(("game.jsonl", FAULTY))
    for field in ("search", "player", "event", "round", "table", "rulings"):
        answer = browser.get("/audits", query_string={field: text})
        assert answer.status_code == 200, field
        assert "<script>alert" not in answer.text
        assert "49" not in re.findall(r'value="([^"]*)"', answer.text)


def test_an_order_that_is_none_is_not_there(browser):
    assert browser.get("/audits?sort=best").status_code == 404
